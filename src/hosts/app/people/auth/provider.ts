import * as client from "openid-client";
import { z } from "zod";
import { Failure, forbidden, invalid, unavailable } from "../../../../domain/model/failure.ts";
import type { Clock } from "../../../../domain/model/ports.ts";
import type { Identity } from "../../../../domain/people/identities.ts";
import type { SignInAttempt } from "../../../../domain/people/sign-in-attempts.ts";

export interface ProviderSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
}

/** Of one request to the provider, in seconds. */
const REQUEST_TIMEOUT = 4;
/** Of all the requests that one of ours needs, in milliseconds. */
const DEADLINE = 8000;
/** After which the provider is asked anew what it can do, in milliseconds. Its keys are looked after by the library. */
const DISCOVERY_LIFETIME = 60 * 60_000;

const SCOPE = "openid email profile";
/** Seconds that a proof may be old when somebody has to prove anew who they are. */
const PROOF_SECONDS = 5 * 60;

const text = z.string().min(1).optional().catch(undefined);
const profileSchema = z.object({
  email: text,
  email_verified: z.literal(true).optional().catch(undefined),
  name: text,
  preferred_username: text,
});

/**
 * An OpenID Connect provider, asked for the first time when somebody wants to sign in with it: the server starts and runs
 * whether it answers or not. `redirectUri` is where it sends browsers back to.
 */
export function createProvider(
  { issuer, clientId, clientSecret }: ProviderSettings,
  redirectUri: string,
  clock: Clock,
) {
  let known: { configuration: Promise<client.Configuration>; endsAt: number } | undefined;

  /** Throws `Unavailable`. */
  function discover(): Promise<client.Configuration> {
    if (known !== undefined && known.endsAt > clock.now()) return known.configuration;
    const configuration = client
      .discovery(new URL(issuer), clientId, undefined, secretAsWanted(clientSecret), {
        timeout: REQUEST_TIMEOUT,
        execute: [
          client.enableNonRepudiationChecks,
          ...(issuer.startsWith("http:") ? [client.allowInsecureRequests] : []),
        ],
      })
      .catch((error) => {
        known = undefined;
        throw noAnswer(error);
      });
    known = { configuration, endsAt: clock.now() + DISCOVERY_LIFETIME };
    return configuration;
  }

  /** Where the browser has to go. Throws `Unavailable`. */
  async function authorizationUrl({ state, nonce, verifier, isConfirmation }: SignInAttempt): Promise<string> {
    const configuration = await inTime(discover());
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: SCOPE,
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      ...(isConfirmation ? { prompt: "login", max_age: String(PROOF_SECONDS) } : {}),
    });
    return url.href;
  }

  /** Who the provider says has signed in; `query` is what the browser brought back. Throws a failure of any kind. */
  const redeem = (query: string, attempt: SignInAttempt): Promise<Identity> => inTime(identityOf(query, attempt));

  async function identityOf(
    query: string,
    { state, nonce, verifier, isConfirmation }: SignInAttempt,
  ): Promise<Identity> {
    const configuration = await discover();
    try {
      const tokens = await client.authorizationCodeGrant(configuration, new URL(redirectUri + query), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
        // A browser can leave out of the address what it was to ask for; `auth_time` cannot be left out.
        ...(isConfirmation ? { maxAge: PROOF_SECONDS } : {}),
      });
      const claims = tokens.claims();
      if (claims === undefined) throw untrustworthy(new Error("The answer has no ID token."));
      // A provider may keep the address out of the ID token, and give it to whom the user has let see it.
      const hasProfile = claims.email !== undefined || configuration.serverMetadata().userinfo_endpoint === undefined;
      const found = hasProfile ? claims : await client.fetchUserInfo(configuration, tokens.access_token, claims.sub);
      const profile = profileSchema.parse(found);
      return {
        issuer: claims.iss,
        subject: claims.sub,
        email: profile.email,
        isEmailVerified: profile.email_verified === true,
        name: profile.name,
        preferredUsername: profile.preferred_username,
      };
    } catch (error) {
      throw explain(error);
    }
  }

  return { authorizationUrl, redeem };
}

export type Provider = ReturnType<typeof createProvider>;

/** In the way that the provider takes; without a word of it that is the header (OpenID Connect Discovery §3). */
function secretAsWanted(clientSecret: string): client.ClientAuth {
  const asHeader = client.ClientSecretBasic(clientSecret);
  const inBody = client.ClientSecretPost(clientSecret);
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    const authenticate = methods.includes("client_secret_basic") ? asHeader : inBody;
    authenticate(server, ...rest);
  };
}

async function inTime<Result>(work: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(noAnswer(new Error(`No answer within ${DEADLINE} ms.`))), DEADLINE);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

const noAnswer = (cause: unknown) =>
  unavailable("The sign-in service does not answer as it should right now. Try again later.", {
    cause: withReason(cause),
  });

const untrustworthy = (cause: unknown) =>
  new Failure("Forbidden", "What the sign-in service answered cannot be verified, so nobody was signed in.", {
    cause: withReason(cause),
  });

/** The library keeps the reason, and what it is about, out of its messages. */
function withReason(error: unknown): Error {
  const parts: string[] = [];
  for (let at = error; at instanceof Error; at = at.cause) {
    const code = "error" in at ? at.error : "code" in at ? at.code : undefined;
    parts.push(typeof code === "string" ? `${at.message} (${code})` : at.message);
  }
  return new Error(parts.join(": ") || "unknown");
}

/** What the library says when the provider is broken or cannot be reached, rather than not to be believed. */
const BROKEN = ["OAUTH_TIMEOUT", "OAUTH_ABORT", "OAUTH_RESPONSE_IS_NOT_CONFORM", "OAUTH_RESPONSE_IS_NOT_JSON"];

function explain(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof client.AuthorizationResponseError) return refusal(error.error);
  if (error instanceof client.ResponseBodyError) {
    return error.error === "invalid_grant"
      ? invalid("The sign-in service does not take this sign-in any more: it is used up or too old.")
      : noAnswer(error);
  }
  const isVerdict = error instanceof client.ClientError && error.code?.startsWith("OAUTH_");
  return isVerdict && !BROKEN.includes(error.code ?? "") ? untrustworthy(error) : noAnswer(error);
}

function refusal(code: string): Failure {
  if (code === "access_denied") return forbidden("The sign-in was cancelled, or the sign-in service refused it.");
  // The codes of RFC 6749 and OpenID Connect look so; anything else is somebody's text and not to be shown.
  const reason = /^[a-z_]{1,40}$/.test(code) ? ` (${code})` : "";
  const sentence = `The sign-in service could not sign you in${reason}.`;
  return ["server_error", "temporarily_unavailable"].includes(code) ? unavailable(sentence) : forbidden(sentence);
}
