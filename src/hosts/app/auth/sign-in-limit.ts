import { Failure } from "../../../domain/failure.ts";
import type { Clock } from "../../../domain/ports.ts";

const WINDOW = 5 * 60_000;
/** Failed attempts in a window. */
const PER_ACCOUNT = 10;
const PER_ADDRESS = 60;
/** Accounts that may be asked for from one address in a window. */
const REGISTRATIONS = 20;
const REMEMBERED = 20_000;

/**
 * Bounds how often a password can be guessed: for one account from anywhere, and from one address for any account. An
 * attempt counts from its beginning, so that many at once count as many, and is taken back when it succeeds.
 */
export function createSignInLimit(clock: Clock) {
  const windows = new Map<string, { endsAt: number; count: number }>();

  function forgetEnded(now: number): void {
    for (const [key, { endsAt }] of windows) if (endsAt <= now) windows.delete(key);
  }

  function windowOf(key: string, now: number) {
    const known = windows.get(key);
    if (known !== undefined && known.endsAt > now) return known;
    if (windows.size >= REMEMBERED) forgetEnded(now);
    const window = { endsAt: now + WINDOW, count: 0 };
    windows.set(key, window);
    return window;
  }

  /** Runs an attempt to sign in. Throws `TooManyRequests` instead when there were too many that failed. */
  async function attempt<Result>(
    who: { account: string; address: string },
    work: () => Promise<Result>,
  ): Promise<Result> {
    const now = clock.now();
    const account = windowOf(`account ${who.account.toLowerCase()}`, now);
    const address = windowOf(`address ${who.address}`, now);
    if (account.count >= PER_ACCOUNT) throw tooMany(account.endsAt - now);
    if (address.count >= PER_ADDRESS) throw tooMany(address.endsAt - now);
    account.count++;
    address.count++;
    const result = await work();
    account.count--;
    address.count--;
    return result;
  }

  /** Counts an account that is asked for, whatever comes of it. Throws `TooManyRequests`. */
  function countRegistration(address: string): void {
    const now = clock.now();
    const window = windowOf(`registration ${address}`, now);
    if (window.count >= REGISTRATIONS) throw tooMany(window.endsAt - now, "make an account");
    window.count++;
  }

  return { attempt, countRegistration };
}

export type SignInLimit = ReturnType<typeof createSignInLimit>;

function tooMany(milliseconds: number, what = "sign in"): Failure {
  const retryAfter = Math.ceil(milliseconds / 1000);
  return new Failure("TooManyRequests", `Too many attempts to ${what}; try again in ${retryAfter} s.`, { retryAfter });
}
