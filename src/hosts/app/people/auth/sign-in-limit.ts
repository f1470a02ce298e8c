import type { Facts, Gossip } from "../../../../domain/model/events.ts";
import { Failure, unavailable } from "../../../../domain/model/failure.ts";
import type { Clock } from "../../../../domain/model/ports.ts";
import { countedKey } from "../../../http/shared-counts.ts";
import { createWindows } from "../../../http/windows.ts";

const WINDOW = 5 * 60_000;
/** The number of failed attempts on an account before it slows down. An account is never locked. */
const UNDELAYED_PER_ACCOUNT = 100;
/** The delay that each further failed attempt on an account adds, in milliseconds. */
const DELAY_STEP = 50;
const LONGEST_DELAY = 5_000;
/** The maximum number of delayed attempts, which take memory. */
const MOST_WAITING = 1_000;

/** The maximum number of failed attempts in a window and, for registrations, of all attempts. */
const LIMITS = {
  address: 60,
  /** Failures for one account from one address. */
  pair: 10,
  account: Number.POSITIVE_INFINITY,
  registration: 20,
  /** Requests for a password link from one address, and for one account. */
  resetAddress: 20,
  resetAccount: 3,
} as const;

type Kind = keyof typeof LIMITS;

interface SignInLimitDependencies {
  /** Replicas share the counts of a topic. */
  topic: string;
  clock: Clock;
  gossip: Gossip;
  wait(milliseconds: number): Promise<void>;
}

interface Counter {
  kind: Kind;
  key: string;
}

export interface AttemptSource {
  /** The email address, in any case. */
  account: string;
  /** The client's IP address. */
  address: string;
}

/**
 * Limits password guessing. Too many failures from one address, for any account or for one, are rejected. Failures for
 * one account from anywhere only slow further attempts down. An attempt counts from its start, so that parallel attempts
 * count too, and is uncounted if it succeeds. Replicas count attempts in the same order, so the limits hold across them.
 */
export function createSignInLimit({ topic, clock, gossip, wait }: SignInLimitDependencies) {
  const windowsOfKind = () => createWindows({ length: WINDOW, clock });
  // Separate, so that keys of one kind cannot displace keys of another.
  const windows = {
    address: windowsOfKind(),
    pair: windowsOfKind(),
    account: windowsOfKind(),
    registration: windowsOfKind(),
    resetAddress: windowsOfKind(),
    resetAccount: windowsOfKind(),
  } satisfies Record<Kind, unknown>;
  let waiting = 0;

  gossip.listen(topic, (facts) => facts.map(([fact, by]) => add(counterOf(fact), by)));

  /** Returns the new count. */
  const add = (counter: Counter | undefined, by: number): number =>
    counter === undefined ? 0 : windows[counter.kind].add(counter.key, by);

  async function count(counters: readonly Counter[], by: 1 | -1): Promise<readonly number[]> {
    const facts: Facts = counters.map((counter) => [factOf(counter), by]);
    return (await gossip.tell(topic, facts)) ?? counters.map((counter) => add(counter, by));
  }

  function counterFor(kind: Kind, ...names: readonly string[]): Counter {
    return { kind, key: countedKey([kind, ...names].join(" ")) };
  }

  /** Returns the counter if it is below its limit, without counting. Throws `TooManyRequests` otherwise. */
  function requireRoom(counter: Counter, what: string): Counter {
    const { kind, key } = counter;
    if (windows[kind].count(key) >= LIMITS[kind]) throw tooMany(windows[kind].secondsLeft(key), what);
    return counter;
  }

  /** Counts an attempt. Throws `TooManyRequests` if parallel attempts have used up the limit. */
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

  /** Runs a sign-in attempt. Throws `TooManyRequests` or `Unavailable` if too many attempts failed before. */
  async function attempt<Result>(who: AttemptSource, work: () => Promise<Result>): Promise<Result> {
    const account = who.account.toLowerCase();
    // The address comes first, so that blocked addresses cost least.
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
      // The password was not checked, so the attempt does not count.
      if (error instanceof Failure && error.kind === "Unavailable") await count(counters, -1);
      throw error;
    }
  }

  /** Counts a registration, successful or not. Throws `TooManyRequests`. */
  async function countRegistration(address: string): Promise<void> {
    await take([requireRoom(counterFor("registration", address), REGISTER)], REGISTER);
  }

  /** Counts a request for a password link, whether or not the account exists. Throws `TooManyRequests`. */
  async function countReset({ account, address }: AttemptSource): Promise<void> {
    const counters = [
      requireRoom(counterFor("resetAddress", address), RESET),
      requireRoom(counterFor("resetAccount", account.toLowerCase()), RESET),
    ];
    await take(counters, RESET);
  }

  return { attempt, countRegistration, countReset };
}

export type SignInLimit = ReturnType<typeof createSignInLimit>;

const SIGN_IN = "sign in";
const REGISTER = "create an account";
const RESET = "reset a password";
const CROWDED = "Too many people are signing in right now. Try again in a few seconds.";

/** Returns the delay after this number of failed or pending attempts on an account, in milliseconds. */
export const delayOf = (attempts: number): number =>
  Math.min(LONGEST_DELAY, Math.max(0, attempts - UNDELAYED_PER_ACCOUNT) * DELAY_STEP);

const factOf = ({ kind, key }: Counter): string => `${kind}:${key}`;

/** Returns the counter of a fact, or undefined for kinds that another version of Vitrine counts. */
function counterOf(fact: string): Counter | undefined {
  const colon = fact.indexOf(":");
  const kind = KINDS.find((candidate) => candidate === fact.slice(0, colon));
  return kind === undefined ? undefined : { kind, key: fact.slice(colon + 1) };
}

const KINDS: readonly Kind[] = ["address", "pair", "account", "registration", "resetAddress", "resetAccount"];

const tooMany = (retryAfter: number, what: string) =>
  new Failure("TooManyRequests", `Too many attempts to ${what}. Try again in ${retryAfter} seconds.`, { retryAfter });
