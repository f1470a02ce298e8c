import type { Context, Hono } from "hono";
import { z } from "zod";
import type { AuditUpkeep } from "../../../../domain/audit/upkeep.ts";
import type { Events } from "../../../../domain/model/events.ts";
import { Failure, unauthenticated } from "../../../../domain/model/failure.ts";
import { JSON_BODY_BYTES } from "../../../../domain/model/limits.ts";
import type { Accounts } from "../../../../domain/people/accounts.ts";
import type { Invitations } from "../../../../domain/people/invitations.ts";
import type { PasswordResets } from "../../../../domain/people/password-resets.ts";
import type { KnownSession } from "../../../../domain/people/ports.ts";
import type { Sessions } from "../../../../domain/people/sessions.ts";
import type { SignUp } from "../../../../domain/people/sign-up.ts";
import type { Tokens } from "../../../../domain/tokens/tokens.ts";
import type { Origins } from "../../../../observability/origins.ts";
import { bearerToken } from "../../../http/bearer.ts";
import { parseJson, type ReadBody } from "../../../http/body.ts";
import { withCaller } from "../../../http/origin.ts";
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
const requestResetBody = z.object({ email: z.string().trim() });
const resetPasswordBody = z.object({ token: z.string(), password: z.string() });
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

export interface AuthDependencies {
  signIn: SignIn;
  signInLimit: SignInLimit;
  accounts: Pick<Accounts, "setUp">;
  signUp: Pick<SignUp, "register">;
  invitations: Pick<Invitations, "acceptAsNewUser">;
  passwordResets: Pick<PasswordResets, "request" | "use">;
  sessions: Pick<Sessions, "needsConfirmation" | "confirm">;
  tokens: Pick<Tokens, "revokeAllOwn">;
  findSession: FindSession;
  readBody: ReadBody;
  events: Pick<Events, "publish">;
  audit: Pick<AuditUpkeep, "noteFailedSignIn">;
  origins: Origins;
}

/** Mounts sign-in and sign-out for browsers. No other endpoint of Better Auth is reachable. */
export function mountAuth(
  app: Hono<Environment>,
  mount: Pick<Mount, "refuseOtherMethods">,
  dependencies: AuthDependencies,
): void {
  const { signIn, signInLimit, accounts, signUp, invitations, sessions, tokens, findSession, readBody, events } =
    dependencies;
  const { audit, origins, passwordResets } = dependencies;

  function post<Body extends z.ZodType>(
    path: string,
    schema: Body,
    handle: (body: z.output<Body>, headers: Headers, context: Context<Environment>) => Promise<Headers>,
  ): void {
    app.post(path, async (context) => {
      const text = await readBody(context.req.raw, JSON_BODY_BYTES);
      const body = validate(schema, text.length === 0 ? {} : parseJson(text));
      const ownHeaders = withoutForeignCookies(context.req.raw.headers);
      const session = await findSession(ownHeaders);
      const visitor = origins.current();
      const origin = session === undefined ? visitor : withCaller(visitor, session.caller, session);
      const headers = await origins.run(origin, () => handle(body, ownHeaders, context));
      return Response.json({ ok: true }, { headers });
    });
    mount.refuseOtherMethods(path, "POST");
  }

  async function requireSession(headers: Headers): Promise<KnownSession> {
    const session = await findSession(headers);
    if (session === undefined) throw unauthenticated("You aren't signed in. Sign in and try again.");
    return session;
  }

  const sayEnded = ({ caller }: KnownSession) => events.publish({ kind: "sessionsEnded", userId: caller.userId });

  /** Returns a function that notes why a password was refused and rethrows it. */
  const noteFailure = (email: string) => (error: unknown) => {
    const isWrong = error instanceof Failure && (error.kind === "Unauthenticated" || error.kind === "Invalid");
    if (isWrong) audit.noteFailedSignIn(email);
    throw error;
  };

  post("/api/auth/sign-in/email", signInBody, (body, headers, context) => {
    const { address } = context.env;
    const attempt = () => signIn.signIn(body, { headers, address }).catch(noteFailure(body.email));
    return signInLimit.attempt({ account: body.email, address }, attempt);
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

  /** Revokes tokens before the password changes, so that none survives it. If the change fails, the user can retry. */
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

  post("/api/auth/request-password-reset", requestResetBody, async ({ email }, _, context) => {
    await signInLimit.countReset({ account: email, address: context.env.address });
    passwordResets.request(email);
    return new Headers();
  });

  post("/api/auth/reset-password", resetPasswordBody, async ({ token, password }) => {
    await passwordResets.use(token, password);
    return new Headers();
  });

  post("/api/auth/confirm-password", confirmPasswordBody, async ({ password }, headers, context) => {
    const session = await requireSession(headers);
    const who = { account: session.user.email, address: context.env.address };
    await signInLimit.attempt(who, () => signIn.checkPassword(password, headers).catch(noteFailure(who.account)));
    await sessions.confirm(session);
    return new Headers();
  });

  app.get("/api/auth/get-session", async (context) => {
    const session = await findSession(withoutForeignCookies(context.req.raw.headers));
    return context.json(session === undefined ? null : describe(session, sessions.needsConfirmation(session)));
  });
  mount.refuseOtherMethods("/api/auth/get-session", "GET");

  /** Mounts an endpoint that creates an account, from a link or without one. */
  function postAccount<Body extends typeof accountBody>(
    path: string,
    schema: Body,
    create: (account: z.output<Body>) => Promise<void>,
  ): void {
    post(path, schema, async (account, _, context) => {
      await signInLimit.countRegistration(context.env.address);
      await create(account);
      return new Headers();
    });
  }

  postAccount("/api/auth/set-up", accountByLinkBody, ({ token, ...account }) => accounts.setUp(token, account));
  postAccount("/api/auth/sign-up", accountBody, (account) => signUp.register(account));
  postAccount("/api/auth/accept-invitation", accountByLinkBody, ({ token, ...account }) =>
    invitations.acceptAsNewUser(token, account),
  );
}

/** Returns the headers without cookies if the request has an access token, which excludes a session. */
function withoutForeignCookies(headers: Headers): Headers {
  const own = new Headers(headers);
  if (bearerToken(headers) !== undefined) own.delete("cookie");
  return own;
}

const describe = ({ user, caller, expiresAt }: KnownSession, needsConfirmation: boolean) => ({
  session: { expires_at: toIso(expiresAt), needs_confirmation: needsConfirmation },
  user: {
    id: caller.userId,
    email: user.email,
    name: user.name,
    slug: caller.workspace.slug,
    is_operator: caller.isOperator,
  },
});
