import { readStoredList } from "../../api/stored-list.ts";

const PLACE = "vitrine-pictures-tried";
/** Most versions remembered. */
const KEPT = 500;

/** Returns the versions whose pictures this browser has tried to take without being asked, latest first. */
const readTried = (): readonly string[] => readStoredList(PLACE).filter((code) => typeof code === "string");

const write = (codes: readonly string[]): void => localStorage.setItem(PLACE, JSON.stringify(codes.slice(0, KEPT)));

/** Returns the versions that haven't been tried. */
export function withoutTried(codes: readonly string[]): readonly string[] {
  const tried = new Set(readTried());
  return codes.filter((code) => !tried.has(code));
}

/** Remembers a try before it starts, so that a page that stops the browser is not loaded again at the next visit. */
export const noteTry = (code: string): void => write([code, ...readTried().filter((tried) => tried !== code)]);

/** Forgets a try that was interrupted. */
export const forgetTry = (code: string): void => write(readTried().filter((tried) => tried !== code));
