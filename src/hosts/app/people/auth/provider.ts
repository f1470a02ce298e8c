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

/** The timeout of one request to the provider, in seconds. */
const REQUEST_TIMEOUT = 4;
/** The timeout of all provider requests for one request of ours, in milliseconds. */
const DEADLINE = 8000;
/** How long the provider's metadata is cached, in milliseconds. The library caches its keys. */
const DISCOVERY_LIFETIME = 60 * 60_000;

const SCOPE = "openid email profile";
/** The maximum age of a sign-in that confirms an identity, in seconds. */
const PROOF_SECONDS = 5 * 60;

const text = z.string().min(1).optional().catch(undefined);
const profileSchema = z.object({
  email: text,
  email_verified: z.literal(true).optional().catch(undefined),
  name: text,
  preferred_username: text,
});

/**
 * Creates a client of an OpenID Connect provider. It connects on the first sign-in, so the server also starts while the
 * provider is down. The provider sends browsers back to `redirectUri`.
 */
export function createProvider(
  { issuer, clientId, clientSecret }: ProviderSettings,
  redirectUri: string,
  { clock, traceHeaders }: { clock: Clock; traceHeaders(): Readonly<Record<string, string>> },
) {
  const fetchTraced: client.CustomFetch = (url, { headers, ...options }) =>
    fetch(url, { ...options, headers: { ...headers, ...traceHeaders() } });

  let known: { configuration: Promise<client.Configuration>; endsAt: number } | undefined;

  /** Returns the provider's metadata. Throws `Unavailable`. */
  function discover(): Promise<client.Configuration> {
    if (known !== undefined && known.endsAt > clock.now()) return known.configuration;
    const configuration = client
      .discovery(new URL(issuer), clientId, undefined, clientAuthentication(clientSecret), {
        timeout: REQUEST_TIMEOUT,
        [client.customFetch]: fetchTraced,
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

  /** Returns the URL to send the browser to. Throws `Unavailable`. */
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

  /** Returns the identity that the provider confirmed. `query` is from the callback's address. Throws a `Failure`. */
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
        // The user can remove `prompt` from the address, so `auth_time` is checked too.
        ...(isConfirmation ? { maxAge: PROOF_SECONDS } : {}),
      });
      const claims = tokens.claims();
      if (claims === undefined) throw unverifiable(new Error("The response has no ID token."));
      // Some providers return the email address only from the userinfo endpoint.
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

/** Sends the client secret as the provider supports it, by default in the header (OpenID Connect Discovery §3). */
function clientAuthentication(clientSecret: string): client.ClientAuth {
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
    timer = setTimeout(() => reject(noAnswer(new Error(`No response within ${DEADLINE} ms.`))), DEADLINE);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

const noAnswer = (cause: unknown) =>
  unavailable("The sign-in service isn't responding correctly. Try again later.", {
    cause: withReason(cause),
  });

const unverifiable = (cause: unknown) =>
  new Failure(
    "Forbidden",
    "The sign-in service's response can't be verified. Try again, or contact your administrator.",
    {
      cause: withReason(cause),
    },
  );

/** Returns an error whose message includes the causes, which the library keeps separate. */
function withReason(error: unknown): Error {
  const parts: string[] = [];
  for (let at = error; at instanceof Error; at = at.cause) {
    const code = "error" in at ? at.error : "code" in at ? at.code : undefined;
    parts.push(typeof code === "string" ? `${at.message} (${code})` : at.message);
  }
  return new Error(parts.join(": ") || "unknown");
}

/** The library's codes for a provider that is broken or unreachable, as opposed to a response that fails verification. */
const BROKEN = ["OAUTH_TIMEOUT", "OAUTH_ABORT", "OAUTH_RESPONSE_IS_NOT_CONFORM", "OAUTH_RESPONSE_IS_NOT_JSON"];

function explain(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof client.AuthorizationResponseError) return refusal(error.error);
  if (error instanceof client.ResponseBodyError) {
    return error.error === "invalid_grant"
      ? invalid("This sign-in has expired or was already used. Sign in again.")
      : noAnswer(error);
  }
  const isVerdict = error instanceof client.ClientError && error.code?.startsWith("OAUTH_");
  return isVerdict && !BROKEN.includes(error.code ?? "") ? unverifiable(error) : noAnswer(error);
}

function refusal(code: string): Failure {
  if (code === "access_denied")
    return forbidden("The sign-in was cancelled, or the sign-in service rejected it. Try again.");
  // Shows only codes in the format of RFC 6749 and OpenID Connect, because anyone can put text into the address.
  const reason = /^[a-z_]{1,40}$/.test(code) ? ` (${code})` : "";
  const sentence = `The sign-in service couldn't sign you in${reason}. Try again later.`;
  return ["server_error", "temporarily_unavailable"].includes(code) ? unavailable(sentence) : forbidden(sentence);
}
