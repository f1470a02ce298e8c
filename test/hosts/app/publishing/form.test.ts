import { expect, test } from "bun:test";
import fc from "fast-check";
import { readForm } from "../../../../src/hosts/app/publishing/upload/form.ts";
import { runsOf } from "../../../support/runs.ts";
import { encodeForm } from "./forms.ts";

const BOUNDARY = "b0undary";
/** Texts that resemble a boundary, and others. */
const piece = fc.oneof(
  fc.constantFrom(
    "\r",
    "\n",
    "\r\n",
    "--",
    "-",
    `--${BOUNDARY.slice(0, -1)}`,
    `\r\n--${BOUNDARY.slice(0, 4)}`,
    BOUNDARY,
  ),
  fc.string({ maxLength: 8 }),
);
const content = fc
  .oneof(
    fc.array(piece, { maxLength: 12 }).map((pieces) => new TextEncoder().encode(pieces.join(""))),
    fc.uint8Array({ maxLength: 200 }),
  )
  .filter((bytes) => !Buffer.from(`\r\n${Buffer.from(bytes).toString("latin1")}`).includes(`\r\n--${BOUNDARY}`));
const path = fc.stringMatching(/^[A-Za-z0-9._-]{1,20}$/);
const files = fc.uniqueArray(fc.record({ path, content }), { selector: (file) => file.path, maxLength: 6 });
const fields = fc.record(
  {
    name: fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,20}$/),
    title: fc.string({ unit: "grapheme", maxLength: 40 }).filter((title) => !/[\0\r\n]/.test(title)),
    folder: fc.constantFrom("A/B", "", " é "),
    visibility: fc.constantFrom("public" as const, "private" as const),
  },
  { requiredKeys: [] },
);

test("any content of a form is read unchanged and in order", () => {
  fc.assert(
    fc.property(files, fields, (given, details) => {
      const { type, body } = encodeForm(
        [
          ...Object.entries(details).map(([name, text]) => ({ name, content: text })),
          ...given.map((file) => ({ name: "files", filename: file.path, content: file.content })),
        ],
        BOUNDARY,
      );
      const { files: read, ...rest } = readForm(body, type);
      expect(read.map((file) => [file.path, Buffer.from(file.content).toString("hex")])).toEqual(
        given.map((file) => [file.path, Buffer.from(file.content).toString("hex")]),
      );
      expect<object>(rest).toEqual(details);
    }),
    { numRuns: runsOf(500) },
  );
});

test("a form that is truncated anywhere is refused", () => {
  const { type, body } = encodeForm([
    { name: "title", content: "T" },
    { name: "files", filename: "index.html", content: "<p>" },
  ]);
  const isRead = (length: number) => {
    try {
      readForm(body.subarray(0, length), type);
      return true;
    } catch {
      return false;
    }
  };
  // The line break at the end is optional.
  const lengths = Array.from({ length: body.length - 2 }, (_, length) => length);
  expect(lengths.filter(isRead)).toEqual([]);
  expect(isRead(body.length - 2)).toBe(true);
});
