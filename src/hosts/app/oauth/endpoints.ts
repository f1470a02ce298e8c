import type { Context, Hono } from "hono";
import { Failure } from "../../../domain/model/failure.ts";
import type { Addresses } from "../../../domain/model/links.ts";
import { readDocument } from "../../../domain/oauth/clients.ts";
import type { IssuedTokens } from "../../../domain/oauth/grants.ts";
import { Refusal } from "../../../domain/oauth/refusal.ts";
import { MCP_PATH } from "../../../domain/oauth/requests.ts";
import type { Services } from "../../../domain/services.ts";
import type { Log } from "../../../observability/log.ts";
import { parseJson, type ReadBody } from "../../http/body.ts";
import { isJson } from "../../http/body-types.ts";
import { describeFailure } from "../../http/failures.ts";
import { allowEverySite, OPEN_CORS } from "../../http/open-cors.ts";
import type { Environment } from "../mount.ts";
import type { OAuthLimit } from "./limit.ts";
import { DEVICE_GRANT, OAUTH_PATHS, resourceMetadata, serverMetadata } from "./metadata.ts";

const BODY_BYTES = 16 * 1024;

interface Dependencies {
  oauth: Services["oauth"];
  oauthLimit: OAuthLimit;
  readBody: ReadBody;
  addresses: Addresses;
  log: Log;
}

const POSTED: readonly string[] = [OAUTH_PATHS.token, OAUTH_PATHS.register, OAUTH_PATHS.revoke, OAUTH_PATHS.device];

/** Returns whether a path is an endpoint of programs, which ignores cookies. */
export const isForOAuth = ({ path }: { path: string }): boolean => POSTED.includes(path);

type Form = (name: string) => string | undefined;

/** Mounts what programs call to get access tokens: metadata, registration, tokens, device codes, revocation. */
export function mountOAuth(app: Hono<Environment>, dependencies: Dependencies): void {
  const { oauth, oauthLimit, readBody, log } = dependencies;
  const { baseUrl } = dependencies.addresses;
  const { clients, grants, devices } = oauth;

  const documents: Readonly<Record<string, object>> = {
    [OAUTH_PATHS.resource]: resourceMetadata(baseUrl, ""),
    [OAUTH_PATHS.resource + MCP_PATH]: resourceMetadata(baseUrl, MCP_PATH),
    [OAUTH_PATHS.server]: serverMetadata(baseUrl),
  };
  for (const [path, document] of Object.entries(documents)) {
    app.get(path, () => Response.json(document, { headers: OPEN_CORS }));
    app.options(path, () => allowEverySite("GET"));
  }
  // Programs look for metadata at several addresses, and some give up unless the others don't exist.
  app.all("/.well-known/*", () =>
    Response.json({ error: "Nothing is published at this address." }, { status: 404, headers: OPEN_CORS }),
  );

  /** Mounts an endpoint that answers in the form of OAuth, also if it fails. */
  function post(path: string, handle: (context: Context<Environment>) => Promise<Response>): void {
    app.post(path, (context) => handle(context).catch((error) => refused(context, error)));
    app.options(path, () => allowEverySite("POST"));
    app.all(path, ({ req }) =>
      oauthError("invalid_request", `${req.method} isn't supported here. Use POST.`, 405, { Allow: "POST" }),
    );
  }

  function refused(context: Context<Environment>, error: unknown): Response {
    if (error instanceof Refusal)
      return oauthError(error.code, error.message, error.code === "invalid_client" ? 401 : 400);
    const { status, message, headers } = describeFailure(error, context.get("requestId"), log);
    const isOurs = !(error instanceof Failure) || error.kind === "Unavailable";
    return oauthError(isOurs ? "server_error" : "invalid_request", message, status, headers);
  }

  /** Reads the fields of a form (RFC 6749 §3.2). Throws `Refusal` if a field is there twice. */
  async function readForm({ req }: Context<Environment>): Promise<Form> {
    const type = req.header("content-type") ?? "";
    if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type))
      throw new Refusal("invalid_request", "Content-Type must be application/x-www-form-urlencoded.");
    const fields = new URLSearchParams(new TextDecoder().decode(await readBody(req.raw, BODY_BYTES)));
    for (const name of fields.keys())
      if (fields.getAll(name).length > 1)
        throw new Refusal("invalid_request", `${name.slice(0, 100)} occurs more than once.`);
    return (name) => fields.get(name) || undefined;
  }

  post(OAUTH_PATHS.register, async ({ req, env }) => {
    if (!isJson(req.header("content-type") ?? ""))
      throw new Refusal("invalid_client_metadata", "Content-Type must be application/json.");
    await oauthLimit.count("registration", env.address);
    const client = await clients.register(readDocument(parseJson(await readBody(req.raw, BODY_BYTES))));
    const registered = {
      client_id: client.id,
      client_name: client.name,
      redirect_uris: client.redirectUris,
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    };
    return answer(registered, 201);
  });

  post(OAUTH_PATHS.token, async (context) => {
    const form = await readForm(context);
    const issued = await issue(form);
    return answer(tokenResponse(issued));
  });

  async function issue(form: Form): Promise<IssuedTokens> {
    const common = { client_id: form("client_id"), resource: form("resource") };
    switch (form("grant_type")) {
      case "authorization_code":
        return grants.redeemCode({
          ...common,
          code: form("code"),
          redirect_uri: form("redirect_uri"),
          code_verifier: form("code_verifier"),
        });
      case "refresh_token":
        return grants.refresh({ ...common, refresh_token: form("refresh_token"), scope: form("scope") });
      case DEVICE_GRANT:
        return devices.poll(form("client_id"), form("device_code"));
      case undefined:
        throw new Refusal("invalid_request", "grant_type is missing.");
      default:
        throw new Refusal(
          "unsupported_grant_type",
          "grant_type must be authorization_code, refresh_token or a device code.",
        );
    }
  }

  post(OAUTH_PATHS.device, async (context) => {
    const form = await readForm(context);
    await oauthLimit.count("device", context.env.address);
    const begun = await devices.begin({
      clientId: form("client_id"),
      scope: form("scope"),
      name: form("device_name"),
    });
    return answer({
      device_code: begun.deviceCode,
      user_code: begun.userCode,
      verification_uri: begun.page,
      verification_uri_complete: begun.pageWithCode,
      expires_in: begun.expiresIn / 1000,
      interval: begun.pause / 1000,
    });
  });

  post(OAUTH_PATHS.revoke, async (context) => {
    const form = await readForm(context);
    const token = form("token");
    if (token === undefined) throw new Refusal("invalid_request", "token is missing.");
    await grants.revokeByToken(form("client_id"), token);
    await devices.revokeByToken(form("client_id"), token);
    return answer({});
  });
}

const NO_STORE = { ...OPEN_CORS, "Cache-Control": "no-store", Pragma: "no-cache" };

const answer = (body: object, status = 200) => Response.json(body, { status, headers: NO_STORE });

const oauthError = (error: string, description: string, status: number, headers: Record<string, string> = {}) =>
  Response.json({ error, error_description: description }, { status, headers: { ...NO_STORE, ...headers } });

const tokenResponse = ({ accessToken, refreshToken, expiresIn, scopes }: IssuedTokens) => ({
  access_token: accessToken,
  token_type: "Bearer",
  expires_in: expiresIn / 1000,
  scope: scopes.join(" "),
  ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
});
