import { beforeAll, describe, expect, test } from "bun:test";
import { brotliCompressSync } from "node:zlib";
import { reportRoute } from "../../../src/contract/reports/details.ts";
import { setVisibilityRoute } from "../../../src/contract/reports/visibility.ts";
import { STAND_IN_SCRIPT } from "../../../src/html/stand-in-script.ts";
import { bearer, type Got, publishFiles, read } from "../../support/content.ts";
import { type Person, readersOf } from "../../support/readers.ts";
import { useService } from "../../support/service.ts";

const PAGE = "<!doctype html><html><head><title>Ours</title><p>Hello";
const SCRIPT =
  /<script data-picture="(\/~framed\/picture-[0-9a-z]+\.js)" data-review="(\/~framed\/review-[0-9a-z]+\.js)">(.*?)<\/script>/;
const IN_FRAME = { "Sec-Fetch-Dest": "iframe" };
const SANDBOX =
  /^sandbox allow-scripts allow-forms allow-modals allow-popups allow-popups-to-escape-sandbox allow-downloads allow-pointer-lock(;|$)/;

/** Longer than what is kept in memory, so that it streams. */
const LONG = `${PAGE}${"<p>line of text</p>".repeat(120_000)}`;
/** Kept as it was sent, from the second time on. */
const MEDIUM = LONG.slice(0, 300_000);

describe("a report framed by the portal", () => {
  const service = useService();
  let owner: Person;
  let code: string;
  let secret: string;

  const FILES = {
    "index.html": PAGE,
    "more.htm": "<p>more",
    "long.html": LONG,
    "medium.html": MEDIUM,
    "comment.html": `<!--${"x".repeat(100_000)}--><!doctype html><p>after a comment`,
    "data.json": "{}",
    "page.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
    "page.xhtml": "<html xmlns='http://www.w3.org/1999/xhtml'><head><title>X</title></head><body/></html>",
    "wide.html": Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(PAGE, "utf16le")]),
  };

  beforeAll(async () => {
    owner = await readersOf(service).person();
    code = await publishFiles(service, owner.token, FILES);
    secret = await publishFiles(service, owner.token, FILES, { visibility: "private" });
  });

  const textOf = ({ body }: Got) => body.toString();
  const framed = (path: string, headers: Record<string, string> = IN_FRAME) =>
    read(service, `/~framed/${code}/${path}`, headers);

  /** Returns where the portal frames a version. */
  async function sourceOf(of: string): Promise<string> {
    const response = await fetch(`${service.baseUrl}/api/report?code=${of}`, { headers: { Cookie: owner.cookie } });
    const { preview_url } = reportRoute.response.parse(await response.json());
    return (preview_url ?? "").slice(service.contentUrl.length);
  }

  test("has one more script, before its own, and is the same otherwise", async () => {
    const got = await framed("");
    const [tag = ""] = SCRIPT.exec(textOf(got)) ?? [];
    expect(textOf(got)).toBe(PAGE.replace("<head>", `<head>${tag}`));
    expect(got.headers.get("content-type")).toBe("text/html;charset=utf-8");
    expect(got.headers.get("content-security-policy")).toMatch(SANDBOX);
    expect(got.headers.get("content-security-policy")).toContain(
      `frame-ancestors ${service.baseUrl} ${service.contentUrl}`,
    );
    expect(textOf(await framed("more.htm"))).toBe(`${tag}<p>more`);
    expect(textOf(await framed("comment.html"))).toContain(`--><!doctype html>${tag}<p>after`);
    expect((await framed("wide.html")).body).toEqual(
      Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(PAGE.replace("<head>", `<head>${tag}`), "utf16le")]),
    );
  });

  test("has it also if the page is long, whatever encoding the browser takes", async () => {
    const [tag = ""] = SCRIPT.exec(textOf(await framed(""))) ?? [];
    for (const [path, page] of [
      ["medium.html", MEDIUM],
      ["medium.html", MEDIUM],
      ["medium.html", MEDIUM],
      ["long.html", LONG],
    ] as const) {
      const wanted = Bun.hash(page.replace("<head>", `<head>${tag}`));
      for (const encodings of ["identity", "gzip", "gzip, deflate, br, zstd"]) {
        const response = await fetch(`${service.contentUrl}/~framed/${code}/${path}`, {
          headers: { ...IN_FRAME, "Accept-Encoding": encodings },
        });
        expect(response.headers.get("content-encoding") ?? "identity").toBe(encodings.split(", ").at(-1) ?? "");
        expect(Bun.hash(await response.text())).toBe(wanted);
      }
    }
  });

  test("runs before the stand-in for storage", async () => {
    const stored = await publishFiles(service, owner.token, { "index.html": PAGE }, { storage: "memory" });
    const text = textOf(await read(service, `/~framed/${stored}/`, IN_FRAME));
    const [tag = ""] = SCRIPT.exec(text) ?? [];
    expect(text).toBe(PAGE.replace("<head>", `<head>${tag}${STAND_IN_SCRIPT}`));
  });

  test("has no script in other files, and none for readers that don't show the page", async () => {
    for (const path of ["data.json", "page.svg", "page.xhtml"] as const) {
      expect(textOf(await framed(path))).toBe(String(FILES[path]));
    }
    for (const headers of [{}, { "Sec-Fetch-Dest": "empty" }, { ...IN_FRAME, Range: "bytes=0-" }]) {
      expect(textOf(await framed("", headers))).toBe(PAGE);
    }
    expect(textOf(await framed("index.html?download"))).toBe(PAGE);
    expect(textOf(await framed("?a=1&download=1"))).toBe(PAGE);
  });

  test("is byte for byte as published everywhere else", async () => {
    for (const headers of [{}, IN_FRAME, { "Sec-Fetch-Dest": "document" }, bearer(owner.token)]) {
      expect(textOf(await read(service, `/${code}/`, headers))).toBe(PAGE);
      expect(textOf(await read(service, `/${code}/long.html`, headers))).toBe(LONG);
    }
  });

  test("leaves the frame when a browser opens it in a tab", async () => {
    const tab = { "Sec-Fetch-Dest": "document" };
    for (const [path, target] of [
      ["", ""],
      ["?a=1", "?a=1"],
      ["more.htm", "more.htm"],
    ]) {
      const got = await framed(path ?? "", tab);
      expect([got.status, got.headers.get("location")]).toEqual([302, `/${code}/${target}`]);
    }
    const ticketed = await read(service, await sourceOf(secret), tab);
    expect([ticketed.status, ticketed.headers.get("location")]).toEqual([302, `${service.baseUrl}/${secret}/`]);
    expect(textOf(await framed("data.json", tab))).toBe("{}");
  });

  test("opens with a ticket if it is private, and with none otherwise", async () => {
    expect(await sourceOf(code)).toBe(`/~framed/${code}/`);
    const source = await sourceOf(secret);
    expect(source).toMatch(/^\/~framed\/~1\.[^/]+\//);
    const got = await read(service, source, IN_FRAME);
    expect(textOf(got)).toMatch(SCRIPT);
    expect(got.headers.get("cache-control")).toBe("private, no-store");
    expect(textOf(await read(service, `${source}data.json`))).toBe("{}");
    const ticket = source.split("/")[2] ?? "";
    for (const path of [`/~framed/${secret}/`, `/~framed/${ticket}x/${secret}/`, `/~framed/~1/${secret}/`]) {
      expect((await read(service, path, IN_FRAME)).status).toBe(404);
    }
    // A ticket opens one version only.
    const other = await publishFiles(service, owner.token, FILES, { visibility: "private" });
    expect((await read(service, `/~framed/${ticket}/${other}/`, IN_FRAME)).status).toBe(404);
  });

  test("is closed with its visibility", async () => {
    const made = await publishFiles(service, owner.token, FILES);
    expect((await read(service, `/~framed/${made}/`, IN_FRAME)).status).toBe(200);
    await service.client(owner.token).call(setVisibilityRoute, { body: { code: made, visibility: "private" } });
    expect((await read(service, `/~framed/${made}/`, IN_FRAME)).status).toBe(404);
  });

  test.each(["", "nothing", "~framed/", "index.html", "review-0.js", "../", "%2e%2e/", "~1.1.1.1/"])(
    "has no page at /~framed/%s",
    async (path) => {
      expect((await read(service, `/~framed/${path}`, IN_FRAME)).status).toBe(404);
    },
  );

  test("is revalidated, and HEAD answers like GET", async () => {
    const [page, plain] = [await framed(""), await framed("", {})];
    const etag = page.headers.get("etag") ?? "";
    expect(etag).not.toBe(plain.headers.get("etag"));
    expect(page.headers.get("vary")).toContain("Sec-Fetch-Dest");
    expect((await framed("", { ...IN_FRAME, "If-None-Match": etag })).status).toBe(304);
    expect((await framed("", { ...IN_FRAME, "If-None-Match": plain.headers.get("etag") ?? "" })).status).toBe(200);
    const head = await read(service, `/~framed/${code}/`, IN_FRAME, "HEAD");
    expect([head.status, head.body.length, head.headers.get("etag")]).toEqual([200, 0, etag]);
  });

  test("has a small script, and loads others that browsers keep", async () => {
    const [, picture = "", review = "", bridge = ""] = SCRIPT.exec(textOf(await framed(""))) ?? [];
    const sizes = new Map([["bridge", brotliCompressSync(bridge).length]]);
    for (const path of [picture, review]) {
      const got = await read(service, path, { "Accept-Encoding": "br" });
      expect(got.status).toBe(200);
      expect(Object.fromEntries(got.headers)).toMatchObject({
        "content-type": "text/javascript;charset=utf-8",
        "cache-control": "public, max-age=31536000, immutable",
        "access-control-allow-origin": "*",
        "content-security-policy": "sandbox",
        "cross-origin-resource-policy": "cross-origin",
      });
      sizes.set(path, got.body.length);
    }
    // The library that draws pictures is no part of the bridge.
    sizes.delete(picture);
    expect([...sizes.values()].reduce((sum, size) => sum + size)).toBeLessThan(12 * 1024);
  });
});
