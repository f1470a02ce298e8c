import { useCallback } from "react";
import type { Dragged } from "../shared/drag.ts";
import { loadPart } from "../shared/missing-part.ts";
import { notifyError, notifyWarning } from "../shared/notify.ts";
import type { DropDependencies } from "./carry-out.ts";
import type { Outcome } from "./dropping.ts";

const FAILURES = {
  move: "Couldn't move it",
  tag: "Couldn't tag the reports",
  file: "Couldn't move the reports",
} as const;

/** Returns a function that carries out a drop and reports the result. */
export function useDropped({ calls, entries, open }: DropDependencies) {
  return useCallback(
    async (dragged: Dragged, outcome: Outcome) => {
      if (outcome.type === "refuse") {
        notifyWarning("Can't drop that here", outcome.reason);
        return;
      }
      try {
        const { carryOut } = await loadPart(import("./parts.ts"));
        await carryOut(dragged, outcome, { calls, entries, open });
      } catch (error) {
        notifyError(FAILURES[outcome.type], error);
      }
    },
    [calls, entries, open],
  );
}
