import { createContext, use } from "react";
import { accountRoute } from "../../client/routes.ts";
import { postAuth } from "../api/auth.ts";
import { ApiError, api } from "../api/client.ts";
import { sayFailed } from "./notify.ts";

const SIGN_IN = "/-/sign-in";
const UNAUTHENTICATED = 401;

/** The session of this browser, as far as a page has a hand in it. */
export function createSession() {
  /** What ends the session, or puts another in its place, and is under way. */
  let change: Promise<unknown> = Promise.resolve();
  let isLeaving = false;

  // A page that the browser has kept is there again.
  addEventListener("pageshow", () => {
    isLeaving = false;
  });

  /** Goes to sign-in; the first who asks says with which address. */
  function leave(address: string): void {
    if (isLeaving) return;
    isLeaving = true;
    location.assign(address);
  }

  /** Leads to sign-in and back. */
  function expire(): void {
    const { pathname, search } = location;
    leave(`${SIGN_IN}?next=${encodeURIComponent(pathname + search)}`);
  }

  async function end(path: "sign-out" | "revoke-sessions"): Promise<void> {
    try {
      change = postAuth(path);
      await change;
      leave(SIGN_IN);
    } catch (error) {
      sayFailed("Signing out did not work", error);
    }
  }

  /** Puts a new session in the place of this one. Throws as the API's client does. */
  async function changePassword(wanted: {
    currentPassword: string;
    newPassword: string;
    revokeTokens: boolean;
  }): Promise<void> {
    change = postAuth("change-password", wanted);
    await change;
  }

  /** Whether there still is a session, once what may change that is done. */
  async function isAlive(): Promise<boolean> {
    try {
      await change.catch(() => undefined);
      await api.call(accountRoute);
      return true;
    } catch (error) {
      return !(error instanceof ApiError && error.status === UNAUTHENTICATED);
    }
  }

  return {
    expire,
    signOut: () => end("sign-out"),
    signOutEverywhere: () => end("revoke-sessions"),
    changePassword,
    isAlive,
  };
}

export type Session = ReturnType<typeof createSession>;

const SessionContext = createContext<Session | undefined>(undefined);

export const SessionProvider = SessionContext.Provider;

export function useSession(): Session {
  const session = use(SessionContext);
  if (session === undefined) throw new Error("There is no session around this.");
  return session;
}
