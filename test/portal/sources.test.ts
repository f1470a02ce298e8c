import { expect, test } from "bun:test";
import { SOURCES } from "../../src/hosts/app/portal/places.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

test("a change of anything in browsers' scripts leads to a new build", async () => {
  const entrypoints = await Array.fromAsync(
    new Bun.Glob("src/**/*.client.{ts,tsx}").scan({ cwd: ROOT, absolute: true }),
  );
  const { metafile } = await Bun.build({
    entrypoints,
    root: ROOT,
    target: "browser",
    splitting: true,
    metafile: true,
    define: { COMPARE_WORKER: '""' },
  });
  const bundled = Object.keys(metafile?.inputs ?? {}).filter((path) => path.startsWith("src/"));
  expect(bundled).toContain("src/portal/main.client.tsx");
  const globs = SOURCES.map((pattern) => new Bun.Glob(pattern));
  expect(bundled.filter((path) => !globs.some((glob) => glob.match(path)))).toEqual([]);
});
