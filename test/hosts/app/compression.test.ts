import { beforeAll, describe, expect, test } from "bun:test";
import { routes } from "../../../src/contract/index.ts";
import type { Route } from "../../../src/contract/model/route.ts";
import { ENCODINGS } from "../../../src/hosts/http/encodings.ts";
import { publishFiles } from "../../support/content.ts";
import { uniqueName, useService } from "../../support/service.ts";
import { signIn } from "../../support/sessions.ts";
import { actionsOf } from "./actions.ts";

describe("compression on the application host", () => {
  const service = useService();
  const act = actionsOf(service);
  let name: string;
  let versions: string[];
  let code: string;
  let cookie: string;
  let slug: string;

  beforeAll(async () => {
    const user = await service.build.user();
    slug = user.slug;
    name = uniqueName();
    versions = await act.publishVersions(user.token, name, 8, { visibility: "private" });
    const files = Object.fromEntries(Array.from({ length: 20 }, (_, number) => [`file-${number}.txt`, `${number}`]));
    code = await publishFiles(service, user.token, files, { visibility: "private" });
    cookie = await signIn(service, user);
    for (let number = 0; number < 5; number++) await signIn(service, user);
  });

  const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    fetch(service.baseUrl + path, {
      method,
      headers: { Cookie: cookie, "Accept-Encoding": "identity", ...headers },
      redirect: "manual",
    });

  const compressible: readonly (readonly [path: () => string, type: string, accept?: string])[] = [
    [() => `/api/group?name=${name}`, "application/json"],
    [() => `/api/item/versions?name=${name}`, "application/json"],
    [() => "/api/list", "application/json"],
    [() => "/api/openapi.json", "application/json"],
    [() => `/api/audit/export?owner=${slug}`, "application/jsonl"],
    [() => "/-/", "text/html; charset=utf-8", "text/html"],
    [() => "/-/docs", "text/html; charset=utf-8", "text/html"],
  ];

  describe.each(compressible.map((each) => [each[0].toString().slice(6), ...each] as const))(
    "of %s",
    (_, path, type, accept = "*/*") => {
      /** Leaves out what differs between two responses. */
      const stable = (text: string) => text.replaceAll(/nonce="[^"]*"( content="[^"]*")?/g, "");

      const isStream = /list|group|export/.test(path.toString());
      test.each(ENCODINGS.filter((each) => !isStream || each !== "br"))("with %s", async (encoding) => {
        const plain = await get(path(), { Accept: accept });
        expect(plain.status).toBe(200);
        expect(plain.headers.get("content-encoding")).toBeNull();
        expect(plain.headers.get("vary")).toBe("Accept-Encoding");
        const response = await get(path(), { Accept: accept, "Accept-Encoding": encoding });
        expect(response.headers.get("content-encoding")).toBe(encoding);
        expect(response.headers.get("content-type")).toStartWith(type);
        expect(response.headers.get("vary")).toBe("Accept-Encoding");
        expect(stable(await response.text())).toBe(stable(await plain.text()));
        const head = await get(path(), { Accept: accept, "Accept-Encoding": encoding }, "HEAD");
        expect([head.status, head.headers.get("content-encoding")]).toEqual([200, encoding]);
        // RFC 9110 §8.6: a length must be that of the body which GET would send.
        if (isStream) expect(head.headers.get("content-length")).toBeNull();
        else if (type === "application/json")
          expect(head.headers.get("content-length")).toBe(response.headers.get("content-length"));
        expect(await head.text()).toBe("");
      });
    },
  );

  /** Reads a route's response, of which more than 1 KB isn't compressed. */
  async function expectUncompressed(id: string, query: string): Promise<void> {
    const route: Route | undefined = routes.find((each) => each.id === id);
    expect(route?.hasSecrets).toBe(true);
    const response = await get(`${route?.path}?${query}`, { "Accept-Encoding": "zstd, br, gzip" });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-encoding")).toBeNull();
    expect((await response.bytes()).length).toBeGreaterThan(1024);
  }

  test("leaves out tickets", async () => {
    await expectUncompressed("report", `code=${code}`);
    await expectUncompressed("previews", versions.map((version) => `code=${version}`).join("&"));
    const shell = await get(`/${code}/`, { Accept: "text/html", "Accept-Encoding": "zstd, br, gzip" });
    expect(shell.headers.get("content-encoding")).toBeNull();
    expect(await shell.text()).toContain("/~1.");
    const live = await get(`/${name}/`, { Accept: "text/html", "Accept-Encoding": "zstd, br, gzip" });
    expect(live.headers.get("content-encoding")).toBeNull();
    expect(await live.text()).toContain("/~1.");
  });

  test("leaves out sessions", () => expectUncompressed("sessions", ""));

  test("leaves out requests of other sites", async () => {
    const response = await get("/api/list", { "Accept-Encoding": "zstd", "Sec-Fetch-Site": "cross-site" });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-encoding")).toBeNull();
  });
});
