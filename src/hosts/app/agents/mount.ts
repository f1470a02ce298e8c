import type { Hono } from "hono";
import { compressedText } from "../../http/compression.ts";
import type { Environment } from "../mount.ts";
import { agentsGuide, agentsIndex, GUIDE_PATH, INDEX_PATH } from "./guide.ts";

type HeadersWith = (extra: Record<string, string>) => Record<string, string>;

/** Serves what agents read before they have an access token. */
export function mountAgentPages(
  app: Hono<Environment>,
  { baseUrl, headersWith }: { baseUrl: string; headersWith: HeadersWith },
): void {
  const serve = (path: string, type: string, text: string) =>
    app.get(path, ({ req }) => {
      const headers = headersWith({
        "Content-Type": `${type}; charset=utf-8`,
        "Cache-Control": "public, max-age=3600",
      });
      return compressedText(req.raw.headers, text, { status: 200, headers: new Headers(headers) });
    });
  serve(GUIDE_PATH, "text/markdown", agentsGuide(baseUrl));
  serve(INDEX_PATH, "text/plain", agentsIndex(baseUrl));
}
