import { expect } from "bun:test";
import { createHash, randomBytes } from "node:crypto";
import type { OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";
import type { OAuthClientInformationMixed, OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";
import { z } from "zod";
import { connectAppRoute } from "../../../../src/contract/oauth/apps.ts";
import type { Service } from "../../../support/service.ts";
import { pageClient, signIn } from "../../../support/sessions.ts";

export const REDIRECT = "http://127.0.0.1:33418/callback";
const VERIFIER = randomBytes(32).toString("base64url");
const CHALLENGE = createHash("sha256").update(VERIFIER).digest("base64url");

export const tokensSchema = z.strictObject({
  access_token: z.string().regex(/^vtr_[0-9A-Za-z]{49}$/),
  token_type: z.literal("Bearer"),
  expires_in: z.number(),
  scope: z.string(),
  refresh_token: z.string().optional(),
});

export const deviceSchema = z.strictObject({
  device_code: z.string().min(40),
  user_code: z.string(),
  verification_uri: z.string(),
  verification_uri_complete: z.string(),
  expires_in: z.number(),
  interval: z.number(),
});

const refusalSchema = z.strictObject({ error: z.string(), error_description: z.string().min(1) });

/** Returns the status and the body of an error (RFC 6749, 5.2). */
export const refusalOf = async (response: Response) => ({
  status: response.status,
  ...refusalSchema.parse(await response.json()),
});

/** Returns what `refusalOf` has to find. */
export const refused = (status: number, error: string) => ({ status, error, error_description: expect.any(String) });

/** A program's memory, as the SDK of MCP wants it. */
export function createProvider(): OAuthClientProvider & { opened: URL | undefined; kept: OAuthTokens | undefined } {
  let client: OAuthClientInformationMixed | undefined;
  let verifier = "";
  return {
    opened: undefined,
    kept: undefined,
    redirectUrl: REDIRECT,
    clientMetadata: { client_name: "Test agent", redirect_uris: [REDIRECT], token_endpoint_auth_method: "none" },
    state: () => "a state",
    clientInformation: () => client,
    saveClientInformation: (saved) => {
      client = saved;
    },
    tokens() {
      return this.kept;
    },
    saveTokens(tokens) {
      this.kept = tokens;
    },
    redirectToAuthorization(url) {
      this.opened = url;
    },
    saveCodeVerifier: (saved) => {
      verifier = saved;
    },
    codeVerifier: () => verifier,
  };
}

/** Sends a form to an endpoint of programs. */
export const sendForm = (
  { baseUrl }: Pick<Service, "baseUrl">,
  path: string,
  fields: Readonly<Record<string, string | undefined>>,
  headers: Readonly<Record<string, string>> = {},
) =>
  fetch(baseUrl + path, {
    method: "POST",
    headers,
    body: new URLSearchParams(
      Object.entries(fields).flatMap(([name, value]): [string, string][] =>
        value === undefined ? [] : [[name, value]],
      ),
    ),
  });

/** Returns calls of a program and of the person in front of it. */
export function oauthActions(service: Service) {
  async function register(metadata: object = {}) {
    const response = await fetch(`${service.baseUrl}/-/oauth/register`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ client_name: "Agent", redirect_uris: [REDIRECT], ...metadata }),
    });
    return { response, answer: z.record(z.string(), z.unknown()).parse(await response.json()) };
  }

  async function person() {
    const user = await service.build.user();
    const cookie = await signIn(service, user);
    return { ...user, cookie, page: pageClient(service, cookie) };
  }
  type Person = Awaited<ReturnType<typeof person>>;

  const requestOf = (clientId: string, overrides: object = {}) => ({
    response_type: "code",
    client_id: clientId,
    redirect_uri: REDIRECT,
    code_challenge: CHALLENGE,
    code_challenge_method: "S256",
    state: "xyz",
    ...overrides,
  });

  async function allow(
    { page, slug }: Pick<Person, "page" | "slug">,
    clientId: string,
    overrides: object = {},
  ): Promise<URL> {
    const { url } = await page.call(connectAppRoute, {
      body: {
        request: requestOf(clientId, overrides),
        allow: true,
        owner: slug,
        scopes: ["reports:read", "reports:write"],
      },
    });
    return new URL(url);
  }

  const redeem = (
    clientId: string,
    code: string | null,
    overrides: Readonly<Record<string, string | undefined>> = {},
  ) =>
    sendForm(service, "/-/oauth/token", {
      grant_type: "authorization_code",
      client_id: clientId,
      code: code ?? "",
      redirect_uri: REDIRECT,
      code_verifier: VERIFIER,
      ...overrides,
    });

  const refresh = (clientId: string, token: string | undefined, overrides: Readonly<Record<string, string>> = {}) =>
    sendForm(service, "/-/oauth/token", {
      grant_type: "refresh_token",
      client_id: clientId,
      refresh_token: token,
      ...overrides,
    });

  /** Returns a program that a new user has connected. */
  async function connected() {
    const user = await person();
    const clientId = String((await register()).answer.client_id);
    const code = (await allow(user, clientId)).searchParams.get("code");
    const tokens = tokensSchema.parse(await (await redeem(clientId, code)).json());
    return { ...user, clientId, code, tokens };
  }

  const statusOf = async (token: string) =>
    (await fetch(`${service.baseUrl}/api/list`, { headers: { Authorization: `Bearer ${token}` } })).status;

  return { register, person, requestOf, allow, redeem, refresh, connected, statusOf };
}
