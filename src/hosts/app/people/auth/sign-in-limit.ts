import type { Gossip } from "../../../../domain/model/events.ts";
import { Failure, unavailable } from "../../../../domain/model/failure.ts";
import type { Clock } from "../../../../domain/model/ports.ts";
import { createSharedWindows } from "../../../http/shared-windows.ts";

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

interface SignInLimitDependencies {
  /** Replicas share the counts of a topic. */
  topic: string;
  clock: Clock;
  gossip: Gossip;
  wait(milliseconds: number): Promise<void>;
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
  const { count, counterFor, requireRoom, take } = createSharedWindows({
    topic,
    length: WINDOW,
    limits: LIMITS,
    clock,
    gossip,
  });
  let waiting = 0;

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
