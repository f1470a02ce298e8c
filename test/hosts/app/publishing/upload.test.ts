import { beforeAll, expect } from "bun:test";
import type { ResponseOf } from "../../../../src/contract/model/route.ts";
import { uploadRoute } from "../../../../src/contract/publishing/publish.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { type Scenario, testScenarios } from "../../../support/scenarios.ts";
import { buildUpload, publishReport, uniqueName, useService } from "../../../support/service.ts";

type Answer = ResponseOf<typeof uploadRoute>;
const MEBIBYTE = 1024 * 1024;
const index = (content = "<title>T</title>") => ({ path: "index.html", content });

describeOneEngine("upload", (engine) => {
  const service = useService({ engine });
  let token: string;
  let free: string;

  beforeAll(async () => {
    token = (await service.build.user({ slug: "ada" })).token;
    free = (await service.build.user({ plan: "free" })).token;
  });

  const accepted = (name: string, upload: () => object, check: (answer: Answer) => void | Promise<void>): Scenario => ({
    name,
    request: () => ({ token, body: upload() }),
    status: 200,
    check,
  });
  const refused = (name: string, status: number, error: string | RegExp, body: () => unknown): Scenario => ({
    name,
    request: () => ({ token, body: body() }),
    status,
    error,
  });

  testScenarios(() => service, uploadRoute, [
    accepted(
      "a private unnamed report",
      () => buildUpload(),
      (answer) => {
        expect(answer).toMatchObject({ owner: "ada", visibility: "private", warnings: [] });
        expect(answer.url).toBe(`${service.baseUrl}/${answer.code}/`);
        expect(Object.keys(answer)).not.toContain("nameUrl");
        expect(Date.now() - Date.parse(answer.created_at)).toBeLessThan(60_000);
      },
    ),
    accepted(
      "a public named report",
      () => buildUpload({ name: "public-group", visibility: "public" }),
      (answer) => {
        expect(answer.url).toBe(`${service.contentUrl}/${answer.code}/`);
        expect(answer.nameUrl).toBe(`${service.contentUrl}/@ada/public-group/`);
      },
    ),
    accepted(
      "a named report for the organization",
      () => buildUpload({ name: "org-group", visibility: "org" }),
      (answer) => {
        expect(answer.url).toBe(`${service.contentUrl}/${answer.code}/`);
        expect(answer.nameUrl).toBe(`${service.contentUrl}/@ada/org-group/`);
        expect(answer.warnings).toEqual([expect.stringMatching(/^visibility "org" .* you are in no organization\./)]);
      },
    ),
    accepted(
      "a private named report",
      () => buildUpload({ name: "private-group" }),
      (answer) => {
        expect(answer.nameUrl).toBe(`${service.baseUrl}/private-group/`);
      },
    ),
    accepted(
      "a new version keeps its report's visibility",
      () => buildUpload({ name: "public-group", visibility: "private" }),
      (answer) => {
        expect(answer).toMatchObject({ visibility: "public" });
        expect(answer.warnings).toEqual([expect.stringContaining("visibility")]);
      },
    ),
    accepted(
      "storage in memory, which removes the warning",
      () => buildUpload({ storage: "memory", files: [index("<script>localStorage.a; caches</script>")] }),
      ({ warnings }) => expect(warnings).toEqual([expect.stringMatching(/^index\.html line 1: caches /)]),
    ),
    accepted(
      "explicitly no storage",
      () => buildUpload({ storage: "none", files: [index("<script>localStorage.a</script>")] }),
      ({ warnings }) => expect(warnings).toEqual([expect.stringContaining('publish with storage "memory"')]),
    ),
    accepted(
      "null for every optional field",
      () => ({
        ...buildUpload({ files: [{ ...index(), encoding: null }] }),
        ...{ name: null, owner: null, title: null, folder: null, visibility: null, storage: null },
      }),
      (answer) => {
        expect(answer).toMatchObject({ owner: "ada", visibility: "private", warnings: [] });
        expect(Object.keys(answer)).not.toContain("name");
      },
    ),
    refused("null for a field that is required", 400, "files must be an array", () => ({ files: null })),
    refused("another storage", 400, "storage", () => ({ ...buildUpload(), storage: "disk" })),
    accepted(
      "100 files of at most 10 MB each",
      () =>
        buildUpload({
          files: [
            index(),
            { path: "big.txt", content: "x".repeat(10 * MEBIBYTE) },
            ...Array.from({ length: 98 }, (_, n) => ({ path: `f${n}`, content: "" })),
          ],
        }),
      () => undefined,
    ),
    refused("101 files", 400, "files must have at most 100", () =>
      buildUpload({
        files: [index(), ...Array.from({ length: 100 }, (_, n) => ({ path: `f${n}`, content: "" }))],
      }),
    ),
    refused("a file over 10 MB", 413, "10 MB", () =>
      buildUpload({ files: [index(), { path: "a", content: "x".repeat(10 * MEBIBYTE + 1) }] }),
    ),
    refused("a base64 file over 10 MB", 413, "10 MB", () =>
      buildUpload({
        files: [
          index(),
          { path: "a", content: Buffer.alloc(10 * MEBIBYTE + 1).toString("base64"), encoding: "base64" },
        ],
      }),
    ),
    refused("a body over 20 MB", 413, "20 MB", () => JSON.stringify(buildUpload()) + " ".repeat(20 * MEBIBYTE)),
    refused("invalid JSON", 400, "isn't valid JSON", () => "{"),
    refused("invalid UTF-8", 400, "isn't valid JSON", () => new Uint8Array([0x22, 0xff, 0x22])),
    refused("no object", 400, "JSON object", () => "[]"),
    refused("no files", 400, "files is required", () => ({})),
    refused("empty files", 400, "files must have at least 1", () => ({ files: [] })),
    refused("no index.html", 400, "index.html", () => ({ files: [{ path: "a.html", content: "" }] })),
    refused("two index.html", 400, /files\[1\].path repeats/, () => ({ files: [index(), index()] })),
    refused("a path with a slash", 400, /files\[1\].path/, () => ({ files: [index(), { path: "a/b", content: "" }] })),
    refused("a path of 256 characters", 400, "files[1].path has 256 characters. The limit is 255.", () => ({
      files: [index(), { path: "a".repeat(256), content: "" }],
    })),
    refused("a path of two dots", 400, /files\[1\].path/, () => ({ files: [index(), { path: "..", content: "" }] })),
    refused("an unknown encoding", 400, /files\[0\].encoding must be utf-8 or base64, not "/, () => ({
      files: [{ ...index(), encoding: "hex" }],
    })),
    refused("invalid base64", 400, /files\[0\].content isn't valid base64/, () => ({
      files: [{ path: "index.html", content: "a", encoding: "base64" }],
    })),
    refused("a lone surrogate", 400, /files\[0\].content has a lone surrogate/, () => ({ files: [index("\ud800")] })),
    refused("a name with capitals", 400, /^name ".*" isn't valid/, () => buildUpload({ name: "Sales" })),
    refused("a name of 64 characters", 400, /^name ".*" isn't valid/, () => buildUpload({ name: "a".repeat(64) })),
    refused("a title of 301 characters", 400, "title must have at most 300 characters", () =>
      buildUpload({ title: "é".repeat(301) }),
    ),
    refused("an unknown visibility", 400, /^visibility must be /, () => ({
      ...buildUpload(),
      visibility: "secret",
    })),
    {
      name: "without a token",
      request: () => ({ body: buildUpload() }),
      status: 401,
      error: "requires an access token",
    },
    {
      name: "with an unknown token",
      request: () => ({ token: "vtr_x", body: buildUpload() }),
      status: 401,
      error: "isn't valid",
    },
    {
      name: "with a read-only token",
      request: async () => ({
        token: await service.build.token({ userSlug: "ada", scopes: ["reports:read"] }),
        body: buildUpload(),
      }),
      status: 403,
      error: "doesn't have the scope reports:write",
    },
    {
      name: "a name of another user",
      request: async () => ({ token: (await service.build.user()).token, body: buildUpload({ name: "public-group" }) }),
      status: 409,
      error: 'The name "public-group" is taken',
    },
    {
      name: "to an organization of the token's user",
      request: async () => {
        const { slug, owner } = await service.build.organization();
        const personal = await service.build.token({ userSlug: owner.slug });
        return { token: personal, body: buildUpload({ owner: slug, name: uniqueName() }) };
      },
      status: 200,
      check: ({ owner, url }: Answer) => {
        expect(owner).toMatch(/^org-/);
        expect(url).toStartWith(service.baseUrl);
      },
    },
    {
      name: "to an organization on the free plan, by a user on the pro plan",
      request: async () => {
        const { slug, owner } = await service.build.organization({ plan: "free" });
        const personal = await service.build.token({ userSlug: owner.slug });
        const files = [index(), { path: "a.css", content: "" }];
        return { token: personal, body: buildUpload({ owner: slug, files }) };
      },
      status: 403,
      error: "single index.html",
    },
    refused("to an unknown workspace", 404, /^Workspace ".*" not found/, () => buildUpload({ owner: "nobody" })),
    {
      name: "assets on the free plan",
      request: () => ({ token: free, body: buildUpload({ files: [index(), { path: "a.css", content: "" }] }) }),
      status: 403,
      error: "single index.html",
    },
    {
      name: "over 1 MB on the free plan",
      request: () => ({ token: free, body: buildUpload({ files: [index("x".repeat(MEBIBYTE + 1))] }) }),
      status: 413,
      error: "1 MB",
    },
    {
      name: "a second version on the free plan",
      request: async () => {
        const name = uniqueName();
        await publishReport(service.client(free), { name });
        return { token: free, body: buildUpload({ name }) };
      },
      status: 403,
      error: "free plan allows one version",
    },
  ]);
});
