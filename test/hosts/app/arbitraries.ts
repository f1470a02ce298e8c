import fc from "fast-check";
import { nastyMarkup } from "../../store/publishing/nasty-documents.ts";

/** Unusual text: every plane, NUL, lone surrogates, right to left, and lengths around the limits. */
export const oddText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
  { weight: 2, arbitrary: fc.string({ unit: "grapheme", maxLength: 40 }) },
  { weight: 2, arbitrary: fc.string({ maxLength: 40 }) },
  fc.constantFrom(
    "",
    " ",
    "\0",
    "a\0b",
    "\ud800",
    "a\udc00b",
    "\udfff\ud800",
    "\ufeffx",
    "\u202eabc",
    "مرحبا بالعالم",
    "👩‍👩‍👧‍👦",
    "e\u0301",
    "\u2028\u2029",
    "\u0085",
    "%00",
    "..",
    "../../etc/passwd",
    "' or 1=1 --",
    "</title><script>",
    "__proto__",
    "constructor",
  ),
  fc.constantFrom(299, 300, 301, 1000, 1001).map((length) => "é".repeat(length)),
  fc.constantFrom(120, 121, 300, 301).map((length) => "\u{1f600}".repeat(length)),
);

/** Any JSON value, with unusual text. */
const oddJson = fc.oneof(
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 2, arbitrary: oddText },
  fc.constantFrom(null, true, 0, -1, 1.5, 1e308, [], {}, [[]], Number.MAX_SAFE_INTEGER),
  fc.dictionary(oddText, oddText, { maxKeys: 3 }),
);

/** A valid value most of the time, otherwise anything. */
export const nearly = <Value>(valid: fc.Arbitrary<Value>): fc.Arbitrary<unknown> =>
  fc.oneof<fc.MaybeWeightedArbitrary<unknown>[]>(
    { weight: 4, arbitrary: valid },
    { weight: 1, arbitrary: oddText },
    { weight: 1, arbitrary: oddJson },
  );

/** An object with some of the fields, valid and invalid, and sometimes an unknown one. */
const nearlyObject = (fields: Record<string, fc.Arbitrary<unknown>>) =>
  fc
    .tuple(fc.record(fields, { requiredKeys: [] }), fc.option(fc.tuple(oddText, oddJson), { nil: undefined, freq: 8 }))
    .map(([object, extra]) => (extra === undefined ? object : { ...object, [extra[0]]: extra[1] }));

const MALFORMED = [
  "",
  "{",
  '{"a":}',
  "nul",
  '"\\x"',
  "[1,]",
  '{"name":"a","name":"b"}',
  '{"__proto__":{"name":"a"}}',
  "[".repeat(50_000),
  `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`,
  "9".repeat(5_000),
  `"${"\\u0000".repeat(1_000)}"`,
];

/** A request body: nearly valid, any JSON, invalid JSON, or any bytes. */
export const bodyOf = (
  ...forms: Record<string, fc.Arbitrary<unknown>>[]
): fc.Arbitrary<string | Uint8Array<ArrayBuffer>> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.oneof(...forms.map(nearlyObject)).map((value) => JSON.stringify(value)) },
    { weight: 2, arbitrary: oddJson.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.constantFrom(...MALFORMED) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 64 }).map((bytes) => Uint8Array.from(bytes)) },
  );

const filePath = nearly(fc.constantFrom("index.html", "a.css", "b.js", ".", "..", "a/b", "x".repeat(256)));
const markup = fc.oneof(
  nastyMarkup,
  fc.constantFrom(
    "<title>T</title>",
    "<title>\0&#0;&#xD800;&bogus;</title>",
    "<base href=/x><img src=/y srcset='a 1x, b'>",
    "<script>localStorage.a=1</script>",
    "body{background:url(x.png)}",
    "iVBORw0KGgo=",
  ),
);

export const files = fc.array(
  nearly(
    fc.record(
      { path: filePath, content: nearly(markup), encoding: nearly(fc.constantFrom("utf-8", "base64")) },
      {
        requiredKeys: ["path", "content"],
      },
    ),
  ),
  { maxLength: 4 },
);

/** Header values that can be transmitted: printable ASCII and the upper half of Latin-1. */
const headerText = fc
  .array(fc.oneof(fc.integer({ min: 0x20, max: 0x7e }), fc.integer({ min: 0xa0, max: 0xff })), { maxLength: 60 })
  .map((codes) => String.fromCharCode(...codes).trim());

export const authorization = (token: string): fc.Arbitrary<string> =>
  fc.oneof(
    headerText,
    headerText.map((text) => `Bearer ${text}`.trim()),
    fc.constantFrom(
      token,
      "Bearer",
      `Bearer  ${token}`,
      `BEARER ${token}`,
      `Bearer ${token},`,
      `Bearer ${token}; x=y`,
      `Bearer "${token}"`,
      `Basic ${token}`,
      `Token ${token}`,
      `Bearer ${"a".repeat(8_000)}`,
    ),
    fc.nat(token.length - 1).map((index) => `Bearer ${token.slice(0, index)}${token.slice(index + 1)}`),
  );

/** Headers that a client or a proxy may add; none may change whether a request is served. */
export const harmlessHeaders = fc.record(
  {
    Accept: headerText,
    "Accept-Encoding": headerText,
    "Accept-Language": headerText,
    "Content-Type": headerText,
    Cookie: headerText,
    Forwarded: headerText,
    "If-Match": headerText,
    "If-Modified-Since": headerText,
    "If-None-Match": headerText,
    Origin: headerText,
    Range: headerText,
    Referer: headerText,
    "User-Agent": headerText,
    "X-Forwarded-For": headerText,
    "X-Forwarded-Host": headerText,
    "X-HTTP-Method-Override": headerText,
    "X-Request-Id": headerText,
  },
  { requiredKeys: [] },
);

const urlPiece = fc.oneof(
  fc.constantFrom(
    "%",
    "%%",
    "%0",
    "%00",
    "%2e%2e",
    "%2F",
    "%5c",
    "%ff",
    "%C3%28",
    "%zz",
    "%ud800",
    "+",
    "&",
    "=",
    ";",
    "..",
  ),
  fc.string({ unit: "grapheme-ascii", maxLength: 6 }),
  oddText.filter((text) => text.isWellFormed()).map(encodeURIComponent),
);

/** Characters; with more than 16 KB of address and headers, Bun refuses a request before the program sees it. */
const LONGEST_ADDRESS = 12_000;

/** Shortens a text to the maximum length of an address. */
export const cutAddress = (text: string): string => text.slice(0, LONGEST_ADDRESS);

/** The path and query of an address, with valid and invalid percent signs. */
export const oddAddress = fc
  .array(urlPiece, { maxLength: 8 })
  .map((pieces) => cutAddress(pieces.join("").replaceAll("#", "%23").replaceAll("?", "%3F")));
