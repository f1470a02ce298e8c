import { gzipSync, zstdCompressSync } from "node:zlib";
import { encodeForm, indexPart } from "../hosts/app/publishing/forms.ts";

const MEBIBYTE = 1024 * 1024;
const BODY_LIMIT = 20 * MEBIBYTE;

const filled = (piece: string, length: number) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
const between = (start: string, piece: string, end: string, length = BODY_LIMIT) =>
  start + piece.repeat(Math.floor((length - start.length - end.length) / piece.length)) + end;

/** An upload with one field after its files that is as long as possible. */
const withField = (field: string) => `{"files":[{"path":"index.html","content":"<p>x"}],${field}}`;

/** JSON of at most 20 MB that costs a careless parser far more, by what it has in excess. */
const JSON_BOMBS: Record<string, (length: number) => string> = {
  "open arrays": (length) => filled("[", length),
  "open objects": (length) => filled('{"a":', length),
  "closed arrays": (length) => `${"[".repeat(length / 2)}${"]".repeat(length / 2)}`,
  "arrays in arrays": (length) => between("[", "[],", "0]", length),
  "empty objects": (length) => between('{"files":[', "{},", "{}]}", length),
  "short numbers": (length) => between("[", "0,", "0]", length),
  fractions: (length) => between("[", "1.5,", "0]", length),
  "empty texts": (length) => between("[", '"",', "0]", length),
  "short texts": (length) => between("[", '"é",', "0]", length),
  nulls: (length) => between("[", "null,", "0]", length),
  keys: (length) => {
    const pieces: string[] = [];
    for (let key = 0, size = 2; size < length - 20; key++) {
      const piece = `"${key.toString(36)}":0,`;
      pieces.push(piece);
      size += piece.length;
    }
    return `{${pieces.join("")}"z":0}`;
  },
  "files without fields": (length) => between('{"files":[', '{"path":1},', "{}]}", length),
  "one number": (length) => withField(`"a":${filled("9", length - 80)}`),
  "one fraction": (length) => withField(`"a":0.${filled("9", length - 80)}`),
  "one exponent": (length) => withField(`"a":1e${filled("9", length - 80)}`),
  "one text": (length) => withField(`"a":"${filled("a", length - 80)}"`),
  "one title": (length) => withField(`"title":"${filled("é", length / 2 - 80)}"`),
  "one name": (length) => withField(`"name":"${filled("a", length - 80)}"`),
  "one key": (length) => withField(`"${filled("k", length - 80)}":0`),
  "one path": (length) => `{"files":[{"path":"${filled("p", length - 80)}","content":""}]}`,
  "one text of wide characters": (length) => withField(`"a":"\u{1f600}${filled("a", length - 90)}"`),
  "short escapes": (length) => withField(`"a":"${filled("\\n", length - 80)}"`),
  "long escapes": (length) => withField(`"a":"${"\\ud83d\\ude00".repeat((length - 80) / 12)}"`),
  "escaped quotes": (length) => withField(`"a":"${filled('\\"', 2 * Math.floor((length - 80) / 2))}"`),
  backslashes: (length) => withField(`"a":"${filled("\\\\", 4 * Math.floor((length - 80) / 4))}"`),
  "an unterminated string": (length) => `"${filled("a", length - 1)}`,
  blanks: (length) => filled(" ", length),
  "files of the maximum size": () =>
    JSON.stringify({
      files: [
        { path: "index.html", content: `<p>\u{1f600}${filled("a", 9.9 * MEBIBYTE)}` },
        { path: "b.html", content: filled("é", 4.9 * MEBIBYTE) },
      ],
    }),
  "tags of one page": () =>
    JSON.stringify({ files: [{ path: "index.html", content: filled("<a b=c>", 9.9 * MEBIBYTE) }] }),
  "references of one page": () =>
    JSON.stringify({
      files: [{ path: "index.html", content: filled("<img src=/a>", 9.9 * MEBIBYTE) }],
      storage: "memory",
    }),
};

const CRLF = "\r\n";
const BOUNDARY = "b";
const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;
const part = (headers: string, content = "") => `--${BOUNDARY}${CRLF}${headers}${CRLF}${CRLF}${content}${CRLF}`;
const CLOSE = `--${BOUNDARY}--${CRLF}`;
const NAMED = 'Content-Disposition: form-data; name="files"; filename="a.txt"';

const FORM_BOMBS: Record<string, () => { type: string; body: string | Uint8Array<ArrayBuffer> }> = {
  "parts without names": () => ({ type: FORM_TYPE, body: between("", part("A: b"), CLOSE) }),
  "empty files": () => ({ type: FORM_TYPE, body: between("", part(NAMED), CLOSE) }),
  boundaries: () => ({ type: FORM_TYPE, body: filled(`--${BOUNDARY}${CRLF}`, BODY_LIMIT) }),
  headers: () => ({
    type: FORM_TYPE,
    body: part(between(`${NAMED}${CRLF}`, `A: b${CRLF}`, "C: d", BODY_LIMIT - 100)) + CLOSE,
  }),
  "one header": () => ({ type: FORM_TYPE, body: part(`${NAMED}${CRLF}A: ${filled("a", BODY_LIMIT - 200)}`) + CLOSE }),
  "one name": () => ({
    type: FORM_TYPE,
    body: part(`Content-Disposition: form-data; name="${filled("a", BODY_LIMIT - 200)}"`) + CLOSE,
  }),
  "one file name": () => ({
    type: FORM_TYPE,
    body: part(`Content-Disposition: form-data; name="files"; filename="${filled("a", BODY_LIMIT - 200)}"`) + CLOSE,
  }),
  "one field": () => encodeForm([indexPart(), { name: "title", content: filled("é", BODY_LIMIT / 2 - 500) }]),
  "no boundary": () => ({ type: FORM_TYPE, body: filled(`${CRLF}--`, BODY_LIMIT) }),
  "an unterminated part": () => ({
    type: FORM_TYPE,
    body: `--${BOUNDARY}${CRLF}${NAMED}${CRLF}${CRLF}${filled("a", BODY_LIMIT - 100)}`,
  }),
};

const ENCODERS: Record<string, ((body: Uint8Array | string) => Uint8Array<ArrayBuffer>) | undefined> = {
  plain: undefined,
  gzip: (body) => new Uint8Array(gzipSync(body, { level: 1 })),
  zstd: (body) => new Uint8Array(zstdCompressSync(body)),
};

export interface Bomb {
  name: string;
  path: "/api/upload" | "/mcp" | "/api/drawers/create" | "/api/auth/sign-in/email";
  build(): { body: Uint8Array<ArrayBuffer> | string; headers: Record<string, string> };
}

function uploadsOf(name: string, type: string, build: () => string | Uint8Array<ArrayBuffer>): Bomb[] {
  return Object.entries(ENCODERS).map(([encoding, encode]) => ({
    name: `${name}, ${encoding}`,
    path: "/api/upload",
    build: () => ({
      body: encode === undefined ? build() : encode(build()),
      headers: { "Content-Type": type, ...(encode === undefined ? {} : { "Content-Encoding": encoding }) },
    }),
  }));
}

const jsonAt = (path: Bomb["path"], length: number): Bomb[] =>
  Object.entries(JSON_BOMBS)
    .filter(([, build]) => build.length > 0)
    .map(([name, build]) => ({
      name: `${name}, to ${path}`,
      path,
      build: () => ({ body: build(length), headers: { "Content-Type": "application/json" } }),
    }));

/** Compresses each letter as a separate gzip member or zstd frame. */
const inPieces = (encode: (body: string) => Uint8Array) => {
  const piece = encode(" ");
  return new Uint8Array(Buffer.alloc(Math.floor(BODY_LIMIT / piece.length) * piece.length, piece));
};

export const BOMBS: readonly Bomb[] = [
  ...Object.entries(JSON_BOMBS).flatMap(([name, build]) =>
    uploadsOf(`JSON of ${name}`, "application/json", () => build(BODY_LIMIT)),
  ),
  ...Object.entries(FORM_BOMBS).flatMap(([name, build]) =>
    uploadsOf(`a form of ${name}`, build().type, () => build().body),
  ),
  ...(["gzip", "zstd"] as const).map(
    (encoding): Bomb => ({
      name: `${encoding} with one letter per piece`,
      path: "/api/upload",
      build: () => ({
        body: inPieces(encoding === "gzip" ? gzipSync : zstdCompressSync),
        headers: { "Content-Type": "application/json", "Content-Encoding": encoding },
      }),
    }),
  ),
  ...jsonAt("/mcp", 2 * MEBIBYTE),
  ...jsonAt("/api/drawers/create", 64 * 1024),
  ...jsonAt("/api/auth/sign-in/email", 64 * 1024),
];
