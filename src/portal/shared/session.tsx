import { createContext, use } from "react";
import { FIRST_READS } from "../../client/definitions.ts";
import { ApiError, api } from "../api/client.ts";
import { loadPart } from "./missing-part.ts";
import { notifyError } from "./notify.ts";

const SIGN_IN = "/-/sign-in";
const UNAUTHENTICATED = 401;

const loadAuth = () => loadPart(import("./calls.ts"));

/** Manages this browser's session. */
export function createSession() {
  /** The pending call that ends or replaces the session. */
  let change: Promise<unknown> = Promise.resolve();
  let isLeaving = false;

  // The browser restored this page from its cache.
  addEventListener("pageshow", () => {
    isLeaving = false;
  });

  /** Goes to sign-in; the first caller decides the address. */
  function leave(address: string): void {
    if (isLeaving) return;
    isLeaving = true;
    location.assign(address);
  }

  async function end(path: "sign-out" | "revoke-sessions"): Promise<void> {
    try {
      change = loadAuth().then(({ postAuth }) => postAuth(path));
      await change;
      leave(SIGN_IN);
    } catch (error) {
      notifyError("Couldn't sign out", error);
    }
  }

  /** Changes the password, which replaces the session. Throws like the API client. */
  async function changePassword(wanted: {
    currentPassword: string;
    newPassword: string;
    revokeTokens: boolean;
  }): Promise<void> {
    change = loadAuth().then(({ postAuth }) => postAuth("change-password", wanted));
    await change;
  }

  async function isAlive(): Promise<boolean> {
    try {
      await change.catch(() => undefined);
      await api.read(FIRST_READS.account);
      return true;
    } catch (error) {
      return !(error instanceof ApiError && error.status === UNAUTHENTICATED);
    }
  }

  /**
   * Returns whether the session is alive, after any pending change: what was sent before a new password is refused, too.
   * Goes to sign-in, which returns to this page, if it has ended.
   */
  async function check(): Promise<boolean> {
    if (await isAlive()) return true;
    const { pathname, search } = location;
    leave(`${SIGN_IN}?next=${encodeURIComponent(pathname + search)}`);
    return false;
  }

  return {
    check,
    signOut: () => end("sign-out"),
    signOutEverywhere: () => end("revoke-sessions"),
    changePassword,
  };
}

export type Session = ReturnType<typeof createSession>;

const SessionContext = createContext<Session | undefined>(undefined);

export const SessionProvider = SessionContext.Provider;

export function useSession(): Session {
  const session = use(SessionContext);
  if (session === undefined) throw new Error("useSession requires a SessionProvider.");
  return session;
}
