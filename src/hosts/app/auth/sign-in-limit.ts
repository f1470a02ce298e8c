import type { Facts, Gossip } from "../../../domain/event-ports.ts";
import { Failure } from "../../../domain/failure.ts";
import type { Clock } from "../../../domain/ports.ts";
import { countedKey, createWindows } from "../../shared-counts.ts";

const WINDOW = 5 * 60_000;
/** Failed attempts in a window. */
const PER_ACCOUNT = 10;
const PER_ADDRESS = 60;
/** Accounts that may be asked for from one address in a window. */
const REGISTRATIONS = 20;

interface Parts {
  /** What is counted together at all copies of the program. */
  topic: string;
  clock: Clock;
  gossip: Gossip;
}

interface Bound {
  key: string;
  limit: number;
}

/**
 * Bounds how often a password can be guessed: for one account from anywhere, and from one address for any account. An
 * attempt counts from its beginning, so that many at once count as many, and is taken back when it succeeds. Copies of
 * the program count in the order in which all of them hear of attempts, so that together they let no more through.
 */
export function createSignInLimit({ topic, clock, gossip }: Parts) {
  const windows = createWindows(WINDOW, clock);
  gossip.listen(topic, add);

  /** What the counts are then. */
  function add(facts: Facts): number[] {
    return facts.map(([key, by]) => {
      const window = windows.of(key);
      window.count = Math.max(0, window.count + by);
      return window.count;
    });
  }

  async function count(bounds: readonly Bound[], by: 1 | -1): Promise<readonly number[]> {
    const facts = bounds.map(({ key }) => [key, by] as const);
    return (await gossip.tell(topic, facts)) ?? add(facts);
  }

  /** Throws `TooManyRequests` when one more would be too many, and counts it otherwise. */
  async function take(bounds: readonly Bound[], what: string): Promise<void> {
    refuseFull(bounds, what);
    const counts = await count(bounds, 1);
    const crossed = bounds.find(({ limit }, position) => (counts[position] ?? 0) > limit);
    if (crossed === undefined) return;
    await count(bounds, -1);
    throw tooMany(windows.secondsLeft(windows.of(crossed.key)), what);
  }

  function refuseFull(bounds: readonly Bound[], what: string): void {
    for (const { key, limit } of bounds) {
      const window = windows.of(key);
      if (window.count >= limit) throw tooMany(windows.secondsLeft(window), what);
    }
  }

  /** Runs an attempt to sign in. Throws `TooManyRequests` instead when there were too many that failed. */
  async function attempt<Result>(
    who: { account: string; address: string },
    work: () => Promise<Result>,
  ): Promise<Result> {
    const bounds = [
      { key: countedKey(`account ${who.account.toLowerCase()}`), limit: PER_ACCOUNT },
      { key: countedKey(`address ${who.address}`), limit: PER_ADDRESS },
    ];
    await take(bounds, "sign in");
    try {
      const result = await work();
      await count(bounds, -1);
      return result;
    } catch (error) {
      // Nobody has learned anything of the password.
      if (error instanceof Failure && error.kind === "Unavailable") await count(bounds, -1);
      throw error;
    }
  }

  /** Counts an account that is asked for, whatever comes of it. Throws `TooManyRequests`. */
  const countRegistration = (address: string): Promise<void> =>
    take([{ key: countedKey(`registration ${address}`), limit: REGISTRATIONS }], "make an account");

  return { attempt, countRegistration };
}

export type SignInLimit = ReturnType<typeof createSignInLimit>;

const tooMany = (retryAfter: number, what: string) =>
  new Failure("TooManyRequests", `Too many attempts to ${what}; try again in ${retryAfter} s.`, { retryAfter });
