import type { Context, Hono } from "hono";
import { Failure } from "../../../domain/model/failure.ts";
import type { Addresses } from "../../../domain/model/links.ts";
import type { Random } from "../../../domain/model/ports.ts";
import { Refusal } from "../../../domain/oauth/refusal.ts";
import type { RequestParameters } from "../../../domain/oauth/requests.ts";
import type { KnownSession } from "../../../domain/people/ports.ts";
import type { Sessions } from "../../../domain/people/sessions.ts";
import type { Services } from "../../../domain/services.ts";
import type { Log } from "../../../observability/log.ts";
import { describeFailure } from "../../http/failures.ts";
import { htmlResponse, redirectTo, scriptedResponse, signInPath } from "../../http/page-responses.ts";
import type { FindSession } from "../../http/session-cookie.ts";
import type { Environment } from "../mount.ts";
import {
  confirmPage,
  consentPage,
  deviceAnsweredPage,
  deviceCodePage,
  deviceConsentPage,
  refusedPage,
} from "./consent-page.ts";
import type { OAuthLimit } from "./limit.ts";
import { OAUTH_PATHS } from "./metadata.ts";

export interface OAuthPagesDependencies {
  oauth: Services["oauth"];
  oauthLimit: OAuthLimit;
  sessions: Pick<Sessions, "needsConfirmation">;
  hasSingleSignOn: boolean;
  addresses: Addresses;
  findSession: FindSession;
  random: Random;
  log: Log;
}

const PARAMETERS = [
  "response_type",
  "client_id",
  "redirect_uri",
  "code_challenge",
  "code_challenge_method",
  "scope",
  "resource",
  "state",
] as const satisfies readonly (keyof RequestParameters)[];

/** Mounts the pages on which people decide about programs. They can't be framed, and only their own script can decide. */
export function mountOAuthPages(app: Hono<Environment>, dependencies: OAuthPagesDependencies): void {
  const { oauth, oauthLimit, sessions, hasSingleSignOn, addresses, findSession, random, log } = dependencies;
  const { baseUrl } = addresses;

  /** Passes a request on when the user is signed in and has just confirmed their identity. */
  async function withUser(
    context: Context<Environment>,
    show: (session: KnownSession) => Promise<Response>,
  ): Promise<Response> {
    const { pathname, search } = new URL(context.req.url);
    const own = pathname + search;
    const session = await findSession(context.req.raw.headers);
    if (session === undefined) return redirectTo(baseUrl + signInPath(own));
    if (sessions.needsConfirmation(session))
      return scriptedResponse(random, (nonce) => confirmPage(nonce, own, hasSingleSignOn));
    return show(session);
  }

  app.get(OAUTH_PATHS.authorize, async (context) => {
    const { searchParams } = new URL(context.req.url);
    const parameters: RequestParameters = Object.fromEntries(
      PARAMETERS.flatMap((name) => (searchParams.has(name) ? [[name, searchParams.get(name) ?? ""]] : [])),
    );
    const response = await withUser(context, async (session) => {
      try {
        await oauthLimit.count("request", session.caller.userId);
        const repeated = PARAMETERS.find((name) => searchParams.getAll(name).length > 1);
        if (repeated !== undefined) throw new Refusal("invalid_request", `${repeated} occurs more than once.`);
        const request = await oauth.readRequest(parameters);
        return scriptedResponse(random, (nonce) => consentPage(nonce, request, parameters, deciderOf(session)));
      } catch (error) {
        return explained(context, error);
      }
    });
    return openedByApp(response);
  });

  app.get(OAUTH_PATHS.devicePage, (context) => {
    const answer = context.req.query("answer");
    if (answer !== undefined) return htmlResponse(deviceAnsweredPage(answer === "allowed"), 200);
    const userCode = context.req.query("user_code");
    return withUser(context, async (session) => {
      if (!userCode) return scriptedResponse(random, (nonce) => deviceCodePage(nonce));
      try {
        const device = await oauthLimit.guess(session.caller.userId, () => oauth.devices.find(userCode));
        const shown = userCode.toUpperCase().replace(/[^A-Z]/g, "");
        const code = `${shown.slice(0, 4)}-${shown.slice(4)}`;
        return scriptedResponse(random, (nonce) => deviceConsentPage(nonce, code, device, deciderOf(session)));
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        return scriptedResponse(random, (nonce) => deviceCodePage(nonce, error.message));
      }
    });
  });

  function explained(context: Context<Environment>, error: unknown): Response {
    if (error instanceof Refusal) return htmlResponse(refusedPage(error.message), 400);
    const { status, message, headers } = describeFailure(error, context.get("requestId"), log);
    return htmlResponse(refusedPage(message), status, headers);
  }
}

const deciderOf = ({ user: { email }, caller }: KnownSession) => ({
  email,
  workspaces: caller.memberships,
  workspace: caller.workspace.slug,
});

/** Keeps the window connected to the app that opened it, so that the app hears when it is done. */
export function openedByApp(response: Response): Response {
  response.headers.set("Cross-Origin-Opener-Policy", "unsafe-none");
  return response;
}
