import { describe, expect, test } from "bun:test";
import { COLORS, TOKENS, tokensOf } from "../../src/look/tokens.ts";

type Color = keyof typeof COLORS;
type Rgba = readonly [number, number, number, number];

const SCHEMES = ["light", "dark"] as const;
/** The least contrast of text by WCAG 2.2, level AA. */
const LEAST_CONTRAST = 4.5;

const GROUNDS: readonly Color[] = ["ground", "surface", "raised"];
const INKS: readonly Color[] = ["ink", "ink-soft", "accent-ink", "danger", "warning", "info"];

/** Returns channels from 0 to 1. */
function channelsOf(color: Color, scheme: (typeof SCHEMES)[number]): Rgba {
  const digits = COLORS[color][SCHEMES.indexOf(scheme)]?.slice(1) ?? "";
  const channel = (place: number) => Number.parseInt(digits.slice(place, place + 2) || "ff", 16) / 255;
  return [channel(0), channel(2), channel(4), channel(6)];
}

const over = ([red, green, blue, alpha]: Rgba, [r, g, b]: Rgba): Rgba => [
  red * alpha + r * (1 - alpha),
  green * alpha + g * (1 - alpha),
  blue * alpha + b * (1 - alpha),
  1,
];

const linear = (channel: number) => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4);
const luminance = ([red, green, blue]: Rgba) => 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);

function contrast(one: Rgba, other: Rgba): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

test("contrast is measured as WCAG defines it", () => {
  expect(contrast([0, 0, 0, 1], [1, 1, 1, 1])).toBeCloseTo(21);
  expect(contrast([1, 1, 1, 1], [1, 1, 1, 1])).toBe(1);
  const gray = 0x76 / 255;
  expect(contrast([gray, gray, gray, 1], [1, 1, 1, 1])).toBeCloseTo(4.54, 2);
});

describe.each(SCHEMES)("in the %s scheme", (scheme) => {
  const of = (color: Color) => channelsOf(color, scheme);
  const faint = (inks: readonly Color[], grounds: readonly (readonly [string, Rgba])[]) =>
    grounds.flatMap(([name, ground]) =>
      inks
        .filter((ink) => contrast(over(of(ink), ground), ground) < LEAST_CONTRAST)
        .map((ink) => `${ink} on ${name}: ${contrast(of(ink), ground).toFixed(2)}`),
    );
  const layered = (layers: readonly Color[], grounds = GROUNDS) =>
    layers.flatMap((layer) => grounds.map((ground) => [`${layer} on ${ground}`, over(of(layer), of(ground))] as const));

  test("text is legible on every surface, also where it is hovered or chosen", () => {
    const plain = GROUNDS.map((ground) => [ground, of(ground)] as const);
    expect(faint([...INKS, "ink-faint"], plain)).toEqual([]);
    expect(faint(INKS, layered(["hover", "press", "field", "accent-tint"]))).toEqual([]);
    expect(faint(["ink-faint"], layered(["field"]))).toEqual([]);
  });

  test("text is legible on tints of the same color", () => {
    for (const name of ["accent", "danger", "warning", "info"] as const) {
      const ink = name === "accent" ? "accent-ink" : name;
      expect(faint([ink, "ink"], layered([`${name}-tint`, `${name}-tint-hover`]))).toEqual([]);
    }
  });

  test("text is legible on buttons and tooltips", () => {
    expect(
      faint(
        ["on-accent"],
        [
          ["accent", of("accent")],
          ["accent-hover", of("accent-hover")],
        ],
      ),
    ).toEqual([]);
    expect(faint(["on-tip"], [["tip", of("tip")]])).toEqual([]);
    const white: Rgba = [1, 1, 1, 1];
    for (const fill of ["danger-fill", "danger-fill-hover"] as const)
      expect(contrast(white, of(fill))).toBeGreaterThanOrEqual(LEAST_CONTRAST);
  });

  test("surfaces lie above one another", () => {
    const [ground, surface, raised] = GROUNDS.map((name) => luminance(of(name)));
    expect(ground).toBeLessThan(surface ?? 0);
    if (scheme === "dark") expect(surface).toBeLessThan(raised ?? 0);
  });
});

test("every color and scale is a custom property once", () => {
  const names = Array.from(TOKENS.matchAll(/[{;](--[\w-]+):/g), ([, name]) => name);
  expect(names).toContain("--ground");
  expect(names).toContain("--ease");
  expect(new Set(names).size).toBe(names.length);
});

test("a style gets the properties it refers to, and those that these refer to", () => {
  const style = tokensOf("a { box-shadow: var(--shadow-sm); outline: var(--focus); color: var(--none) }");
  const names = Array.from(style.matchAll(/[{;](--[\w-]+):/g), ([, name]) => name);
  expect(names).toEqual(["--shadow-sm", "--shade-near", "--focus", "--accent"]);
  for (const declaration of style.slice(style.indexOf(":root{") + ":root{".length, -1).split(";"))
    expect(TOKENS).toContain(declaration);
});
