import { createHmac, timingSafeEqual } from "node:crypto";
import { randomText } from "../model/codes.ts";
import type { Clock, Random } from "../model/ports.ts";

/** Time to sign in at the provider, in seconds. */
export const ATTEMPT_SECONDS = 10 * 60;
const STATE_LENGTH = 32;
/** What is longer would not fit into a cookie. */
const NEXT_LENGTH = 2000;

/** An attempt to sign in by way of a provider. */
export interface SignInAttempt {
  /** Goes to the provider and comes back. */
  state: string;
  /** Comes back inside what the provider signs. */
  nonce: string;
  /** Proves to the provider that who redeems the code is who asked for it (RFC 7636). */
  verifier: string;
  /** Where to go on, a path of the application host. */
  next: string;
  /** Whether somebody who is signed in has to prove anew who they are. */
  isConfirmation: boolean;
}

/** Stands beside the path of an attempt that is a confirmation. */
const CONFIRM = "confirm";

/**
 * Attempts are kept by the browser alone, as `state.expiry.next[.confirm].mac`, so that any copy of the server can go on with them
 * and nobody fills the database by beginning. Nonce and verifier are made from the state and the server's secret: neither
 * leaves the server but for the provider.
 */
export function createSignInAttempts({ secret, clock, random }: { secret: string; clock: Clock; random: Random }) {
  const keyFor = (purpose: string) => createHmac("sha256", secret).update(`vitrine sign-in ${purpose}`).digest();
  const [macKey, nonceKey, verifierKey] = [keyFor("attempt"), keyFor("nonce"), keyFor("verifier")];
  const macWith = (key: Buffer, text: string) => createHmac("sha256", key).update(text).digest("base64url");

  const attemptOf = (state: string, next: string, isConfirmation: boolean): SignInAttempt => ({
    state,
    nonce: macWith(nonceKey, state),
    verifier: macWith(verifierKey, state),
    next,
    isConfirmation,
  });

  /** A new attempt, and what the browser has to keep of it. */
  function begin(wanted: string, { isConfirmation = false } = {}): { attempt: SignInAttempt; kept: string } {
    const next = wanted.length > NEXT_LENGTH ? "/" : wanted;
    const state = randomText(random, STATE_LENGTH);
    const expiry = Math.floor(clock.now() / 1000) + ATTEMPT_SECONDS;
    const purpose = isConfirmation ? [CONFIRM] : [];
    const facts = [state, expiry, Buffer.from(next).toString("base64url"), ...purpose].join(".");
    return { attempt: attemptOf(state, next, isConfirmation), kept: `${facts}.${macWith(macKey, facts)}` };
  }

  /** The attempt that a browser has kept, if it is one of ours, of this state and not too old. */
  function resume(kept: string, state: string): SignInAttempt | undefined {
    const end = kept.lastIndexOf(".");
    const facts = kept.slice(0, Math.max(0, end));
    const isGenuine = isSame(kept.slice(end + 1), macWith(macKey, facts));
    const [keptState = "", expiry = "", next = "", purpose] = facts.split(".");
    if (!isGenuine || !isSame(keptState, state) || Number(expiry) * 1000 <= clock.now()) return undefined;
    return attemptOf(state, Buffer.from(next, "base64url").toString(), purpose === CONFIRM);
  }

  return { begin, resume };
}

function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
