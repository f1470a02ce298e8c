import { z } from "zod";
import type { Events } from "../../../../domain/model/events.ts";
import { invalid, unauthenticated } from "../../../../domain/model/failure.ts";
import { PASSWORD_MAXIMUM, PASSWORD_MINIMUM } from "../../../../domain/people/accounts.ts";
import { sessionCookieHeaders } from "../../../http/session-cookie.ts";
import { ADDRESS_HEADER } from "./address-header.ts";
import type { BetterAuth, BetterAuthParts } from "./better-auth.ts";

interface Parts extends BetterAuthParts {
  events: Pick<Events, "publish">;
}

/** Whose request it is. */
export interface Visitor {
  headers: Headers;
  /** Of the network. */
  address: string;
}

/** Starts Better Auth with the first request that needs it: loading it takes longer than starting all the rest. */
export function createSignIn({ events, ...parts }: Parts) {
  let starting: Promise<BetterAuth> | undefined;
  const sessionHeaders = (headers: Headers) => sessionCookieHeaders(headers, parts.addresses);

  async function start(): Promise<BetterAuth> {
    const { createBetterAuth } = await import("./better-auth.ts");
    return createBetterAuth(parts);
  }

  function betterAuth(): Promise<BetterAuth> {
    starting ??= start();
    return starting;
  }

  /** Cookies of a new session. Throws `Unauthenticated`. */
  async function signIn(body: { email: string; password: string }, visitor: Visitor): Promise<Headers> {
    // It is hashed for an unknown address too, and nothing can be made of no password.
    if (body.password === "") throw unauthenticated(WRONG);
    const { api } = await betterAuth();
    const headers = describingHeaders(visitor);
    const answer = await explained(api.signInEmail({ body, headers, returnHeaders: true }));
    sayBegun(answer.response.user.id);
    return cookiesOf(answer.headers);
  }

  /** Cookies of a new session of a user who has proven elsewhere who they are. */
  async function signInAs(userId: string, visitor: Visitor): Promise<Headers> {
    const { api } = await betterAuth();
    const answer = await api.signInAs({ body: { userId }, headers: describingHeaders(visitor), returnHeaders: true });
    sayBegun(userId);
    return cookiesOf(answer.headers);
  }

  /** The person's other pages show where they are signed in. */
  const sayBegun = (userId: string) => events.publish({ kind: "accountChanged", userId });

  /** Ends the session of these cookies, if there is one. Returns cookies that remove them. */
  async function signOut(headers: Headers): Promise<Headers> {
    const { api } = await betterAuth();
    const answer = await explained(api.signOut({ headers: sessionHeaders(headers), returnHeaders: true }));
    return cookiesOf(answer.headers);
  }

  /** Ends all sessions of the user, this one included. Throws `Unauthenticated`. */
  async function signOutEverywhere(headers: Headers): Promise<Headers> {
    const { api } = await betterAuth();
    await explained(api.revokeSessions({ headers: sessionHeaders(headers) }));
    return signOut(headers);
  }

  /** Ends all other sessions, and puts a new one in the place of this. Throws `Unauthenticated` or `Invalid`. */
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

  /** Throws `Invalid` unless it is the password of who is signed in; its message names the field. */
  async function checkPassword(password: string, headers: Headers, field = "password"): Promise<void> {
    const { api } = await betterAuth();
    await explained(api.verifyPassword({ body: { password }, headers: sessionHeaders(headers) }), field);
  }

  return { signIn, signInAs, signOut, signOutEverywhere, changePassword, checkPassword };
}

export type SignIn = ReturnType<typeof createSignIn>;

const WRONG = "The e-mail address or the password is wrong.";

/** Nothing but what is kept with a session. */
const describingHeaders = ({ headers, address }: Visitor) =>
  new Headers({ "user-agent": headers.get("user-agent") ?? "", [ADDRESS_HEADER]: address.replace(/\/64$/, "") });

function cookiesOf(headers: Headers): Headers {
  const cookies = new Headers();
  for (const cookie of headers.getSetCookie()) cookies.append("Set-Cookie", cookie);
  return cookies;
}

const refusalSchema = z.object({ statusCode: z.number(), body: z.object({ code: z.string() }) });

/** Better Auth's refusals in our words; anything else that goes wrong stays what it is. */
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

/** Throws `Invalid` for a new password that the library would refuse. */
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
      return invalid(`${field} is wrong.`);
    case "CREDENTIAL_ACCOUNT_NOT_FOUND":
      return invalid("This account has no password: it signs in with single sign-on.");
    case "PASSWORD_TOO_SHORT":
      return tooShort();
    case "PASSWORD_TOO_LONG":
      return tooLong();
    default:
      return status === 401 ? unauthenticated("You are not signed in.") : undefined;
  }
}
