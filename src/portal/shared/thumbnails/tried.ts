const PLACE = "vitrine-pictures-tried";
/** Most versions remembered. */
const KEPT = 500;

/** Returns the versions whose pictures this browser has tried to take without being asked, latest first. */
function readTried(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(PLACE) ?? "[]");
    return Array.isArray(stored) ? stored.filter((code) => typeof code === "string") : [];
  } catch {
    return [];
  }
}

const write = (codes: readonly string[]): void => localStorage.setItem(PLACE, JSON.stringify(codes.slice(0, KEPT)));

export const hasTried = (code: string): boolean => readTried().includes(code);

/** Remembers a try before it starts, so that a page that stops the browser is not loaded again at the next visit. */
export const noteTry = (code: string): void => write([code, ...readTried().filter((tried) => tried !== code)]);

/** Forgets a try that was interrupted. */
export const forgetTry = (code: string): void => write(readTried().filter((tried) => tried !== code));
