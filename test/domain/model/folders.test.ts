import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { folderLabel, parseFolderLabel } from "../../../src/domain/model/folders.ts";

/** Returns the label that is read back for a label. */
function readBack(label: string): string | null {
  const path = parseFolderLabel(label);
  return path && folderLabel({ title: path.folder, drawerTitle: path.drawer });
}

const part = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 10 }),
  fc.constantFrom("", " ", ".", "..", "\t", "\u3000"),
);
const label = fc.array(part, { maxLength: 6 }).map((parts) => parts.join("/"));

describe("a folder label", () => {
  test.each<[string, string | null, string]>([
    ["A", null, "A"],
    ["A/B", "A", "B"],
    ["A/B/C", "A", "B/C"],
    ["A/B/C/D", "A", "B/C/D"],
    [" A / B ", "A", "B"],
    ["//A///B//", "A", "B"],
    ["A / / B/C", "A", "B/C"],
    ["/A", null, "A"],
    ["A\\B", null, "A\\B"],
    ["../A", "..", "A"],
  ])("%j is drawer %j with folder %j", (text, drawer, folder) => {
    expect(parseFolderLabel(text)).toEqual({ drawer, folder });
  });

  test.each(["", " ", "/", " / ", "///", "\t\n"])("%j means no folder", (text) => {
    expect(parseFolderLabel(text)).toBeNull();
  });

  test("is read back as its parts, trimmed and without blank ones", () => {
    fc.assert(
      fc.property(label, (text) => {
        const parts = text.split("/").map((title) => title.trim());
        expect(readBack(text)).toBe(parts.filter(Boolean).join("/") || null);
      }),
    );
  });

  test("means the same folder when it was read back", () => {
    fc.assert(
      fc.property(label, (text) => {
        const path = parseFolderLabel(text);
        fc.pre(path !== null);
        expect(parseFolderLabel(readBack(text) ?? "")).toEqual(path);
      }),
    );
  });

  test("may have parts longer than titles that people type", () => {
    const [drawer, folder] = ["\u{1f5c4}".repeat(400), `${"b/".repeat(200)}cc`];
    expect(parseFolderLabel(`${drawer}/${folder}`)).toEqual({ drawer, folder });
  });
});
