import { SCOPES } from "../../../domain/model/entities.ts";
import { MCP_PATH } from "../../../domain/oauth/requests.ts";

/** Where programs find each endpoint of OAuth. No report can have these addresses. */
export const OAUTH_PATHS = {
  resource: "/.well-known/oauth-protected-resource",
  server: "/.well-known/oauth-authorization-server",
  authorize: "/-/oauth/authorize",
  token: "/-/oauth/token",
  register: "/-/oauth/register",
  revoke: "/-/oauth/revoke",
  device: "/-/oauth/device",
  devicePage: "/-/device",
} as const;

/** The grant type of devices (RFC 8628 §3.4). */
export const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

/** Returns the metadata of the protected resource at a path of this host (RFC 9728). */
export const resourceMetadata = (baseUrl: string, path: "" | typeof MCP_PATH) => ({
  resource: baseUrl + path,
  resource_name: "Vitrine",
  authorization_servers: [baseUrl],
  scopes_supported: SCOPES,
  bearer_methods_supported: ["header"],
  resource_documentation: `${baseUrl}/-/docs`,
});

/** Returns the metadata of the authorization server (RFC 8414). All clients are public and use PKCE. */
export const serverMetadata = (baseUrl: string) => ({
  issuer: baseUrl,
  authorization_endpoint: baseUrl + OAUTH_PATHS.authorize,
  token_endpoint: baseUrl + OAUTH_PATHS.token,
  registration_endpoint: baseUrl + OAUTH_PATHS.register,
  revocation_endpoint: baseUrl + OAUTH_PATHS.revoke,
  device_authorization_endpoint: baseUrl + OAUTH_PATHS.device,
  scopes_supported: SCOPES,
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: ["authorization_code", "refresh_token", DEVICE_GRANT],
  token_endpoint_auth_methods_supported: ["none"],
  revocation_endpoint_auth_methods_supported: ["none"],
  code_challenge_methods_supported: ["S256"],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
  service_documentation: `${baseUrl}/-/docs`,
});

/** Returns the header that tells a program without a valid token where to get one (RFC 9728 §5.1). */
export function challengeFor(baseUrl: string, hasToken: boolean): string {
  const error = hasToken ? 'error="invalid_token", ' : "";
  return `Bearer ${error}resource_metadata="${baseUrl}${OAUTH_PATHS.resource}${MCP_PATH}", scope="reports:read reports:write"`;
}
