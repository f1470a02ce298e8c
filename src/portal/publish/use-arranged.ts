import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { loadPart } from "../shared/missing-part.ts";
import type { DraftFile } from "./draft-files.ts";
import type { Renamed } from "./rewriting.ts";
import { type Arrangement, arrange } from "./start-page.ts";
import type { Draft } from "./use-draft.ts";

export interface Arranged extends Arrangement, Renamed {
  /** Whether references are still being updated. */
  isPending: boolean;
  error: Error | null;
}

/** Returns the files as they will be published. */
export function useArranged({ files, startId, isFlat }: Draft): Arranged {
  const arrangement = useMemo(() => arrange(files, startId, isFlat), [files, startId, isFlat]);
  const { names } = arrangement;
  const isRenamed = files.some(({ path }) => names.get(path) !== path);
  // Nothing else refers to a single file.
  const isRewritten = isRenamed && files.length > 1;
  const { data, error } = useQuery({
    queryKey: ["publish", "renamed", files.map(({ id }) => id), [...names]],
    queryFn: async () => (await loadPart(import("./rewriting.ts"))).renameFiles(files, names),
    enabled: isRewritten,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  return useMemo(() => {
    const renamed = isRewritten && data !== undefined ? data : { files: withNames(files, names), mentions: [] };
    return { ...arrangement, ...renamed, isPending: isRewritten && data === undefined, error };
  }, [arrangement, names, files, isRewritten, data, error]);
}

const withNames = (files: readonly DraftFile[], names: ReadonlyMap<string, string>): DraftFile[] =>
  files.map((file) => ({ ...file, path: names.get(file.path) ?? file.path }));
