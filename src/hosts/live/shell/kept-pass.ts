/**
 * Keeps a guest's pass for reloads of this tab. In a frame of another site, it is kept in memory alone, because browsers deny
 * or share storage there. The key names no secret.
 */
const keyOf = (linkId: string) => `vitrine guest ${linkId}`;
const isFramed = window.top !== window;

/** Returns what storage answers; undefined if the browser denies it. */
function withStorage<Result>(use: (storage: Storage) => Result): Result | undefined {
  try {
    return isFramed ? undefined : use(sessionStorage);
  } catch {
    return undefined;
  }
}

export const keptPass = (linkId: string): string | undefined =>
  withStorage((storage) => storage.getItem(keyOf(linkId))) ?? undefined;

export const keepPass = (linkId: string, pass: string): void =>
  withStorage((storage) => storage.setItem(keyOf(linkId), pass));

export const forgetPass = (linkId: string): void => withStorage((storage) => storage.removeItem(keyOf(linkId)));
