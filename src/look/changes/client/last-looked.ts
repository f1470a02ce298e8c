import type { BarVersion } from "../../../look/bar/client/versions.ts";

/** Reports that are remembered. */
const MAX_REMEMBERED = 300;
const PLACE = "vitrine looked";

type Looked = [report: string, version: BarVersion][];

const isVersion = (value: unknown): value is BarVersion =>
  typeof value === "object" &&
  value !== null &&
  "code" in value &&
  typeof value.code === "string" &&
  "version_no" in value &&
  typeof value.version_no === "number";

function read(): Looked {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(PLACE) ?? "[]");
    if (!Array.isArray(stored)) return [];
    return stored.filter((each) => Array.isArray(each) && typeof each[0] === "string" && isVersion(each[1]));
  } catch {
    return [];
  }
}

/** Returns the version of a report that this browser showed last; undefined if it is forgotten. */
export const lastLooked = (report: string): BarVersion | undefined => read().find(([each]) => each === report)?.[1];

/** Remembers which version of a report this browser shows. */
export function rememberLooked(report: string, { code, version_no, title, created_at }: BarVersion): void {
  const others = read().filter(([each]) => each !== report);
  const own: Looked = [[report, { code, version_no, title, created_at }]];
  try {
    localStorage.setItem(PLACE, JSON.stringify([...own, ...others].slice(0, MAX_REMEMBERED)));
  } catch {
    // Without storage, nothing is remembered.
  }
}
