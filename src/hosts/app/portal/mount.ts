import { join } from "node:path";
import type { Hono } from "hono";
import type { Addresses } from "../../../domain/links.ts";
import type { Random } from "../../../domain/ports.ts";
import type { FindSession } from "../../session-cookie.ts";
import type { Environment } from "../mount.ts";
import { missing, scriptedResponse, signInOrRefuse } from "../page-responses.ts";
import { API_DOCS_PATH, apiDocsPage } from "./api-docs.ts";
import { ASSETS_PATH, findPortal, type PortalBundle } from "./bundle.ts";
import { portalPage, portalPolicy } from "./page.ts";

interface Parts {
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

/** The portal's pages, which are one page, and its parts. */
export function mountPortal(app: Hono<Environment>, { addresses, random, findSession }: Parts): void {
  let bundling: Promise<PortalBundle> | undefined;

  function bundle(): Promise<PortalBundle> {
    // What failed once is tried again.
    bundling ??= findPortal().catch((error) => {
      bundling = undefined;
      throw error;
    });
    return bundling;
  }

  app.get(`${ASSETS_PATH}:name`, async (context) => {
    const { directory, manifest } = await bundle();
    const name = context.req.param("name");
    if (!manifest.files.includes(name)) return missing();
    return assetResponse(directory, name, context.req.header("accept-encoding") ?? "");
  });

  app.get(API_DOCS_PATH, async () => {
    const { manifest } = await bundle();
    return scriptedResponse(random, (nonce) => apiDocsPage(manifest, nonce));
  });

  app.get("/-/*", async (context) => {
    const { pathname, search } = new URL(context.req.url);
    const session = await findSession(context.req.raw.headers);
    if (session === undefined) return signInOrRefuse(context.req.raw.headers, addresses.baseUrl, pathname + search);
    const { manifest } = await bundle();
    return scriptedResponse(
      random,
      (nonce) => portalPage(manifest, nonce),
      (nonce) => portalPolicy(nonce, addresses),
    );
  });
}

/** The name changes with the content, so it may be kept for ever. */
async function assetResponse(directory: string, name: string, accepted: string): Promise<Response> {
  const headers = new Headers({
    "Content-Type": ASSET_TYPES[name.split(".").at(-1) ?? ""] ?? "application/octet-stream",
    "Cache-Control": "public, max-age=31536000, immutable",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
    Vary: "Accept-Encoding",
  });
  const encoding = /\bbr\b/.test(accepted) ? "br" : /\bgzip\b/.test(accepted) ? "gzip" : undefined;
  if (encoding !== undefined) headers.set("Content-Encoding", encoding);
  const suffix = encoding === undefined ? "" : encoding === "br" ? ".br" : ".gz";
  return new Response(Bun.file(join(directory, name + suffix)), { headers });
}
