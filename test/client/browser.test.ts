import { expect, test } from "bun:test";
import { routes } from "../../src/contract/index.ts";

const entrypoints = ["client.ts", "routes.ts"].map(
  (file) => new URL(`../../src/client/${file}`, import.meta.url).pathname,
);

/** Compressed bytes for each route, with what all share. A polyfill of a server module would be many times larger. */
const LARGEST_PER_ROUTE = 540;

test("the typed client with every route is small and needs no server modules", async () => {
  const { outputs, metafile } = await Bun.build({
    entrypoints,
    target: "browser",
    minify: true,
    splitting: true,
    metafile: true,
  });
  const sizes = await Promise.all(outputs.map(async (output) => Bun.gzipSync(await output.arrayBuffer()).length));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(LARGEST_PER_ROUTE * routes.length);
  const imports = Object.values(metafile?.inputs ?? {}).flatMap((input) => input.imports.map(({ path }) => path));
  expect(imports.length).toBeGreaterThan(10);
  expect(imports.filter((path) => /^(node|bun):/.test(path))).toEqual([]);
});
