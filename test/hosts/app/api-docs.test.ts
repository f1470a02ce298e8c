import { describe, expect, test } from "bun:test";
import { useService } from "../../support/service.ts";
import { signIn } from "../../support/sessions.ts";

const SCRIPT = /src="(\/-\/assets\/api-docs-[^"]+\.js)"/;

describe("the API reference", () => {
  const service = useService();

  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(service.baseUrl + path, { headers: { Accept: "text/html", ...headers }, redirect: "manual" });

  test("is public, with a policy that allows only the page's own resources", async () => {
    const response = await get("/-/docs");
    expect(response.status).toBe(200);
    const [, nonce] = /<script nonce="([^"]+)"/.exec(await response.text()) ?? [];
    expect(response.headers.get("content-security-policy")?.split("; ")).toEqual([
      "default-src 'none'",
      `script-src 'nonce-${nonce}'`,
      `style-src 'nonce-${nonce}'`,
      "img-src 'self' data:",
      "font-src 'self'",
      "connect-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ]);
    expect(response.headers.get("cross-origin-opener-policy")).toBe("same-origin");
    expect(response.headers.get("x-frame-options")).toBe("DENY");
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  test("its script is cached forever and compressed", async () => {
    const [, script = ""] = SCRIPT.exec(await (await get("/-/docs")).text()) ?? [];
    const response = await fetch(service.baseUrl + script, { headers: { "Accept-Encoding": "br" }, decompress: false });
    expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(response.headers.get("content-encoding")).toBe("br");
    expect((await response.arrayBuffer()).byteLength).toBeLessThan(1_200_000);
  });

  test("the portal doesn't load it", async () => {
    const cookie = await signIn(service, await service.build.user());
    const html = await (await get("/-/", { Cookie: cookie })).text();
    expect(html).toContain("/-/assets/");
    expect(html).not.toContain("api-docs");
  });
});
