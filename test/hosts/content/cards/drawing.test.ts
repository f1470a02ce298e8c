import { beforeAll, describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { drawCard } from "../../../../src/hosts/content/cards/drawing.ts";
import { loadTypeface, type Typeface } from "../../../../src/hosts/content/cards/fonts.ts";

let typeface: Typeface;
beforeAll(async () => {
  typeface = await loadTypeface();
});

const draw = (title: string) => drawCard({ title, author: "@ada", detail: "Version 3 · 2026-11-22" }, typeface);

/** Every point of the text's outlines. */
const pointsOf = (svg: string) =>
  [...svg.matchAll(/<path d="([^"]*)" fill="#(?!none)/g)].flatMap(([, data = ""]) =>
    [...data.matchAll(/-?\d+(?:\.\d+)?/g)].map(([number]) => Number(number)),
  );

describe("a card", () => {
  test("keeps all text within its edges, whatever the title", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ maxLength: 300 }), fc.string({ unit: "binary", maxLength: 60 })), (title) => {
        const svg = draw(title);
        expect(svg).not.toContain("NaN");
        const points = pointsOf(svg);
        expect(points.length).toBeGreaterThan(100);
        expect(Math.min(...points)).toBeGreaterThan(0);
        expect(Math.max(...points)).toBeLessThan(1200);
      }),
      { numRuns: 60 },
    );
  });

  test("has nothing of the title but outlines, so it can't contain markup", () => {
    expect(draw("</svg><script>alert(1)</script>")).not.toMatch(/script|alert/);
  });

  test("shows titles in Latin, Greek and Cyrillic letters, and drops symbols that the font lacks", () => {
    for (const title of ["Żółć", "Ελλάδα", "Привет", "Tiếng Việt"]) expect(draw(title)).not.toBe(draw("日本"));
    expect(draw("Sales 🚀 2026")).toBe(draw("Sales 2026"));
  });

  test("names the author where the font lacks letters of the title", () => {
    expect(draw("日本語のレポート")).toBe(draw("Report by @ada"));
    expect(draw("Sales 日本")).toBe(draw("Report by @ada"));
  });

  test("cuts a title that is too long", () => {
    const long = "word ".repeat(60);
    expect(draw(long)).toBe(draw(`${long} and more`));
    expect(draw("x".repeat(300))).toBe(draw("x".repeat(200)));
  });
});
