import { beforeAll, describe, expect, test } from "bun:test";
import { zstdDecompressSync } from "node:zlib";
import { accountRoute } from "../../../src/contract/people/account.ts";
import { itemRoute, itemVersionsRoute, reportRoute } from "../../../src/contract/reports/details.ts";
import { listRoute } from "../../../src/contract/reports/lists.ts";
import { groupRoute } from "../../../src/contract/reports/named-reports.ts";
import { setStorageRoute } from "../../../src/contract/reports/settings.ts";
import { STAND_IN_SCRIPT } from "../../../src/html/stand-in-script.ts";
import { bearer, type Got, publishFiles, read, until } from "../../support/content.ts";

import { publishReport, uniqueName, useService } from "../../support/service.ts";

const BODY = `<html><head><title>Stored</title>${"<p>line of text</p>".repeat(100)}`;
const PAGE = `<!doctype html>${BODY}`;
const WITH_STAND_IN = PAGE.replace("<head>", `<head>${STAND_IN_SCRIPT}`);
const VARY = "Sec-Fetch-Dest, Upgrade-Insecure-Requests";

/** Headers of browsers that load a page. */
const PAGE_LOADS: readonly Record<string, string>[] = [
  ...["document", "iframe", "frame", "embed", "object"].map((place) => ({ "Sec-Fetch-Dest": place })),
  { "Upgrade-Insecure-Requests": "1" },
];
const OTHERS: readonly Record<string, string>[] = [
  {},
  { "Sec-Fetch-Dest": "empty" },
  { "Sec-Fetch-Dest": "script", "Upgrade-Insecure-Requests": "1" },
  { Accept: "text/html" },
];

describe.each(["when it was published", "later", "once more"] as const)("a version that got storage %s", (when) => {
  const service = useService();
  let token: string;
  let code: string;

  beforeAll(async () => {
    ({ token } = await service.build.user());
    code = await publishFiles(
      service,
      token,
      { "index.html": PAGE, "more.htm": "<p>more", "data.json": "{}", "icon.svg": "<svg/>" },
      { storage: when === "later" ? "none" : "memory" },
    );
    if (when === "when it was published") return;
    const load = { "Sec-Fetch-Dest": "document" };
    const set = (storage: "none" | "memory") =>
      service.client(token).call(setStorageRoute, { body: { code, storage } });
    if (when === "once more") await set("none");
    // The server remembers the version without storage.
    expect(textOf(await read(service, `/${code}/`, load))).toBe(PAGE);
    await set("memory");
  });

  const textOf = ({ body }: Got) => body.toString();

  test.each(PAGE_LOADS)("has a stand-in when a browser opens it: %j", async (headers) => {
    const got = await read(service, `/${code}/`, headers);
    expect(textOf(got)).toBe(WITH_STAND_IN);
    expect(got.headers.get("vary")).toBe(`Accept-Encoding, ${VARY}`);
    expect(got.headers.get("content-security-policy")).toContain("frame-ancestors");
    expect(got.headers.get("content-type")).toBe("text/html;charset=utf-8");
    expect(textOf(await read(service, `/${code}/more.htm`, headers))).toBe(`${STAND_IN_SCRIPT}<p>more`);
  });

  test.each(OTHERS)("is returned as uploaded to other readers: %j", async (headers) => {
    const got = await read(service, `/${code}/`, headers);
    expect(textOf(got)).toBe(PAGE);
    expect(got.headers.get("vary")).toBe(`Accept-Encoding, ${VARY}`);
  });

  test("is returned as uploaded to readers with a token, with any headers", async () => {
    for (const headers of PAGE_LOADS) {
      expect(textOf(await read(service, `/${code}/`, { ...headers, ...bearer(token) }))).toBe(PAGE);
    }
    const report = await service.client(token).call(reportRoute, { query: { code } });
    expect(report).toMatchObject({ storage: "memory", size: PAGE.length + 7 + 2 + 6 });
    expect(report.files.map(({ path }) => path)).toEqual(["index.html", "more.htm", "data.json", "icon.svg"]);
  });

  test("has no stand-in in other files", async () => {
    for (const path of ["data.json", "icon.svg"]) {
      const got = await read(service, `/${code}/${path}`, { "Sec-Fetch-Dest": "document" });
      expect(got.body.toString()).not.toContain("script");
      expect(got.headers.get("vary")).toBe("Accept-Encoding");
    }
    for (const path of ["~index.html", "%7Eindex.html", "~more.htm"]) {
      expect((await read(service, `/${code}/${path}`, { "Sec-Fetch-Dest": "document" })).status).toBe(404);
    }
  });

  test("each form has a different tag, and caches can distinguish them", async () => {
    const load = { "Sec-Fetch-Dest": "document" };
    const [plain, standIn] = [await read(service, `/${code}/`), await read(service, `/${code}/`, load)];
    const tags = [plain, standIn].map(({ headers }) => headers.get("etag") ?? "");
    expect(new Set(tags).size).toBe(2);
    for (const [mine, own] of [
      [{}, tags[0]],
      [load, tags[1]],
    ] as const) {
      for (const tag of tags) {
        const { status, headers } = await read(service, `/${code}/`, { ...mine, "If-None-Match": tag });
        expect(status).toBe(tag === own ? 304 : 200);
        expect(headers.get("etag")).toBe(own ?? "");
        expect(headers.get("vary")).toBe(`Accept-Encoding, ${VARY}`);
      }
    }
  });

  test("HEAD and ranges refer to the served form", async () => {
    const load = { "Sec-Fetch-Dest": "iframe" };
    const head = await read(service, `/${code}/`, load, "HEAD");
    expect(head.headers.get("content-length")).toBe(String(WITH_STAND_IN.length));
    const plain = await read(service, `/${code}/`, {}, "HEAD");
    expect(plain.headers.get("content-length")).toBe(String(PAGE.length));
    const range = { Range: "bytes=20-59" };
    const part = await read(service, `/${code}/`, { ...load, ...range });
    expect(part).toMatchObject({ status: 206, body: Buffer.from(WITH_STAND_IN.slice(20, 60)) });
    expect(part.headers.get("content-range")).toBe(`bytes 20-59/${WITH_STAND_IN.length}`);
    expect(textOf(await read(service, `/${code}/`, range))).toBe(PAGE.slice(20, 60));
    const old = { ...load, ...range, "If-Range": plain.headers.get("etag") ?? "" };
    expect(await read(service, `/${code}/`, old)).toMatchObject({ status: 200, body: Buffer.from(WITH_STAND_IN) });
  });

  test("is compressed like any file", async () => {
    const compressed = (headers: Record<string, string>) =>
      until(async () => {
        const got = await read(service, `/${code}/`, { ...headers, "Accept-Encoding": "zstd" });
        return got.headers.get("content-encoding") === "zstd" ? zstdDecompressSync(got.body).toString() : undefined;
      });
    expect(await compressed({ "Sec-Fetch-Dest": "document" })).toBe(WITH_STAND_IN);
    expect(await compressed({})).toBe(PAGE);
  });

  test("is shown wherever the version is listed, and doesn't count towards storage", async () => {
    const client = service.client((await service.build.user()).token);
    const name = uniqueName();
    await publishReport(client, { name });
    const before = (await client.call(accountRoute)).workspaces[0]?.stored_bytes ?? 0;
    await publishReport(client, { name, storage: "memory" });
    expect((await client.call(accountRoute)).workspaces[0]?.stored_bytes).toBe(2 * before);
    const { versions } = await client.call(groupRoute, { query: { name } });
    expect(versions.map(({ storage }) => storage)).toEqual(["memory", "none"]);
    const page = await client.call(itemVersionsRoute, { query: { name } });
    expect(page.versions.map(({ storage, file_count }) => [storage, file_count])).toEqual([
      ["memory", 1],
      ["none", 1],
    ]);
    expect(await client.call(itemRoute, { query: { name } })).toMatchObject({ storage: "memory" });
    expect((await client.call(listRoute)).groups).toMatchObject([{ name, storage: "memory" }]);
  });
});
