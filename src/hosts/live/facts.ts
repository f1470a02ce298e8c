import type { LiveVersion, LiveVersions, LiveView } from "../../domain/live/live.ts";
import type { CurrentFact, VersionFact, VersionsFact } from "./messages.ts";

const versionFact = ({ code, versionNo, title, storage, createdAt, src }: LiveVersion): VersionFact => ({
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
