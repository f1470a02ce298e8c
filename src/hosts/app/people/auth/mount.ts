import type { Context, Hono } from "hono";
import { z } from "zod";
import type { Events } from "../../../../domain/model/events.ts";
import { unauthenticated } from "../../../../domain/model/failure.ts";
import { JSON_BODY_BYTES } from "../../../../domain/model/limits.ts";
import type { Accounts } from "../../../../domain/people/accounts.ts";
import type { Invitations } from "../../../../domain/people/invitations.ts";
import type { KnownSession } from "../../../../domain/people/ports.ts";
import type { Sessions } from "../../../../domain/people/sessions.ts";
import type { SignUp } from "../../../../domain/people/sign-up.ts";
import type { Tokens } from "../../../../domain/tokens/tokens.ts";
import { bearerToken } from "../../../http/bearer.ts";
import { parseJson, type ReadBody } from "../../../http/body.ts";
import type { FindSession } from "../../../http/session-cookie.ts";
import { toIso } from "../../../http/time.ts";
import { validate } from "../../../http/validation.ts";
import type { Environment, Mount } from "../../mount.ts";
import { checkNewPassword, type SignIn } from "./sign-in.ts";
import type { SignInLimit } from "./sign-in-limit.ts";

const signInBody = z.object({ email: z.string().trim(), password: z.string() });
const changePasswordBody = z.object({
  currentPassword: z.string(),
  newPassword: z.string(),
  revokeTokens: z.boolean().optional(),
});
const confirmPasswordBody = z.object({ password: z.string() });
const accountBody = z.object({
  email: z.string().trim(),
  slug: z.string().trim(),
  name: z
    .string()
    .trim()
    .optional()
    .transform((name) => name || undefined),
  password: z.string(),
});
const accountByLinkBody = accountBody.extend({ token: z.string() });

export interface AuthParts {
  signIn: SignIn;
  signInLimit: SignInLimit;
  accounts: Pick<Accounts, "setUp">;
  signUp: Pick<SignUp, "register">;
  invitations: Pick<Invitations, "acceptAsNewUser">;
  sessions: Pick<Sessions, "needsConfirmation" | "confirm">;
  tokens: Pick<Tokens, "revokeAllOwn">;
  findSession: FindSession;
  readBody: ReadBody;
  events: Pick<Events, "publish">;
}

/** Signing in and out, for browsers. Nothing of Better Auth can be reached but what stands here. */
export function mountAuth(app: Hono<Environment>, mount: Pick<Mount, "refuseOtherMethods">, parts: AuthParts): void {
  const { signIn, signInLimit, accounts, signUp, invitations, sessions, tokens, findSession, readBody, events } = parts;

  function post<Body extends z.ZodType>(
    path: string,
    schema: Body,
    handle: (body: z.output<Body>, headers: Headers, context: Context<Environment>) => Promise<Headers>,
  ): void {
    app.post(path, async (context) => {
      const text = await readBody(context.req.raw, JSON_BODY_BYTES);
      const body = validate(schema, text.length === 0 ? {} : parseJson(text));
      const headers = await handle(body, withoutForeignCookies(context.req.raw.headers), context);
      return Response.json({ ok: true }, { headers });
    });
    mount.refuseOtherMethods(path, "POST");
  }

  async function requireSession(headers: Headers): Promise<KnownSession> {
    const session = await findSession(headers);
    if (session === undefined) throw unauthenticated("You are not signed in.");
    return session;
  }

  const sayEnded = ({ caller }: KnownSession) => events.publish({ kind: "sessionsEnded", userId: caller.userId });

  post("/api/auth/sign-in/email", signInBody, (body, headers, context) => {
    const { address } = context.env;
    return signInLimit.attempt({ account: body.email, address }, () => signIn.signIn(body, { headers, address }));
  });

  post("/api/auth/sign-out", z.object({}), async (_, headers) => {
    const session = await findSession(headers);
    const cookies = await signIn.signOut(headers);
    if (session !== undefined) sayEnded(session);
    return cookies;
  });

  post("/api/auth/revoke-sessions", z.object({}), async (_, headers) => {
    const session = await requireSession(headers);
    const cookies = await signIn.signOutEverywhere(headers);
    sayEnded(session);
    return cookies;
  });

  post("/api/auth/change-password", changePasswordBody, async (body, headers, context) => {
    const session = await requireSession(headers);
    const { address } = context.env;
    const who = { account: session.user.email, address };
    const { revokeTokens = false, ...passwords } = body;
    const cookies = await signInLimit.attempt(who, async () => {
      if (revokeTokens) await revokeAllTokens(session, passwords, headers);
      return signIn.changePassword(passwords, { headers, address });
    });
    sayEnded(session);
    return cookies;
  });

  /** Comes before the change: where the change then fails, it can be asked for again, and no token outlives it. */
  async function revokeAllTokens(
    { caller }: KnownSession,
    { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
    headers: Headers,
  ): Promise<void> {
    checkNewPassword(newPassword);
    await signIn.checkPassword(currentPassword, headers, "currentPassword");
    await tokens.revokeAllOwn(caller);
    events.publish({ kind: "accountChanged", userId: caller.userId });
  }

  post("/api/auth/confirm-password", confirmPasswordBody, async ({ password }, headers, context) => {
    const session = await requireSession(headers);
    const who = { account: session.user.email, address: context.env.address };
    await signInLimit.attempt(who, () => signIn.checkPassword(password, headers));
    await sessions.confirm(session);
    return new Headers();
  });

  app.get("/api/auth/get-session", async (context) => {
    const session = await findSession(withoutForeignCookies(context.req.raw.headers));
    return context.json(session === undefined ? null : describe(session, sessions.needsConfirmation(session)));
  });
  mount.refuseOtherMethods("/api/auth/get-session", "GET");

  /** An account to make, with the secret of a link where there has to be one. */
  function postAccount<Body extends typeof accountBody>(
    path: string,
    schema: Body,
    make: (wanted: z.output<Body>) => Promise<void>,
  ): void {
    post(path, schema, async (wanted, _, context) => {
      await signInLimit.countRegistration(context.env.address);
      await make(wanted);
      return new Headers();
    });
  }

  postAccount("/api/auth/set-up", accountByLinkBody, ({ token, ...wanted }) => accounts.setUp(token, wanted));
  postAccount("/api/auth/sign-up", accountBody, (wanted) => signUp.register(wanted));
  postAccount("/api/auth/accept-invitation", accountByLinkBody, ({ token, ...wanted }) =>
    invitations.acceptAsNewUser(token, wanted),
  );
}

/** Who bears a token has no session, whatever cookies come along. */
function withoutForeignCookies(headers: Headers): Headers {
  const own = new Headers(headers);
  if (bearerToken(headers) !== undefined) own.delete("cookie");
  return own;
}

const describe = ({ user, caller, expiresAt }: KnownSession, needsConfirmation: boolean) => ({
  session: { expires_at: toIso(expiresAt), needs_confirmation: needsConfirmation },
  user: { id: caller.userId, email: user.email, name: user.name, slug: caller.workspace.slug },
});
