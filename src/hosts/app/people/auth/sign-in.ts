import { z } from "zod";
import type { Events } from "../../../../domain/model/events.ts";
import { invalid, unauthenticated } from "../../../../domain/model/failure.ts";
import { PASSWORD_MAXIMUM, PASSWORD_MINIMUM } from "../../../../domain/people/accounts.ts";
import type { Origins } from "../../../../observability/origins.ts";
import { withProof } from "../../../http/origin.ts";
import { sessionCookieHeaders } from "../../../http/session-cookie.ts";
import { ADDRESS_HEADER } from "./address-header.ts";
import type { BetterAuth, BetterAuthDependencies } from "./better-auth.ts";

interface SignInDependencies extends BetterAuthDependencies {
  events: Pick<Events, "publish">;
  origins: Origins;
}

/** The browser that signs in. */
export interface Visitor {
  headers: Headers;
  /** The client's IP address. */
  address: string;
}

/** Creates sign-in. It loads Better Auth on first use, because that takes longer than starting everything else. */
export function createSignIn({ events, origins, ...dependencies }: SignInDependencies) {
  let starting: Promise<BetterAuth> | undefined;
  const sessionHeaders = (headers: Headers) => sessionCookieHeaders(headers, dependencies.addresses);

  async function start(): Promise<BetterAuth> {
    const { createBetterAuth } = await import("./better-auth.ts");
    return createBetterAuth(dependencies);
  }

  function betterAuth(): Promise<BetterAuth> {
    starting ??= start();
    return starting;
  }

  /** Starts a session and returns its cookies. Throws `Unauthenticated`. */
  async function signIn(body: { email: string; password: string }, visitor: Visitor): Promise<Headers> {
    // Better Auth hashes the password even for unknown addresses, and fails on an empty one.
    if (body.password === "") throw unauthenticated(WRONG);
    const { api } = await betterAuth();
    const headers = describingHeaders(visitor);
    const answer = await origins.run(withProof(origins.current(), "password"), () =>
      explained(api.signInEmail({ body, headers, returnHeaders: true })),
    );
    sayBegun(answer.response.user.id);
    return cookiesOf(answer.headers);
  }

  /** Starts a session for a user who signed in with another service, and returns its cookies. */
  async function signInAs(userId: string, visitor: Visitor): Promise<Headers> {
    const { api } = await betterAuth();
    const answer = await api.signInAs({ body: { userId }, headers: describingHeaders(visitor), returnHeaders: true });
    sayBegun(userId);
    return cookiesOf(answer.headers);
  }

  /** Notifies the user's other pages, which list sessions. */
  const sayBegun = (userId: string) => events.publish({ kind: "accountChanged", userId });

  /** Ends the session of these cookies, if any. Returns cookies that delete them. */
  async function signOut(headers: Headers): Promise<Headers> {
    const { api } = await betterAuth();
    const answer = await explained(api.signOut({ headers: sessionHeaders(headers), returnHeaders: true }));
    return cookiesOf(answer.headers);
  }

  /** Ends all of the user's sessions, including this one. Throws `Unauthenticated`. */
  async function signOutEverywhere(headers: Headers): Promise<Headers> {
    const { api } = await betterAuth();
    await explained(api.revokeSessions({ headers: sessionHeaders(headers) }));
    return signOut(headers);
  }

  /** Changes the password, ends all sessions and starts a new one. Throws `Unauthenticated` or `Invalid`. */
  async function changePassword(
    body: { currentPassword: string; newPassword: string },
    visitor: Visitor,
  ): Promise<Headers> {
    const { api } = await betterAuth();
    const answer = await explained(
      api.changePassword({
        body: { ...body, revokeOtherSessions: true },
        headers: new Headers([...sessionHeaders(visitor.headers), ...describingHeaders(visitor)]),
        returnHeaders: true,
      }),
    );
    return cookiesOf(answer.headers);
  }

  /** Throws `Invalid`, naming the field, unless this is the password of the signed-in user. */
  async function checkPassword(password: string, headers: Headers, field = "password"): Promise<void> {
    const { api } = await betterAuth();
    await explained(api.verifyPassword({ body: { password }, headers: sessionHeaders(headers) }), field);
  }

  return { signIn, signInAs, signOut, signOutEverywhere, changePassword, checkPassword };
}

export type SignIn = ReturnType<typeof createSignIn>;

const WRONG = "Incorrect email address or password. Check both and try again.";

/** Returns only the headers that are stored with a session. */
const describingHeaders = ({ headers, address }: Visitor) =>
  new Headers({ "user-agent": headers.get("user-agent") ?? "", [ADDRESS_HEADER]: address.replace(/\/64$/, "") });

function cookiesOf(headers: Headers): Headers {
  const cookies = new Headers();
  for (const cookie of headers.getSetCookie()) cookies.append("Set-Cookie", cookie);
  return cookies;
}

const refusalSchema = z.object({ statusCode: z.number(), body: z.object({ code: z.string() }) });

/** Turns errors of Better Auth into failures. Other errors stay as they are. */
async function explained<Answer>(call: Promise<Answer>, field = "currentPassword"): Promise<Answer> {
  try {
    return await call;
  } catch (error) {
    const refusal = refusalSchema.safeParse(error).data;
    throw (refusal && explain(refusal.statusCode, refusal.body.code, field)) ?? error;
  }
}

const tooShort = () => invalid(`newPassword must have at least ${PASSWORD_MINIMUM} characters.`);
const tooLong = () => invalid(`newPassword must have at most ${PASSWORD_MAXIMUM} characters.`);

/** Throws `Invalid` for a new password that Better Auth would reject. */
export function checkNewPassword(password: string): void {
  if (password.length < PASSWORD_MINIMUM) throw tooShort();
  if (password.length > PASSWORD_MAXIMUM) throw tooLong();
}

function explain(status: number, code: string, field: string) {
  switch (code) {
    case "INVALID_EMAIL":
    case "INVALID_EMAIL_OR_PASSWORD":
      return unauthenticated(WRONG);
    case "INVALID_PASSWORD":
      return invalid(`${field} is incorrect. Check it and try again.`);
    case "CREDENTIAL_ACCOUNT_NOT_FOUND":
      return invalid("This account has no password. Sign in with single sign-on instead.");
    case "PASSWORD_TOO_SHORT":
      return tooShort();
    case "PASSWORD_TOO_LONG":
      return tooLong();
    default:
      return status === 401 ? unauthenticated("You aren't signed in. Sign in and try again.") : undefined;
  }
}
