import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import fc from "fast-check";
import { Failure } from "../../../src/domain/model/failure.ts";
import { packFiles, type UploadedFile } from "../../../src/domain/publishing/files.ts";

const MEBIBYTE = 1024 * 1024;
const index: UploadedFile = { path: "index.html", content: "<p>Hello" };

const bytesOf = ({ content, encoding }: UploadedFile) =>
  typeof content === "string" ? Buffer.from(content, encoding === "base64" ? "base64" : "utf8") : content;

/** Returns the kind and message of the refusal. */
function refusalOf(files: readonly UploadedFile[]) {
  try {
    packFiles(files);
  } catch (error) {
    if (error instanceof Failure) return { kind: error.kind, message: error.message };
    throw error;
  }
  return undefined;
}

const content = fc.oneof(
  fc.string({ unit: "binary" }).map((text) => ({ content: text })),
  fc.uint8Array().map((bytes) => ({ content: Buffer.from(bytes).toString("base64"), encoding: "base64" as const })),
);
const path = fc.string({ unit: fc.constantFrom(..."abzAZ09._-"), minLength: 1, maxLength: 12 });
const upload = fc
  .tuple(
    fc.uniqueArray(
      path.filter((name) => !["index.html", ".", ".."].includes(name)),
      { maxLength: 10 },
    ),
    fc.nat(10),
  )
  .map(([paths, position]) => paths.toSpliced(position, 0, "index.html"))
  .chain((paths) => fc.tuple(...paths.map((name) => content.map((file): UploadedFile => ({ path: name, ...file })))));

describe("packed files", () => {
  test("are stored one after the other, each with its size and digest", () => {
    fc.assert(
      fc.property(upload, (files) => {
        const packed = packFiles(files);
        expect(packed.files.map((entry) => entry.path)).toEqual(files.map((file) => file.path));
        let end = 0;
        for (const [position, entry] of packed.files.entries()) {
          const file = files[position] ?? index;
          const bytes = packed.content.subarray(entry.offset, entry.offset + entry.size);
          expect(Buffer.compare(bytes, bytesOf(file))).toBe(0);
          expect(entry.offset).toBe(end);
          expect(entry.digest).toBe(createHash("sha256").update(bytesOf(file)).digest("base64url"));
          end += entry.size;
        }
        expect(packed.content.length).toBe(end);
      }),
    );
  });

  test("may be empty", () => {
    expect(packFiles([{ path: "index.html", content: "" }])).toMatchObject({
      files: [{ path: "index.html", offset: 0, size: 0 }],
    });
  });

  test("may have base64 with line breaks", () => {
    const text = "x".repeat(1_000);
    const lines = btoa(text).replace(/.{76}/g, "$&\r\n");
    const { content: packed } = packFiles([{ path: "index.html", content: lines, encoding: "base64" }]);
    expect(Buffer.from(packed).toString()).toBe(text);
  });

  test.each([
    ["utf-8", "x".repeat(10 * MEBIBYTE)],
    [
      "base64",
      Buffer.alloc(10 * MEBIBYTE)
        .toString("base64")
        .replace(/.{76}/g, "$&\r\n"),
    ],
  ] as const)("may have 10 MB each, in %s", (encoding, text) => {
    expect(packFiles([{ path: "index.html", content: text, encoding }]).content).toHaveLength(10 * MEBIBYTE);
  });
});

describe("files are refused", () => {
  test.each([
    ["utf-8", "x".repeat(10 * MEBIBYTE + 1)],
    ["utf-8", "é".repeat(5 * MEBIBYTE + 1)],
    ["base64", Buffer.alloc(10 * MEBIBYTE + 1).toString("base64")],
    ["base64", "=".repeat(20 * MEBIBYTE)],
  ] as const)("over 10 MB, in %s", (encoding, text) => {
    expect(refusalOf([index, { path: "big.bin", content: text, encoding }])).toEqual({
      kind: "TooLarge",
      message: 'files[1] "big.bin" exceeds the limit of 10 MB per file. Make the file smaller.',
    });
  });

  test.each(["", ".", "..", "a/b", "a\\b", "/a", "a b", "é", "a\n", "a\0", "a%2Fb"])("with the path %j", (name) => {
    const refusal = refusalOf([index, { path: name, content: "" }]);
    expect(refusal).toMatchObject({
      kind: "Invalid",
      message: expect.stringMatching(/^files\[1\]\.path ".*" isn't a valid file name/),
    });
  });

  test("with a path that is too long, and the message says the limit", () => {
    const refusal = refusalOf([index, { path: "a".repeat(256), content: "" }]);
    expect(refusal?.message).toBe("files[1].path has 256 characters. The limit is 255.");
  });

  test("if a path occurs twice", () => {
    expect(refusalOf([index, { path: "a", content: "" }, { path: "a", content: "b" }])?.message).toContain(
      'files[2].path repeats "a"',
    );
  });

  test("without an index.html, whatever its case", () => {
    expect(refusalOf([{ path: "INDEX.HTML", content: "" }])?.message).toContain("index.html");
    expect(refusalOf([])?.message).toContain("index.html");
  });

  test("if there are more than 100", () => {
    const others = Array.from({ length: 100 }, (_, number) => ({ path: `f${number}`, content: "" }));
    expect(refusalOf([index, ...others.slice(1)])).toBeUndefined();
    expect(refusalOf([index, ...others])?.message).toBe("files must have at most 100 entries.");
  });

  test.each(["a", "abc", "ab=c", "====", "YQ", "YR==", "YW-_", "Y\u00a0Q==", "data:text/plain;base64,YQ=="])(
    "with invalid base64: %j",
    (text) => {
      expect(refusalOf([{ path: "index.html", content: text, encoding: "base64" }])).toEqual({
        kind: "Invalid",
        message: "files[0].content isn't valid base64. Check its encoding.",
      });
    },
  );

  test("with half a surrogate pair", () => {
    const half = fc.constantFrom("\ud800", "\udbff", "\udc00", "\udfff");
    const text = fc.tuple(fc.string(), half, fc.string()).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(text, (broken) => {
        expect(refusalOf([{ path: "index.html", content: broken }])?.message).toContain("files[0].content has a lone");
      }),
    );
  });
});
