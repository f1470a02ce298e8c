import type { Cause, Finding } from "./findings.ts";

/** Findings that one sentence tells of. */
export interface FindingGroup {
  readonly first: Finding;
  readonly files: ReadonlySet<string>;
  /** Without repetitions, in their order. */
  readonly subjects: readonly string[];
}

/** A cause with more subjects than this gets one sentence for all of them. */
const MAX_APART = 5;
/** Causes of which one sentence says enough. */
const TOGETHER: ReadonlySet<Cause> = new Set<Cause>(["link", "canvas", "credentials", "frame", "shape", "local file"]);

/** Puts together what has the same cause: one group for each subject if there are few, else one for all. */
export function groupFindings(findings: readonly Finding[]): FindingGroup[] {
  const counts = new Map<Cause, Set<string>>();
  for (const { cause, subject } of findings) counts.set(cause, (counts.get(cause) ?? new Set()).add(subject));
  const groups = new Map<string, { first: Finding; files: Set<string>; subjects: Set<string> }>();
  for (const finding of findings) {
    const { cause, file, subject, loader = "" } = finding;
    const isTogether = TOGETHER.has(cause) || (counts.get(cause)?.size ?? 0) > MAX_APART;
    const key = isTogether ? cause : `${cause} ${loader} ${subject}`;
    const group = groups.get(key) ?? { first: finding, files: new Set(), subjects: new Set() };
    groups.set(key, group);
    group.files.add(file);
    group.subjects.add(subject);
  }
  return [...groups.values()].map(({ first, files, subjects }) => ({ first, files, subjects: [...subjects] }));
}
