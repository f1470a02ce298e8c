import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { loadPart } from "../shared/missing-part.ts";
import type { CabinetCalls } from "./cabinet-calls.ts";

/** Returns the changes to a cabinet, whose code is loaded with the first of them. */
export function useCabinetCalls(owner: string): CabinetCalls {
  const queries = useQueryClient();
  return useMemo(() => {
    const load = async () => (await loadPart(import("./parts.ts"))).buildCalls(queries, owner);
    return {
      create: async (...given) => (await load()).create(...given),
      rename: async (...given) => (await load()).rename(...given),
      move: async (...given) => (await load()).move(...given),
      remove: async (...given) => (await load()).remove(...given),
      setDefaultFolder: async (...given) => (await load()).setDefaultFolder(...given),
      file: async (...given) => (await load()).file(...given),
      tag: async (...given) => (await load()).tag(...given),
    };
  }, [queries, owner]);
}
