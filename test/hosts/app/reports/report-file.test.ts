import { beforeAll, describe, expect, test } from "bun:test";
import { downloadFileRoute } from "../../../../src/contract/reports/details.ts";
import { FILE_BYTES } from "../../../../src/domain/model/limits.ts";
import { publishFiles } from "../../../support/content.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { addOrganization } from "../../../support/people.ts";
import { type Person, readersOf } from "../../../support/readers.ts";
import { failureSchema } from "../../../support/scenarios.ts";
import { useService } from "../../../support/service.ts";
import { pageClient, signIn } from "../../../support/sessions.ts";
import { actionsOf, statusOf } from "../actions.ts";
import { casesOf, testCases } from "../cases.ts";

const fileCase = casesOf<typeof downloadFileRoute>();

/** Returns unpredictable bytes that aren't text. */
function bytesOf(length: number, seed: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  for (let place = 0, state = seed; place < length; place++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    bytes[place] = state >>> 16;
  }
  return bytes;
}

/** Bytes of the largest file that is read in one piece. Tests use sizes around it. */
const READ_AT_ONCE = 1024 ** 2;
const SIZES = [0, 1, 1024, 1024 ** 2 - 1, 1024 ** 2, 1024 ** 2 + 1, FILE_BYTES];

describeOneEngine("a report's file", (engine) => {
  const service = useService({ engine });
  const act = actionsOf(service);
  let owner: Person;

  beforeAll(async () => {
    owner = await readersOf(service).person();
  });

  const publish = (files: Parameters<typeof publishFiles>[2], details: Parameters<typeof publishFiles>[3] = {}) =>
    publishFiles(service, owner.token, files, { visibility: "private", ...details });
  const addressOf = (code: string, path: string) =>
    `${service.baseUrl}${downloadFileRoute.path}?code=${code}&path=${encodeURIComponent(path)}`;
  const get = (code: string, path: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
    fetch(addressOf(code, path), { headers: { Cookie: owner.cookie, ...headers }, ...init });

  describe("is unchanged", () => {
    test.each(SIZES)("%d bytes, between two other files", async (size) => {
      const files = { "a.bin": bytesOf(7, 1), "wanted.bin": bytesOf(size, 2), "z.bin": bytesOf(9, 3) };
      const code = await publish(files);
      const response = await get(code, "wanted.bin");
      // Files from S3 that come in several pieces are sent in chunks.
      const length = service.bucket !== undefined && size > READ_AT_ONCE ? null : String(size);
      expect([response.status, response.headers.get("content-length")]).toEqual([200, length]);
      expect(Buffer.compare(await response.bytes(), files["wanted.bin"])).toBe(0);
      const head = await get(code, "wanted.bin", {}, { method: "HEAD" });
      expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([200, length, ""]);
    });

    test("uncompressed, and without ranges", async () => {
      const content = "p { color: teal }\n".repeat(1000);
      const code = await publish({ "a.css": content });
      for (const headers of [{ "Accept-Encoding": "gzip, br, zstd" }, { Range: "bytes=0-3" }]) {
        const response = await get(code, "a.css", headers);
        expect([response.status, response.headers.get("content-encoding")]).toEqual([200, null]);
        expect(await response.text()).toBe(content);
      }
    });

    test("through the typed client", async () => {
      const code = await publish({ "a.bin": bytesOf(3_000_000, 5) });
      const client = pageClient(service, owner.cookie);
      const response = await client.download(downloadFileRoute, { query: { code, path: "a.bin" } });
      expect(Buffer.compare(await response.bytes(), bytesOf(3_000_000, 5))).toBe(0);
      expect(await statusOf(client.download(downloadFileRoute, { query: { code, path: "none" } }))).toBe(404);
    });

    test("while the server answers other requests", async () => {
      const code = await publish({ "a.bin": bytesOf(FILE_BYTES, 6) });
      let isOver = false;
      const downloads = Promise.all(
        Array.from({ length: 10 }, async () => (await (await get(code, "a.bin")).bytes()).length),
      ).finally(() => {
        isOver = true;
      });
      await (await fetch(`${service.baseUrl}/api/config`)).text();
      expect(isOver).toBe(false);
      expect(new Set(await downloads)).toEqual(new Set([FILE_BYTES]));
    });
  });

  /** Creates a member's private and shared report in an organization with signed-in people. */
  async function shared(visibility: "org" | "private") {
    const { slug, member, owner: governor, stranger, join } = await addOrganization(service);
    await join(stranger, "member");
    const token = await service.build.token({ userSlug: member.slug, workspaceSlug: slug });
    const code = await publishFiles(service, token, { "a.txt": "ours" }, { visibility });
    return { code, cookie: await signIn(service, stranger), governor: await signIn(service, governor) };
  }
  const wanted = (code: string, path = "a.txt") => ({ query: { code, path } });
  const isOurs = (answer: Uint8Array) => expect(new TextDecoder().decode(answer)).toBe("ours");
  const mine = () => publish({ "a.txt": "ours" });

  testCases(() => service, downloadFileRoute, [
    ...(["public", "org", "private"] as const).flatMap((visibility) => [
      fileCase({
        name: `the user's own ${visibility} report, in a session`,
        given: () => publish({ "a.txt": "ours" }, { visibility }),
        request: (code) => ({ headers: { Cookie: owner.cookie }, ...wanted(code) }),
        status: 200,
        check: isOurs,
      }),
      fileCase({
        name: `the user's own ${visibility} report, with a token`,
        given: () => publish({ "a.txt": "ours" }, { visibility }),
        request: (code) => ({ token: owner.token, ...wanted(code) }),
        status: 200,
        check: isOurs,
      }),
      fileCase({
        name: `another user's ${visibility} report`,
        given: async () => {
          const code = await publish({ "a.txt": "ours" }, { visibility });
          return { code, token: (await service.build.user()).token };
        },
        request: ({ code, token }) => ({ token, ...wanted(code) }),
        status: 404,
        error: /^Version ".*" not found/,
      }),
    ]),
    fileCase({
      name: "a colleague's shared report",
      given: () => shared("org"),
      request: ({ code, cookie }) => ({ headers: { Cookie: cookie }, ...wanted(code) }),
      status: 200,
      check: isOurs,
    }),
    fileCase({
      name: "a colleague's private report",
      given: () => shared("private"),
      request: ({ code, cookie }) => ({ headers: { Cookie: cookie }, ...wanted(code) }),
      status: 404,
      error: /^Version ".*" not found/,
    }),
    fileCase({
      name: "a member's private report, to an owner",
      given: () => shared("private"),
      request: ({ code, governor }) => ({ headers: { Cookie: governor }, ...wanted(code) }),
      status: 200,
      check: isOurs,
    }),
    fileCase({
      name: "a colleague's report that was shared and is withdrawn",
      given: async () => {
        const { slug, member, stranger, join } = await addOrganization(service);
        await join(stranger, "member");
        const token = await service.build.token({ userSlug: member.slug, workspaceSlug: slug });
        const code = await publishFiles(service, token, { "a.txt": "ours" }, { visibility: "public" });
        expect((await get(code, "a.txt", { Cookie: await signIn(service, stranger) })).status).toBe(200);
        await act.setVisibility(token, { code, visibility: "private" });
        return { code, cookie: await signIn(service, stranger) };
      },
      request: ({ code, cookie }) => ({ headers: { Cookie: cookie }, ...wanted(code) }),
      status: 404,
      error: /^Version ".*" not found/,
    }),
    fileCase({
      name: "a missing file",
      given: mine,
      request: (code) => ({ token: owner.token, ...wanted(code, "b.txt") }),
      status: 404,
      error: /^File ".*" not found in version/,
    }),
    fileCase({
      name: "a path that leads elsewhere",
      given: mine,
      request: (code) => ({ token: owner.token, ...wanted(code, "../../vitrine.db") }),
      status: 404,
      error: /^File ".*" not found in version/,
    }),
    fileCase({
      name: "a path with a line break",
      given: mine,
      request: (code) => ({ token: owner.token, ...wanted(code, "a.txt\r\nSet-Cookie: x=y") }),
      status: 404,
      error: /^File ".*" not found in version/,
    }),
    fileCase({
      name: "a deleted report",
      given: async () => {
        const code = await mine();
        await act.deleteCode(owner.token, code);
        return code;
      },
      request: (code) => ({ token: owner.token, ...wanted(code) }),
      status: 404,
      error: /^Version ".*" not found/,
    }),
    fileCase({
      name: "no path",
      given: mine,
      request: (code) => ({ token: owner.token, query: { code } }),
      status: 400,
      error: "path is required",
    }),
    fileCase({
      name: "two paths",
      given: mine,
      request: (code) => ({ token: owner.token, query: { code, path: ["a.txt", "index.html"] } }),
      status: 400,
      error: "occurs more than once",
    }),
    fileCase({
      name: "a delete-only token",
      given: async () => ({
        code: await mine(),
        token: await service.build.token({ userSlug: owner.slug, scopes: ["reports:delete"] }),
      }),
      request: ({ token, code }) => ({ token, ...wanted(code) }),
      status: 403,
      error: "reports:read",
    }),
    fileCase({ name: "no credentials", given: mine, request: (code) => wanted(code), status: 401 }),
  ]);

  describe("to a browser", () => {
    test.each(["index.html", "a.svg", "a.js", "Weird._-name", "-", "..txt"])(
      "%s is cacheable bytes, and never a page, script or image",
      async (path) => {
        const code = await publish({ [path]: "<script>alert(1)</script>" });
        const { headers } = await get(code, path);
        expect(Object.fromEntries(headers)).toMatchObject({
          "content-type": "application/octet-stream",
          "content-disposition": `attachment; filename="${path}"`,
          "x-content-type-options": "nosniff",
          "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
          "cross-origin-resource-policy": "same-origin",
          "cache-control": "no-store",
        });
      },
    );

    test.each(["https://evil.example", "null"])("a page of %s can't read it", async (origin) => {
      const code = await mine();
      for (const path of ["a.txt", "none"]) {
        const { headers } = await get(code, path, { Origin: origin, "Sec-Fetch-Site": "cross-site" });
        expect(headers.get("access-control-allow-origin")).toBeNull();
        expect(headers.get("access-control-allow-credentials")).toBeNull();
        expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
      }
    });

    test("a page of the content host can't request it with a token", async () => {
      const response = await fetch(addressOf(await mine(), "a.txt"), {
        method: "OPTIONS",
        headers: { Origin: service.contentUrl, "Access-Control-Request-Headers": "authorization" },
      });
      expect(response.status).toBe(405);
      expect(response.headers.get("access-control-allow-headers")).toBeNull();
      failureSchema.parse(await response.json());
    });
  });
});
