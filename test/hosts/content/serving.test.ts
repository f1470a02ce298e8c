import { beforeAll, expect, test } from "bun:test";
import { noise, publishFiles, read, readRaw, stableHeaders } from "../../support/content.ts";
import { describeOneEngine } from "../../support/engines.ts";
import { uniqueName, useService } from "../../support/service.ts";

const MEBIBYTE = 1024 * 1024;
const UTF8_BOM = "\u{feff}";

/** Files whose bytes a careless server would change, as text and as base64. */
const FILES: Readonly<Record<string, string | Uint8Array>> = {
  "index.html": `${UTF8_BOM}<!doctype html>\r\n<title>Größe – 漢字</title>\r\n<p>\n\r\0end`,
  "bom.txt": new Uint8Array([0xef, 0xbb, 0xbf, 0x61]),
  "utf16.txt": new Uint8Array([0xff, 0xfe, 0x61, 0x00]),
  "crlf.csv": "a,b\r\n1,2\r\n\n\r",
  "latin1.css": new Uint8Array([0x61, 0xe9, 0xff, 0xfe, 0x80]),
  "cut-short.json": new Uint8Array([0x22, 0xe2, 0x82]),
  "every-byte.bin": Uint8Array.from({ length: 256 }, (_, byte) => byte),
  "surrogates.js": "'😀\u{10ffff}\u2028'",
  "empty.js": "",
  "empty.bin": new Uint8Array(),
  "one-byte": new Uint8Array([0]),
  "3-megabytes.bin": noise(3 * MEBIBYTE),
  "3-megabytes.txt": "line of text\r\n".repeat((3 * MEBIBYTE) / 14),
};

describeOneEngine("public files", (engine) => {
  const service = useService({ engine });
  let code: string;

  beforeAll(async () => {
    const { token } = await service.build.user();
    code = await publishFiles(service, token, FILES);
  });

  const isSame = (bytes: Buffer, uploaded: string | Uint8Array) => bytes.equals(Buffer.from(uploaded));

  test.each(Object.entries(FILES))(
    "%s is returned exactly as uploaded, the first time and later",
    async (path, uploaded) => {
      for (const _ of ["from the store", "from memory"]) {
        const { status, headers, body } = await read(service, `/${code}/${path}`);
        expect(status).toBe(200);
        expect(headers.get("content-encoding")).toBeNull();
        expect(headers.get("content-length")).toBe(String(body.length));
        expect(isSame(body, uploaded)).toBe(true);
      }
    },
  );

  test("/{code}/ is index.html", async () => {
    const { status, body } = await read(service, `/${code}/`);
    expect(status).toBe(200);
    expect(isSame(body, FILES["index.html"] ?? "")).toBe(true);
  });

  test("many concurrent readers get a large file completely", async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => read(service, `/${code}/3-megabytes.bin`)));
    for (const { body } of all) expect(isSame(body, FILES["3-megabytes.bin"] ?? "")).toBe(true);
  });

  test.each(["", "?a=1&b=/..", "?"])("/{code}%s redirects to /{code}/ with the query", async (query) => {
    const { status, headers, body } = await read(service, `/${code}${query}`);
    expect(status).toBe(308);
    expect(headers.get("location")).toBe(`/${code}/${query}`);
    expect(body.length).toBe(0);
  });

  test("a query changes nothing", async () => {
    const { status, body } = await read(service, `/${code}/crlf.csv?v=2&x=%00/../`);
    expect(status).toBe(200);
    expect(isSame(body, FILES["crlf.csv"] ?? "")).toBe(true);
  });

  test("a percent-encoded name is the same name", async () => {
    const { status, body } = await read(service, `/${code}/%63rlf%2Ecsv`);
    expect(status).toBe(200);
    expect(isSame(body, FILES["crlf.csv"] ?? "")).toBe(true);
  });

  test.each(["index.html", "empty.js", "every-byte.bin", "3-megabytes.bin"])(
    "HEAD of %s has the headers of GET and no body",
    async (path) => {
      const target = `/${code}/${path}`;
      const got = await readRaw(service, target);
      const head = await readRaw(service, target, { method: "HEAD" });
      expect(head.status).toBe(200);
      expect(head.headers.get("content-length")).toBe(String(Buffer.from(FILES[path] ?? "").length));
      expect(stableHeaders(head.headers)).toEqual(stableHeaders(got.headers));
      expect(Date.parse(head.headers.get("date") ?? "")).toBeGreaterThan(Date.now() - 60_000);
      expect(head.body.length).toBe(0);
    },
  );

  test("HEAD of a missing file has no body either", async () => {
    const head = await readRaw(service, `/${code}/no-such-file`, { method: "HEAD" });
    expect(head.status).toBe(404);
    expect(head.body.length).toBe(0);
  });

  test.each(["no-such-file.js", "INDEX.HTML", "index.html/", "x/index.html", "index.html%00", " index.html"])(
    "/{code}/%s doesn't exist",
    async (path) => {
      const { status } = await read(service, `/${code}/${path}`);
      expect(status).toBe(404);
    },
  );

  test("a version keeps its bytes when the next one is published", async () => {
    const { token } = await service.build.user();
    const name = uniqueName();
    const first = await publishFiles(service, token, { "data.json": "1" }, { name });
    const second = await publishFiles(service, token, { "data.json": "2" }, { name });
    expect(String((await read(service, `/${first}/data.json`)).body)).toBe("1");
    expect(String((await read(service, `/${second}/data.json`)).body)).toBe("2");
  });
});
