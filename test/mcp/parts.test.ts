import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { compareTexts } from "../../src/html/changes/compare-lines.ts";
import { createPageText } from "../../src/html/page-text.ts";
import { createTextExtractor } from "../../src/html/text.ts";
import { partOfBytes, partOfPage, partOfText, wholeCharacters } from "../../src/mcp/parts.ts";
import { unifiedDiff } from "../../src/mcp/unified-diff.ts";

function extract(...pieces: string[]): string {
  let text = "";
  const extractor = createTextExtractor(
    createPageText((more) => {
      text += more;
    }),
  );
  for (const piece of pieces) extractor.push(piece);
  extractor.end();
  return text;
}

describe("the text of a page", () => {
  test("is complete when read in parts", async () => {
    const html = Array.from({ length: 300 }, (_, index) => `<p>Line ${index} 😀</p>`).join("");
    let whole = "";
    for (let offset: number | null = 0; offset !== null; ) {
      const part = await partOfPage(new Response(html), { offset, limit: 101 });
      expect(part.content.isWellFormed()).toBe(true);
      whole += part.content;
      offset = part.nextOffset;
    }
    expect(whole).toBe(extract(html));
  });
});

test("parts of texts and bytes don't split characters", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 1 }), fc.integer({ min: 4, max: 40 }), (text, limit) => {
      let [whole, offset] = ["", 0 as number | null];
      while (offset !== null) {
        const part = partOfText(text, { offset, limit });
        whole += part.content;
        offset = part.nextOffset;
      }
      expect(whole).toBe(text);
      const bytes = new TextEncoder().encode(text).subarray(0, limit);
      const isAtEnd = bytes.length < limit;
      expect(text).toStartWith(new TextDecoder("utf-8", { fatal: true }).decode(wholeCharacters(bytes, isAtEnd)));
    }),
  );
});

test("parts of bytes are the requested ones", async () => {
  const bytes = crypto.getRandomValues(new Uint8Array(200_000));
  const part = await partOfBytes(new Response(bytes), { offset: 65_000, limit: 70_000 });
  expect(Buffer.from(part).equals(Buffer.from(bytes.subarray(65_000, 135_000)))).toBe(true);
});

test("a unified diff can be applied as a patch", async () => {
  const line = fc.constantFrom("a", "b", "c", "d");
  const texts = fc
    .array(line, { minLength: 1, maxLength: 30 })
    .map((lines) => lines.map((text) => `${text}\n`).join(""));
  await fc.assert(
    fc.asyncProperty(texts, texts, fc.nat(4), async (before, after, context) => {
      const comparison = compareTexts(before, after);
      if (comparison === undefined) throw new Error("Small texts can always be compared.");
      const { text } = unifiedDiff(comparison, { old: "a", new: "b" }, context);
      expect(await patched(before, text)).toBe(after);
    }),
    { numRuns: 30 },
  );
});

/** Applies a patch. */
async function patched(before: string, diff: string): Promise<string | false> {
  const { applyPatch } = await import("diff");
  return diff === "" ? before : applyPatch(before, diff);
}
