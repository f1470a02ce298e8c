import type { Hono } from "hono";
import type { Addresses } from "../../../domain/model/links.ts";
import type { Random } from "../../../domain/model/ports.ts";
import { compressedText } from "../../http/compression.ts";
import { missing, scriptedResponse, signInOrRefuse } from "../../http/page-responses.ts";
import type { FindSession } from "../../http/session-cookie.ts";
import type { Environment } from "../mount.ts";
import { API_DOCS_PATH, apiDocsPage } from "./api-docs.ts";
import { ASSETS_PATH, type Portal } from "./files.ts";
import { firstReadsOf } from "./first-reads.ts";
import { portalPage, portalPolicy } from "./page.ts";

interface PortalDependencies {
  portal: Portal;
  addresses: Addresses;
  random: Random;
  findSession: FindSession;
}

const ASSET_TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  woff2: "font/woff2",
};

/** Mounts the portal, whose paths all serve one page, and its files. */
export function mountPortal(
  app: Hono<Environment>,
  { portal, addresses, random, findSession }: PortalDependencies,
): void {
  const { manifest } = portal;

  app.get(`${ASSETS_PATH}:name`, async (context) =>
    assetResponse(portal, context.req.param("name"), context.req.header("accept-encoding") ?? ""),
  );

  app.get(API_DOCS_PATH, ({ req }) =>
    compressed(
      req.raw.headers,
      scriptedResponse(random, (nonce) => apiDocsPage(manifest, nonce)),
    ),
  );

  app.get("/-/*", async (context) => {
    const { pathname, search } = new URL(context.req.url);
    const session = await findSession(context.req.raw.headers);
    if (session === undefined) return signInOrRefuse(context.req.raw.headers, addresses.baseUrl, pathname + search);
    const page = scriptedResponse(
      random,
      (nonce) => portalPage(manifest, nonce, firstReadsOf(pathname, search)),
      (nonce) => portalPolicy(nonce, addresses),
    );
    return compressed(context.req.raw.headers, page);
  });
}

/** Compresses a page whose only secret is its nonce, which is of no use for another page. */
const compressed = async (request: Headers, page: Response): Promise<Response> =>
  compressedText(request, await page.text(), page);

/** Returns a built file. Browsers can cache it indefinitely, because its name changes with its content. */
async function assetResponse(portal: Portal, name: string, accepted: string): Promise<Response> {
  const asset = await portal.readAsset(name, accepted);
  if (asset === undefined) return missing();
  const headers = new Headers({
    "Content-Type": ASSET_TYPES[name.split(".").at(-1) ?? ""] ?? "application/octet-stream",
    "Cache-Control": "public, max-age=31536000, immutable",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
    Vary: "Accept-Encoding",
  });
  if (asset.encoding !== undefined) headers.set("Content-Encoding", asset.encoding);
  return new Response(asset.bytes, { headers });
}
