import { readStoredList } from "./stored-list.ts";

/** Most reports remembered. */
const KEPT = 60;
const placeOf = (user: string) => `vitrine-opened-${user}`;

/** A report that was opened in this browser. */
export interface Opening {
  owner: string;
  /** Its name, or the code of an unnamed report. */
  reference: string;
  /** In milliseconds. */
  at: number;
}

const isOpening = (value: unknown): value is Opening =>
  typeof value === "object" &&
  value !== null &&
  "owner" in value &&
  typeof value.owner === "string" &&
  "reference" in value &&
  typeof value.reference === "string" &&
  "at" in value &&
  typeof value.at === "number";

/** Returns what a user opened in this browser, latest first. */
export const readOpenings = (user: string): readonly Opening[] => readStoredList(placeOf(user)).filter(isOpening);

/** Remembers that a user opened a report. */
export function noteOpening(user: string, opening: Opening): void {
  const others = readOpenings(user).filter(
    ({ owner, reference }) => owner !== opening.owner || reference !== opening.reference,
  );
  localStorage.setItem(placeOf(user), JSON.stringify([opening, ...others].slice(0, KEPT)));
}
