import { createHash } from "node:crypto";
import { newId, randomText } from "../model/codes.ts";
import { workspaceNotFound } from "../model/common-failures.ts";
import { type Caller, SCOPES, type Scope } from "../model/entities.ts";
import type { Events } from "../model/events.ts";
import { invalid, notFound } from "../model/failure.ts";
import type { Clock, Random } from "../model/ports.ts";
import { hashOfToken, newToken } from "../tokens/tokens.ts";
import type { Connection, KnownSecret, OAuthStore } from "./ports.ts";
import { Refusal } from "./refusal.ts";
import { type AuthorizationRequest, readResource, readScopes } from "./requests.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** How long a code can be redeemed, in milliseconds. */
const CODE_LIFETIME = MINUTE;
const ACCESS_LIFETIME = 60 * MINUTE;
/** How long a program can be idle and stay connected, in milliseconds. */
const REFRESH_LIFETIME = 60 * DAY;
/** How long a used refresh token still works, because an answer may be lost or processes share the token. */
const REFRESH_GRACE = 30_000;
const SECRET_LENGTH = 43;
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

interface Dependencies {
  store: {
    oauth: Pick<
      OAuthStore,
      "addGrant" | "findSecret" | "issue" | "listConnections" | "removeGrant" | "findGrantOfToken"
    >;
  };
  addresses: { baseUrl: string };
  events: Pick<Events, "publish">;
  clock: Clock;
  random: Random;
}

/** What a program receives at the token endpoint. */
export interface IssuedTokens {
  accessToken: string;
  refreshToken: string | undefined;
  /** Milliseconds. */
  expiresIn: number;
  scopes: readonly Scope[];
}

/** A request at the token endpoint, as it came. */
export interface TokenParameters {
  client_id?: string | undefined;
  code?: string | undefined;
  redirect_uri?: string | undefined;
  code_verifier?: string | undefined;
  refresh_token?: string | undefined;
  scope?: string | undefined;
  resource?: string | undefined;
}

/** Creates the service for what users let programs do: codes, access tokens and refresh tokens. */
export function createGrants({ store, addresses: { baseUrl }, events, clock, random }: Dependencies) {
  const { oauth } = store;
  const newSecret = (prefix: string) => `${prefix}_${randomText(random, SECRET_LENGTH)}`;
  const sayChanged = (userId: string) => events.publish({ kind: "accountChanged", userId });

  /** Lets a program act for the caller, and returns the address that brings the code to it. Throws `Invalid` or `NotFound`. */
  async function approve(
    caller: Caller,
    request: AuthorizationRequest,
    chosen: { owner: string; scopes: readonly Scope[] },
  ): Promise<string> {
    const { workspace, scopes } = checkChoice(caller, request.scopes, chosen);
    const code = newSecret("vtc");
    const now = clock.now();
    await oauth.addGrant({
      grant: {
        id: newId(random, "grn"),
        userId: caller.userId,
        workspaceId: workspace.id,
        clientId: request.client.id,
        clientName: request.client.name,
        scopes,
        resource: request.resource,
        createdAt: now,
      },
      code: {
        hash: hashOfToken(code),
        redirectUri: request.redirectUri,
        challenge: request.challenge,
        expiresAt: now + CODE_LIFETIME,
      },
    });
    return answerTo(request, { code });
  }

  /** Returns the address that tells the program about the user's refusal. */
  const deny = (request: AuthorizationRequest): string =>
    answerTo(request, { error: "access_denied", error_description: "The user declined." });

  function answerTo({ redirectUri, state }: AuthorizationRequest, answer: Readonly<Record<string, string>>): string {
    const url = new URL(redirectUri);
    for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value);
    if (state !== undefined) url.searchParams.set("state", state);
    // RFC 9207: so that a program with several servers knows which one answered.
    url.searchParams.set("iss", baseUrl);
    return url.href;
  }

  /** Redeems a code (RFC 6749 §4.1.3, RFC 7636 §4.6). Throws `Refusal`. */
  async function redeemCode(parameters: TokenParameters): Promise<IssuedTokens> {
    const secret = await findSecret(parameters, parameters.code, "code");
    // OAuth 2.1 leaves redirect_uri out of this request.
    if (parameters.redirect_uri !== undefined && secret.redirectUri !== parameters.redirect_uri)
      throw new Refusal("invalid_grant", "redirect_uri isn't the one that the code was requested with.");
    const verifier = parameters.code_verifier ?? "";
    if (!VERIFIER.test(verifier) || challengeOf(verifier) !== secret.challenge)
      throw new Refusal("invalid_grant", "code_verifier doesn't match the code_challenge.");
    const issued = await issue(secret, parameters.code ?? "", 0);
    sayChanged(secret.grant.userId);
    return issued;
  }

  /** Exchanges a refresh token for the next one and an access token (RFC 6749 §6). Throws `Refusal`. */
  async function refresh(parameters: TokenParameters): Promise<IssuedTokens> {
    const secret = await findSecret(parameters, parameters.refresh_token, "refresh");
    const requested = readScopes(parameters.scope) ?? [];
    if (requested.some((scope) => !secret.grant.scopes.includes(scope)))
      throw new Refusal("invalid_scope", "scope has more than the user allowed. Connect the app again.");
    return issue(secret, parameters.refresh_token ?? "", REFRESH_GRACE);
  }

  /** Returns a code or refresh token that belongs to the program. Throws `Refusal`. */
  async function findSecret(
    { client_id: clientId, resource }: TokenParameters,
    text: string | undefined,
    kind: KnownSecret["kind"],
  ): Promise<KnownSecret> {
    const what = kind === "code" ? "code" : "refresh_token";
    if (!clientId) throw new Refusal("invalid_client", "client_id is missing.");
    if (!text) throw new Refusal("invalid_request", `${what} is missing.`);
    const secret = await oauth.findSecret(hashOfToken(text));
    const isOurs = secret?.kind === kind && secret.grant.clientId === clientId;
    if (!isOurs || secret.expiresAt <= clock.now()) throw gone(what);
    if (resource !== undefined && readResource(resource, baseUrl) !== secret.grant.resource)
      throw new Refusal("invalid_target", "resource isn't the one that the user allowed. Connect the app again.");
    return secret;
  }

  /** Issues tokens. A code or refresh token that comes twice may have been stolen, so the grant ends. Throws `Refusal`. */
  async function issue({ grant, kind }: KnownSecret, text: string, grace: number): Promise<IssuedTokens> {
    const now = clock.now();
    const [accessToken, refreshToken] = [newToken(random), newSecret("vrt")];
    const outcome = await oauth.issue({
      hash: hashOfToken(text),
      now,
      replayableSince: grace === 0 ? Number.MAX_SAFE_INTEGER : now - grace,
      forgetUsedBefore: now - 7 * DAY,
      token: { id: newId(random, "tok"), hash: hashOfToken(accessToken), expiresAt: now + ACCESS_LIFETIME },
      refresh: { hash: hashOfToken(refreshToken), expiresAt: now + REFRESH_LIFETIME },
    });
    if (outcome === "used") await remove(grant.userId, grant.id, "replay");
    if (outcome !== "issued") throw gone(kind === "code" ? "code" : "refresh_token");
    return { accessToken, refreshToken, expiresIn: ACCESS_LIFETIME, scopes: grant.scopes };
  }

  /** Ends the grant that an access or refresh token belongs to (RFC 7009). Unknown tokens change nothing. */
  async function revokeByToken(clientId: string | undefined, text: string): Promise<void> {
    const hash = hashOfToken(text);
    const grant = (await oauth.findSecret(hash))?.grant ?? (await oauth.findGrantOfToken(hash));
    if (grant !== undefined && grant.clientId === clientId) await remove(grant.userId, grant.id, "program");
  }

  async function remove(userId: string, id: string, reason: "user" | "program" | "replay"): Promise<boolean> {
    const wasThere = await oauth.removeGrant({ userId, id, reason });
    if (wasThere) sayChanged(userId);
    return wasThere;
  }

  /** Returns the programs that act for the caller, newest first. */
  const list = ({ userId }: Caller): Promise<Connection[]> => oauth.listConnections({ userId, now: clock.now() });

  /** Disconnects one of the caller's programs immediately. Throws `NotFound`. */
  async function revoke({ userId }: Caller, id: string): Promise<void> {
    if (!(await remove(userId, id, "user"))) throw notFound("App not found. It may be disconnected already.");
  }

  return { approve, deny, redeemCode, refresh, revokeByToken, list, revoke };
}

const challengeOf = (verifier: string) => createHash("sha256").update(verifier).digest("base64url");

const gone = (what: string) =>
  new Refusal(
    "invalid_grant",
    `The ${what} isn't valid. It may have expired, been used or been revoked. Connect again.`,
  );

/** Returns the workspace and scopes that a user chose. Throws `Invalid` or `NotFound`. */
export function checkChoice(
  caller: Caller,
  offered: readonly Scope[],
  { owner, scopes }: { owner: string; scopes: readonly Scope[] },
) {
  const workspace = caller.memberships.find(({ slug }) => slug === owner);
  if (workspace === undefined) throw workspaceNotFound(owner, caller);
  const chosen = SCOPES.filter((scope) => scopes.includes(scope));
  if (chosen.length === 0) throw invalid("scopes is empty. Choose at least one permission.");
  const extra = chosen.find((scope) => !offered.includes(scope));
  if (extra !== undefined) throw invalid(`scopes has ${extra}, which the app didn't ask for.`);
  return { workspace, scopes: chosen };
}
