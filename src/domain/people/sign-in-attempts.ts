import { createHmac, timingSafeEqual } from "node:crypto";
import { randomText } from "../model/codes.ts";
import type { Clock, Random } from "../model/ports.ts";

/** Seconds in which a person has to sign in at the provider. */
export const ATTEMPT_SECONDS = 10 * 60;
const STATE_LENGTH = 32;
/** Maximum length of `next`, so that the attempt fits into a cookie. */
const NEXT_LENGTH = 2000;

/** An attempt to sign in through an identity provider. */
export interface SignInAttempt {
  /** Identifies the attempt; the provider returns it. */
  state: string;
  /** Returned in the ID token that the provider signs. */
  nonce: string;
  /** Proves to the provider that the server that redeems the code requested it (PKCE, RFC 7636). */
  verifier: string;
  /** Where to continue after signing in, a path of the app host. */
  next: string;
  /** Whether a person who is signed in confirms their identity. */
  isConfirmation: boolean;
}

/** Marks an attempt as a confirmation. */
const CONFIRM = "confirm";

/**
 * Begins and resumes sign-in attempts. Only the browser stores them, as `state.expiry.next[.confirm].mac`, so any
 * replica can resume them, and unfinished attempts don't fill the database. Nonce and verifier are derived from the
 * state and the server's secret, and sent only to the provider.
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

  /** Returns a new attempt, and the text for the browser to store. */
  function begin(requestedNext: string, { isConfirmation = false } = {}): { attempt: SignInAttempt; kept: string } {
    const next = requestedNext.length > NEXT_LENGTH ? "/" : requestedNext;
    const state = randomText(random, STATE_LENGTH);
    const expiry = Math.floor(clock.now() / 1000) + ATTEMPT_SECONDS;
    const purpose = isConfirmation ? [CONFIRM] : [];
    const facts = [state, expiry, Buffer.from(next).toString("base64url"), ...purpose].join(".");
    return { attempt: attemptOf(state, next, isConfirmation), kept: `${facts}.${macWith(macKey, facts)}` };
  }

  /** Returns the attempt that a browser stored; undefined if it is forged, expired or for another state. */
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
