import type { Facts, Gossip } from "../../../../domain/model/events.ts";
import { Failure, unavailable } from "../../../../domain/model/failure.ts";
import type { Clock } from "../../../../domain/model/ports.ts";
import { countedKey } from "../../../http/shared-counts.ts";
import { createWindows } from "../../../http/windows.ts";

const WINDOW = 5 * 60_000;
/** Attempts that others make on an account delay its owner, and never lock them out. */
const UNDELAYED_PER_ACCOUNT = 100;
/** Milliseconds that each further failed attempt adds to the wait for that account. */
const DELAY_STEP = 50;
const LONGEST_DELAY = 5_000;
/** Attempts that wait at once: they cost memory. */
const MOST_WAITING = 1_000;

/** Failed attempts in a window; of registrations, accounts that are asked for, whatever comes of it. */
const LIMITS = {
  address: 60,
  /** For one account from one address. */
  pair: 10,
  account: Number.POSITIVE_INFINITY,
  registration: 20,
} as const;

type Kind = keyof typeof LIMITS;

interface Parts {
  /** What is counted together at all copies of the program. */
  topic: string;
  clock: Clock;
  gossip: Gossip;
  wait(milliseconds: number): Promise<void>;
}

interface Counter {
  kind: Kind;
  key: string;
}

export interface Guesser {
  /** Whose password is tried, in any spelling. */
  account: string;
  /** Of the network. */
  address: string;
}

/**
 * Bounds how often a password can be guessed: from one address for any account and for one account, which refuses, and for
 * one account from anywhere, which only slows down. An attempt counts from its beginning, so that many at once count as
 * many, and is taken back when it succeeds. Copies of the program count in the order in which all of them hear of
 * attempts, so that together they let no more through.
 */
export function createSignInLimit({ topic, clock, gossip, wait }: Parts) {
  const windowsOfKind = () => createWindows({ length: WINDOW, clock });
  // Apart, so that keys of one kind cannot displace those of another.
  const windows = {
    address: windowsOfKind(),
    pair: windowsOfKind(),
    account: windowsOfKind(),
    registration: windowsOfKind(),
  } satisfies Record<Kind, unknown>;
  let waiting = 0;

  gossip.listen(topic, (facts) => facts.map(([fact, by]) => add(counterOf(fact), by)));

  /** What the count is then. */
  const add = (counter: Counter | undefined, by: number): number =>
    counter === undefined ? 0 : windows[counter.kind].add(counter.key, by);

  async function count(counters: readonly Counter[], by: 1 | -1): Promise<readonly number[]> {
    const facts: Facts = counters.map((counter) => [factOf(counter), by]);
    return (await gossip.tell(topic, facts)) ?? counters.map((counter) => add(counter, by));
  }

  function counterFor(kind: Kind, ...names: readonly string[]): Counter {
    return { kind, key: countedKey([kind, ...names].join(" ")) };
  }

  /** Returns the counter of a key. Throws `TooManyRequests` when its limit has been reached; remembers nothing. */
  function requireRoom(counter: Counter, what: string): Counter {
    const { kind, key } = counter;
    if (windows[kind].count(key) >= LIMITS[kind]) throw tooMany(windows[kind].secondsLeft(key), what);
    return counter;
  }

  /** Counts one more. Throws `TooManyRequests` when that is one too many, as others at the same moment may make it. */
  async function take(counters: readonly Counter[], what: string): Promise<readonly number[]> {
    const counts = await count(counters, 1);
    const crossed = counters.find(({ kind }, position) => (counts[position] ?? 0) > LIMITS[kind]);
    if (crossed === undefined) return counts;
    const failure = tooMany(windows[crossed.kind].secondsLeft(crossed.key), what);
    await count(counters, -1);
    throw failure;
  }

  /** Waits the longer, the more attempts on an account have failed. Throws `Unavailable` when too many wait already. */
  async function slowDown(attempts: number): Promise<void> {
    const delay = delayOf(attempts);
    if (delay === 0) return;
    if (waiting >= MOST_WAITING) throw unavailable(CROWDED, { retryAfter: LONGEST_DELAY / 1000 });
    waiting++;
    await wait(delay).finally(() => {
      waiting--;
    });
  }

  /** Runs an attempt to sign in. Throws `TooManyRequests` or `Unavailable` instead when there were too many that failed. */
  async function attempt<Result>(who: Guesser, work: () => Promise<Result>): Promise<Result> {
    const account = who.account.toLowerCase();
    // The address first: whoever has none left costs nothing more.
    const counters = [
      requireRoom(counterFor("address", who.address), SIGN_IN),
      requireRoom(counterFor("pair", who.address, account), SIGN_IN),
      counterFor("account", account),
    ];
    const [, , attempts = 0] = await take(counters, SIGN_IN);
    try {
      await slowDown(attempts);
      const result = await work();
      await count(counters, -1);
      return result;
    } catch (error) {
      // Nobody has learned anything of the password.
      if (error instanceof Failure && error.kind === "Unavailable") await count(counters, -1);
      throw error;
    }
  }

  /** Counts an account that is asked for, whatever comes of it. Throws `TooManyRequests`. */
  async function countRegistration(address: string): Promise<void> {
    await take([requireRoom(counterFor("registration", address), REGISTER)], REGISTER);
  }

  return { attempt, countRegistration };
}

export type SignInLimit = ReturnType<typeof createSignInLimit>;

const SIGN_IN = "sign in";
const REGISTER = "create an account";
const CROWDED = "Too many people are signing in right now. Try again in a few seconds.";

/** Returns the milliseconds to wait when so many attempts on an account have failed or are under way. */
export const delayOf = (attempts: number): number =>
  Math.min(LONGEST_DELAY, Math.max(0, attempts - UNDELAYED_PER_ACCOUNT) * DELAY_STEP);

const factOf = ({ kind, key }: Counter): string => `${kind}:${key}`;

/** Undefined for what another version of the program counts. */
function counterOf(fact: string): Counter | undefined {
  const colon = fact.indexOf(":");
  const kind = KINDS.find((candidate) => candidate === fact.slice(0, colon));
  return kind === undefined ? undefined : { kind, key: fact.slice(colon + 1) };
}

const KINDS: readonly Kind[] = ["address", "pair", "account", "registration"];

const tooMany = (retryAfter: number, what: string) =>
  new Failure("TooManyRequests", `Too many attempts to ${what}. Try again in ${retryAfter} seconds.`, { retryAfter });
