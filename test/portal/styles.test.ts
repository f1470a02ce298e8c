import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { inCheckout } from "../../src/hosts/app/portal/places.ts";

const LIBRARY = "node_modules/@mantine/core";

/** Returns the style files that a style sheet imports from the component library. */
async function importedStyles(): Promise<string[]> {
  const sheet = await readFile(inCheckout("src/portal/app/components.css"), "utf8");
  return Array.from(sheet.matchAll(/@import "@mantine\/core\/styles\/(.+)\.css";/g), ([, name = ""]) => name);
}

/** Returns the component library's modules with code in the portal's bundle. */
async function bundledComponents(): Promise<Set<string>> {
  const { metafile } = await Bun.build({
    entrypoints: [inCheckout("src/portal/main.client.tsx")],
    target: "browser",
    minify: true,
    splitting: true,
    metafile: true,
    define: { "process.env.NODE_ENV": '"production"' },
  });
  const names = new Set<string>();
  for (const { inputs } of Object.values(metafile?.outputs ?? {})) {
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      const [, name] = /@mantine\/core\/esm\/(?:components|utils)\/(?:.+\/)?(\w+)\.mjs$/.exec(path) ?? [];
      if (name !== undefined && bytesInOutput > 0) names.add(name);
    }
  }
  return names;
}

test("every component in use has its styles", async () => {
  const imported = await importedStyles();
  const components = await bundledComponents();
  expect(components.size).toBeGreaterThan(50);
  const styled = [...components].filter((name) => existsSync(inCheckout(LIBRARY, "styles", `${name}.css`)));
  expect(styled.filter((name) => !imported.includes(name))).toEqual([]);
});

test("the styles keep the order of the library's", async () => {
  const whole = await readFile(inCheckout(LIBRARY, "styles.css"), "utf8");
  const places = await Promise.all(
    (await importedStyles()).map(async (name) => {
      const style = await readFile(inCheckout(LIBRARY, "styles", `${name}.css`), "utf8");
      return whole.indexOf(style.trim());
    }),
  );
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((one, other) => one - other));
});

/** Elements of which a page has hundreds. */
const FREQUENT = /(?<![\w.#[:"=-])(span|div|a|p|button|svg|path|li|label|input)(?![\w-])/;

// After most changes of a page, browsers style again all elements that such a selector may apply to, by their names.
test("no selector that depends on an element's content names elements of which there are many", async () => {
  const selectors: string[] = [];
  for (const root of ["src/portal", "src/look"]) {
    for (const path of new Bun.Glob("**/*.css").scanSync(inCheckout(root))) {
      const sheet = await readFile(inCheckout(root, path), "utf8");
      selectors.push(...Array.from(sheet.matchAll(/[^{};,]*:has\([^{};,]*(?=[{,])/g), ([selector]) => selector.trim()));
    }
  }
  expect(selectors.length).toBeGreaterThan(5);
  const applied = selectors.map((selector) => [selector, selector.replaceAll(/:has\((?:[^()]|\([^()]*\))*\)/g, "")]);
  expect(applied.filter(([, rest = ""]) => FREQUENT.test(rest))).toEqual([]);
});
