import type { LiveVersion, LiveVersions, LiveView } from "../../domain/live/live.ts";
import type { PageComparison } from "../../html/changes/compare-pages.ts";
import type { ChangesFact, CurrentFact, VersionFact, VersionsFact } from "./messages.ts";

export const versionFact = ({ code, versionNo, title, storage, createdAt, src }: LiveVersion): VersionFact => ({
  code,
  version_no: versionNo,
  title,
  storage,
  created_at: new Date(createdAt).toISOString(),
  src,
});

export const currentFact = (view: LiveView): CurrentFact => ({ name: view.name, ...versionFact(view) });

export const versionsFact = ({ versions, isComplete }: LiveVersions): VersionsFact => ({
  versions: versions.map(versionFact),
  complete: isComplete,
});

/** Returns what changed; with `isFull`, also each change. */
export function changesFact(
  {
    summary,
    changes,
    anchors,
    changedFiles,
  }: Pick<PageComparison, "summary" | "changes" | "anchors"> & { changedFiles?: readonly string[] | undefined },
  isFull: boolean,
): ChangesFact {
  const { sentence, total } = summary;
  if (!isFull) return { summary: sentence, total, ...(changedFiles && { drawn_from: changedFiles }) };
  const list = changes.map(({ oldPlace: _, newPlace: __, ...change }, index) => ({
    ...change,
    anchor: anchors[index] ?? null,
  }));
  return { summary: sentence, total, changes: list };
}
