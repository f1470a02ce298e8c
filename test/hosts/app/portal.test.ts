import { beforeAll, describe, expect, test } from "bun:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { findBuilt } from "../../../src/hosts/app/portal/bundle.ts";
import { useService } from "../../support/service.ts";
import { signIn } from "../../support/sessions.ts";

describe("the portal's page and assets", () => {
  const service = useService();
  let cookie: string;

  beforeAll(async () => {
    cookie = await signIn(service, await service.build.user());
  });

  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(service.baseUrl + path, { headers: { Accept: "text/html", ...headers }, redirect: "manual" });

  async function partsOf(path: string): Promise<string[]> {
    const html = await (await get(path, { Cookie: cookie })).text();
    return [...html.matchAll(/(?:src|href)="(\/-\/assets\/[^"]+)"/g)].map(([, part = ""]) => part);
  }

  test.each(["/-/", "/-/w/ada", "/-/r/weekly-sales?tab=files", "/-/account/tokens", "/-/no-such-page"])(
    "%s is the portal for signed-in users",
    async (path) => {
      const response = await get(path, { Cookie: cookie });
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(await response.text()).toContain('<div id="portal"></div>');
    },
  );

  test.each(["/-/", "/-/w/ada?q=a%26b", "/-/r/weekly-sales"])("%s sends visitors to sign-in and back", async (path) => {
    const response = await get(path);
    expect(response.status).toBe(302);
    expect(response.headers.get("location")).toBe(`${service.baseUrl}/-/sign-in?next=${encodeURIComponent(path)}`);
  });

  test("its policy allows the page's own scripts and styles, its own host, and frames of published pages", async () => {
    const response = await get("/-/", { Cookie: cookie });
    const [, nonce] = /<script nonce="([^"]+)"/.exec(await response.text()) ?? [];
    const policy = response.headers.get("content-security-policy")?.split("; ");
    expect(policy).toEqual([
      "default-src 'none'",
      `script-src 'nonce-${nonce}'`,
      `worker-src ${service.baseUrl}/-/assets/`,
      `style-src 'nonce-${nonce}'`,
      "img-src 'self' data:",
      "font-src 'self'",
      `connect-src 'self' ${service.baseUrl.replace("http", "ws")}`,
      `frame-src ${service.contentUrl}/`,
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ]);
    expect(response.headers.get("x-frame-options")).toBe("DENY");
    expect(response.headers.get("cross-origin-opener-policy")).toBe("same-origin");
    expect(response.headers.get("cross-origin-resource-policy")).toBe("same-origin");
  });

  test("the page that shows the design is in no build outside development", async () => {
    const path = "/-/design";
    expect((await get(path)).headers.get("location")).toBe(`${service.baseUrl}/-/sign-in?next=%2F-%2Fdesign`);
    expect(await partsOf(path)).toEqual(await partsOf("/-/"));
    const place = await findBuilt();
    expect(place).toBeDefined();
    const manifest = await Bun.file(place?.manifest ?? "").json();
    expect(manifest.files.length).toBeGreaterThan(10);
    expect(manifest).not.toHaveProperty("design");
    expect(manifest.files.filter((name: string) => name.startsWith("design"))).toEqual([]);
  });

  test("each page has a new nonce", async () => {
    const nonceOf = async () => /nonce="([^"]+)"/.exec(await (await get("/-/", { Cookie: cookie })).text())?.[1];
    expect(await nonceOf()).not.toBe(await nonceOf());
  });

  test("its assets are cached forever, and compressed as the browser accepts", async () => {
    const parts = await partsOf("/-/");
    expect(parts.map((part) => part.split(".").at(-1)).sort()).toContain("css");
    expect(parts.map((part) => part.split(".").at(-1)).sort()).toContain("js");
    for (const part of parts) {
      const [plain, brotli, gzip] = await Promise.all(
        ["identity", "gzip, br", "gzip"].map(async (accepted) => {
          const headers = { "Accept-Encoding": accepted };
          const response = await fetch(service.baseUrl + part, { headers, decompress: false });
          return { headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
        }),
      );
      const bytes = plain?.bytes ?? Buffer.of();
      expect(bytes.length).toBeGreaterThan(1_000);
      expect(plain?.headers.get("content-encoding")).toBeNull();
      expect(brotli?.headers.get("content-encoding")).toBe("br");
      expect(gzip?.headers.get("content-encoding")).toBe("gzip");
      expect(brotliDecompressSync(brotli?.bytes ?? "").equals(bytes)).toBe(true);
      expect(gunzipSync(gzip?.bytes ?? "").equals(bytes)).toBe(true);
      expect(plain?.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      expect(plain?.headers.get("x-content-type-options")).toBe("nosniff");
      expect(plain?.headers.get("vary")).toBe("Accept-Encoding");
    }
  });

  test("the first load stays small: at most 260 KB of scripts and 60 KB of styles, compressed", async () => {
    const sizes = { js: 0, css: 0 };
    for (const part of await partsOf("/-/")) {
      const response = await fetch(service.baseUrl + part, {
        headers: { "Accept-Encoding": "br" },
        decompress: false,
      });
      sizes[part.endsWith(".css") ? "css" : "js"] += (await response.arrayBuffer()).byteLength;
    }
    expect(sizes.js).toBeGreaterThan(50_000);
    expect(sizes.js).toBeLessThanOrEqual(260_000);
    expect(sizes.css).toBeGreaterThan(5_000);
    expect(sizes.css).toBeLessThanOrEqual(60_000);
  });

  test.each(["/-/assets/none.js", "/-/assets/manifest.json", "/-/assets/..%2Fmanifest.json"])(
    "%s doesn't exist",
    async (path) => {
      expect((await get(path, { Cookie: cookie })).status).toBe(404);
    },
  );
});
