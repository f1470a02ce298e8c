import { SCOPES, type Scope } from "../model/entities.ts";
import { quote } from "../model/quote.ts";
import type { Clients } from "./clients.ts";
import type { Client } from "./ports.ts";
import { matchesRedirect } from "./redirects.ts";
import { Refusal } from "./refusal.ts";

/** The path of the protected resource beside the API: the MCP endpoint. */
export const MCP_PATH = "/mcp";

/** The parameters of an authorization request, as they came. */
export interface RequestParameters {
  response_type?: string | undefined;
  client_id?: string | undefined;
  redirect_uri?: string | undefined;
  code_challenge?: string | undefined;
  code_challenge_method?: string | undefined;
  scope?: string | undefined;
  resource?: string | undefined;
  state?: string | undefined;
}

/** A valid request of a program for a user's permission. */
export interface AuthorizationRequest {
  client: Client;
  redirectUri: string;
  challenge: string;
  /** The scopes to offer. */
  scopes: readonly Scope[];
  /** Whether the program named the scopes itself. */
  namesScopes: boolean;
  resource: string;
  state: string | undefined;
}

const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;
const STATE_CHARACTERS = 2000;

/** Creates the reader of authorization requests (RFC 6749 §4.1.1, RFC 7636, RFC 8707). */
export function createRequestReader({ clients, baseUrl }: { clients: Pick<Clients, "find">; baseUrl: string }) {
  /** Returns the request. Throws `Refusal`. */
  return async function read(parameters: RequestParameters): Promise<AuthorizationRequest> {
    if (!parameters.client_id) throw new Refusal("invalid_request", "client_id is missing.");
    const client = await clients.find(parameters.client_id);
    const redirectUri = readRedirect(parameters.redirect_uri, client);
    if (parameters.response_type !== "code")
      throw new Refusal("unsupported_response_type", "response_type must be code.");
    const challenge = readChallenge(parameters);
    if ((parameters.state?.length ?? 0) > STATE_CHARACTERS)
      throw new Refusal("invalid_request", `state must have at most ${STATE_CHARACTERS} characters.`);
    const scopes = readScopes(parameters.scope);
    return {
      client,
      redirectUri,
      challenge,
      scopes: scopes ?? SCOPES,
      namesScopes: scopes !== undefined,
      resource: readResource(parameters.resource, baseUrl),
      state: parameters.state,
    };
  };
}

/** Returns the address to bring the answer to. Throws `Refusal` unless the program registered it. */
function readRedirect(requested: string | undefined, { redirectUris }: Client): string {
  const [first, ...others] = redirectUris;
  const uri = requested ?? (others.length === 0 ? first : undefined);
  if (uri === undefined) throw new Refusal("invalid_request", "redirect_uri is missing.");
  if (redirectUris.some((registered) => matchesRedirect(registered, uri))) return uri;
  throw new Refusal(
    "invalid_request",
    `redirect_uri ${quote(uri)} isn't one that the app registered. Connect the app again.`,
  );
}

function readChallenge({ code_challenge: challenge = "", code_challenge_method: method }: RequestParameters): string {
  if (method === "S256" && CHALLENGE.test(challenge)) return challenge;
  throw new Refusal(
    "invalid_request",
    "code_challenge is missing or isn't valid. The app has to use PKCE with code_challenge_method S256.",
  );
}

/** Returns the known ones of the requested scopes; undefined if the request names none. Throws `Refusal`. */
export function readScopes(scope: string | undefined): Scope[] | undefined {
  const requested = (scope ?? "").split(" ").filter((name) => name !== "");
  if (requested.length === 0) return undefined;
  // Programs also ask for scopes of other servers, such as offline_access.
  const known = SCOPES.filter((name) => requested.includes(name));
  if (known.length === 0)
    throw new Refusal("invalid_scope", `scope has none of the scopes of this server: ${SCOPES.join(" ")}.`);
  return known;
}

/** Returns the resource that tokens will be for. Throws `Refusal` if it isn't this server. */
export function readResource(resource: string | undefined, baseUrl: string): string {
  if (resource === undefined || resource === "") return baseUrl + MCP_PATH;
  const plain = resource.endsWith("/") ? resource.slice(0, -1) : resource;
  if (plain === baseUrl || plain === baseUrl + MCP_PATH) return plain;
  throw new Refusal("invalid_target", `resource ${quote(resource)} isn't this server. Use ${baseUrl}${MCP_PATH}.`);
}
