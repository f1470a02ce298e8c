import type { Context, Hono } from "hono";
import { z } from "zod";
import type { Events } from "../../../../domain/model/events.ts";
import { forbidden, invalid } from "../../../../domain/model/failure.ts";
import { JSON_BODY_BYTES } from "../../../../domain/model/limits.ts";
import type { Addresses } from "../../../../domain/model/links.ts";
import type { Clock, Random } from "../../../../domain/model/ports.ts";
import type { Identities } from "../../../../domain/people/identities.ts";
import type { Sessions } from "../../../../domain/people/sessions.ts";
import {
  ATTEMPT_SECONDS,
  createSignInAttempts,
  type SignInAttempt,
} from "../../../../domain/people/sign-in-attempts.ts";
import type { Log } from "../../../../observability/log.ts";
import type { Origins } from "../../../../observability/origins.ts";
import type { Tracing } from "../../../../observability/tracing/trace-context.ts";
import { parseJson, type ReadBody } from "../../../http/body.ts";
import { describeFailure } from "../../../http/failures.ts";
import { withProof } from "../../../http/origin.ts";
import { htmlResponse, localPath, redirectTo } from "../../../http/page-responses.ts";
import { type FindSession, isSecure, readCookie } from "../../../http/session-cookie.ts";
import { validate } from "../../../http/validation.ts";
import type { Environment, Mount } from "../../mount.ts";
import { signInFailedPage } from "../account-pages.ts";
import type { Provider, ProviderSettings } from "./provider.ts";
import type { SignIn } from "./sign-in.ts";
import type { SignInLimit } from "./sign-in-limit.ts";

const SINGLE_SIGN_ON = "/api/auth/sign-in/oidc";
const CALLBACK = "/api/auth/callback/oidc";

const beginBody = z.object({
  next: z.string().optional(),
  /** Requires a fresh sign-in, to confirm the identity of the signed-in user. */
  confirm: z
    .boolean()
    // Forms send text.
    .or(z.literal("true").transform(() => true))
    .optional(),
});

export interface SingleSignOnDependencies {
  provider: ProviderSettings;
  identities: Identities;
  signIn: Pick<SignIn, "signInAs">;
  sessions: Pick<Sessions, "confirm">;
  findSession: FindSession;
  /** Separate, so that failures of the provider do not count as failed passwords. */
  limit: SignInLimit;
  readBody: ReadBody;
  events: Pick<Events, "publish">;
  addresses: Addresses;
  secret: string;
  clock: Clock;
  random: Random;
  log: Log;
  tracing: Pick<Tracing, "headers">;
  origins: Origins;
}

/** Mounts sign-in with an OpenID Connect provider: the endpoint that starts it, and the callback. */
export function mountSingleSignOn(
  app: Hono<Environment>,
  mount: Pick<Mount, "refuseOtherMethods">,
  dependencies: SingleSignOnDependencies,
): void {
  const { identities, signIn, sessions, findSession, limit, readBody, events, addresses, log, origins } = dependencies;
  const attempts = createSignInAttempts(dependencies);
  const cookie = attemptCookie(addresses);
  let loading: Promise<Provider> | undefined;

  async function load(): Promise<Provider> {
    const { createProvider } = await import("./provider.ts");
    return createProvider(dependencies.provider, addresses.baseUrl + CALLBACK, {
      clock: dependencies.clock,
      traceHeaders: dependencies.tracing.headers,
    });
  }

  function provider(): Promise<Provider> {
    loading ??= load();
    return loading;
  }

  app.post(SINGLE_SIGN_ON, async (context) => {
    const body = await readBody(context.req.raw, JSON_BODY_BYTES);
    const { next, confirm } = validate(beginBody, body.length === 0 ? {} : parseJson(body));
    const { attempt, kept } = attempts.begin(localPath(next, addresses.baseUrl), { isConfirmation: confirm ?? false });
    const url = await (await provider()).authorizationUrl(attempt);
    return Response.json({ ok: true, url }, { headers: { "Set-Cookie": cookie.keep(kept) } });
  });
  mount.refuseOtherMethods(SINGLE_SIGN_ON, "POST");

  app.get(CALLBACK, async (context) => {
    const { headers } = context.req.raw;
    const attempt = attempts.resume(readCookie(headers, cookie.name) ?? "", context.req.query("state") ?? "");
    // Keeps the cookie, so that a link from a stranger cannot abort a pending attempt.
    if (attempt === undefined) return failed(context, invalid(NO_ATTEMPT), "/");
    const response = await limit
      .attempt({ account: attempt.state, address: context.env.address }, () =>
        origins.run(withProof(origins.current(), "single sign-on"), () => finish(context, attempt)),
      )
      .catch((error) => failed(context, error, attempt.next));
    response.headers.append("Set-Cookie", cookie.remove);
    return response;
  });
  mount.refuseOtherMethods(CALLBACK, "GET");

  async function finish(context: Context<Environment>, attempt: SignInAttempt): Promise<Response> {
    const { search } = new URL(context.req.url);
    const identity = await (await provider()).redeem(search, attempt);
    const session = attempt.isConfirmation ? await findSession(context.req.raw.headers) : undefined;
    if (session !== undefined) {
      const known = await identities.findKnown(identity);
      if (known?.userId !== session.caller.userId) throw forbidden(OTHER_ACCOUNT);
      await sessions.confirm(session);
      return redirectTo(addresses.baseUrl + attempt.next);
    }
    const { userId, hasEndedSessions } = await identities.identify(identity);
    if (hasEndedSessions) events.publish({ kind: "sessionsEnded", userId });
    const cookies = await signIn.signInAs(userId, { headers: context.req.raw.headers, address: context.env.address });
    const response = redirectTo(addresses.baseUrl + attempt.next);
    for (const line of cookies.getSetCookie()) response.headers.append("Set-Cookie", line);
    return response;
  }

  function failed(context: Context<Environment>, error: unknown, next: string): Response {
    const { status, message, headers } = describeFailure(error, context.get("requestId"), log);
    return htmlResponse(signInFailedPage(message, next), status, headers);
  }
}

const NO_ATTEMPT =
  "This sign-in started in another browser, is already complete, or took longer than 10 minutes. Sign in again.";

const OTHER_ACCOUNT =
  "You signed in to the sign-in service with a different account. Sign in with the one you use for Vitrine.";

/** Creates the cookie of a pending attempt. `SameSite=Lax`, because the provider's redirect must include it. */
function attemptCookie(addresses: Addresses) {
  const name = isSecure(addresses) ? "__Host-vitrine_sign_in" : "vitrine_sign_in";
  const attributes = `Path=/; HttpOnly; ${isSecure(addresses) ? "Secure; " : ""}SameSite=Lax`;
  return {
    name,
    keep: (value: string) => `${name}=${value}; Max-Age=${ATTEMPT_SECONDS}; ${attributes}`,
    remove: `${name}=; Max-Age=0; ${attributes}`,
  };
}
