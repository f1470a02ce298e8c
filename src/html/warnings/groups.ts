import type { Cause, Finding } from "./findings.ts";

/** Findings that share one warning. */
export interface FindingGroup {
  readonly first: Finding;
  readonly files: ReadonlySet<string>;
  /** Distinct, in order of appearance. */
  readonly subjects: readonly string[];
}

/** A cause with more subjects gets one warning for all of them. */
const MAX_SEPARATE = 5;
/** Causes for which one warning is always enough. */
const COMBINED: ReadonlySet<Cause> = new Set<Cause>(["link", "canvas", "credentials", "frame", "shape", "local file"]);

/** Groups findings by cause: one group for each subject if there are few, or else one for all. */
export function groupFindings(findings: readonly Finding[]): FindingGroup[] {
  const counts = new Map<Cause, Set<string>>();
  for (const { cause, subject } of findings) counts.set(cause, (counts.get(cause) ?? new Set()).add(subject));
  const groups = new Map<string, { first: Finding; files: Set<string>; subjects: Set<string> }>();
  for (const finding of findings) {
    const { cause, file, subject, loader = "" } = finding;
    const isCombined = COMBINED.has(cause) || (counts.get(cause)?.size ?? 0) > MAX_SEPARATE;
    const key = isCombined ? cause : `${cause} ${loader} ${subject}`;
    const group = groups.get(key) ?? { first: finding, files: new Set(), subjects: new Set() };
    groups.set(key, group);
    group.files.add(file);
    group.subjects.add(subject);
  }
  return [...groups.values()].map(({ first, files, subjects }) => ({ first, files, subjects: [...subjects] }));
}
