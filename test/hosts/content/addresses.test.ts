import { beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { publishFiles, readRaw } from "../../support/content.ts";
import { useService } from "../../support/service.ts";

const SECRET = "what the private report says";
const SHOWN = "what the public report says";

/** Addresses as they go over the wire, with no client to put them right. */
describe("raw addresses", () => {
  const service = useService();
  let shown: string;
  let secret: string;

  beforeAll(async () => {
    const { token } = await service.build.user();
    shown = await publishFiles(service, token, { "index.html": SHOWN, "a.txt": SHOWN });
    secret = await publishFiles(service, token, { "index.html": SECRET, "a.txt": SECRET }, { visibility: "private" });
  });

  async function expectHarmless(target: string, headers: Record<string, string> = {}): Promise<void> {
    const { status, body } = await readRaw(service, target, { headers });
    expect({ target, status, isHarmless: status < 500 }).toEqual({ target, status, isHarmless: true });
    expect(body.includes(SECRET)).toBe(false);
  }

  test.each([
    ["/{public}/..", 404],
    ["/{public}/../", 404],
    ["/{public}/../{private}/", 404],
    ["/{public}/%2e%2e/{private}/", 404],
    ["/{public}/%2E%2e%2F{private}/index.html", 404],
    ["/{public}/..%2f{private}%2findex.html", 404],
    ["/{public}/..\\{private}\\index.html", 404],
    ["/{public}/..%5c{private}%5cindex.html", 404],
    ["/{public}/a.txt%00", 404],
    ["/{public}/%00", 404],
    ["/{public}/a.txt%00.html", 404],
    ["/{public}/%", 404],
    ["/{public}/%a", 404],
    ["/{public}/%zz", 404],
    ["/{public}/%ff%fe", 404],
    ["/{public}/%c0%ae%c0%ae/", 404],
    ["/{public}/%25%36%31.txt", 404],
    ["/{public}//", 404],
    ["/{public}//a.txt", 404],
    ["//{public}/", 404],
    ["/{public}/a.txt/", 404],
    ["/{public}/a.txt;x=1", 404],
    ["/{public}x/", 404],
    ["/{public}.html", 404],
    ["/%7e{public}/", 404],
    ["/etc/passwd", 404],
    ["/../../../etc/passwd", 404],
    ["/{public}/../../../../etc/passwd", 404],
    ["/@ada/name/", 404],
    ["/constructor", 404],
    ["/__proto__/", 404],
    ["/{public}/__proto__", 404],
    ["/{public}/a%2etxt", 200],
    ["/{public}/./a.txt", 200],
    ["/{public}/a.txt?../../{private}/", 200],
  ])("%s is %p", async (pattern, status) => {
    const target = pattern.replaceAll("{public}", shown).replaceAll("{private}", secret);
    const got = await readRaw(service, target);
    expect(got.status).toBe(status);
    expect(got.body.includes(status === 200 ? SHOWN : '{"error"')).toBe(true);
  });

  test("very long ones are refused, and the server goes on", async () => {
    for (const length of [5_000, 15_000, 200_000]) {
      const { status } = await readRaw(service, `/${shown}/${"a".repeat(length)}`);
      expect([404, 414, 431]).toContain(status);
    }
    expect((await readRaw(service, `/${shown}/`)).status).toBe(200);
  });

  const piece = fc.oneof(
    fc.constantFrom(
      "/",
      "//",
      ".",
      "..",
      "%2e%2e",
      "%2f",
      "%5c",
      "\\",
      "%00",
      "%",
      "%f",
      "?",
      "#",
      "&",
      ";",
      ":",
      "@",
      "~",
    ),
    fc.constantFrom("{public}", "{private}", "index.html", "a.txt", "[", "]", "{", "}", "|", "^", "`", '"', "<", "*"),
    fc.integer({ min: 0, max: 255 }).map((byte) => `%${byte.toString(16)}`),
    // Bytes above 127 are nothing an address may hold, and are sent nevertheless.
    fc.string({ unit: fc.integer({ min: 0x21, max: 0xff }).map((byte) => String.fromCharCode(byte)), maxLength: 5 }),
  );
  const path = fc.array(piece, { maxLength: 12 }).map((pieces) => `/${pieces.join("")}`);

  test("of any form are answered, without an error and without the private report", async () => {
    await fc.assert(
      fc.asyncProperty(path, (pattern) =>
        expectHarmless(pattern.replaceAll("{public}", shown).replaceAll("{private}", secret)),
      ),
      { numRuns: 500 },
    );
  });

  const FIELDS = [
    "Range",
    "If-Range",
    "If-None-Match",
    "Accept-Encoding",
    "Accept",
    "Authorization",
    "Cookie",
    "Origin",
  ];
  // What a header field may hold by RFC 9110 §5.5.
  const value = fc.string({ unit: fc.integer({ min: 0x20, max: 0xff }).map((byte) => String.fromCharCode(byte)) });
  const field = fc.tuple(
    fc.constantFrom(...FIELDS),
    fc.oneof(
      value,
      value.map((text) => `bytes=${text}`),
      value.map((text) => `Bearer ${text}`),
    ),
  );

  test("with headers of any content are answered without an error and without the private report", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(field, { maxLength: 4 }), fc.boolean(), async (fields, isShown) => {
        await expectHarmless(`/${isShown ? shown : secret}/`, Object.fromEntries(fields));
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    ["no host", ""],
    ["another host", "example.org"],
    ["a host with a path", "example.org/AAAAAAAAAAAAAAAA/"],
    ["a host that is none", "[::"],
    ["a host with a user", "ada@example.org:1"],
  ])("with %s are answered without an error", async (_, host) => {
    await expectHarmless(`/${shown}/`, { Host: host });
    await expectHarmless(`/${secret}/`, { Host: host });
    await expectHarmless(`http://example.org/${secret}/`, { Host: host });
  });
});
