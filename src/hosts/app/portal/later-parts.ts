import { dirname, resolve } from "node:path";
import type { BunPlugin } from "bun";
import { inCheckout } from "./places.ts";
import { findRoutes, ROUTES } from "./route-imports.ts";

const SOON = inCheckout("src/portal/app/soon.ts");

/**
 * Makes each part of the portal that is loaded later import what is loaded soon in any case. Without, modules are put into files by
 * which parts use them, and the first page loads sixty files of a few hundred bytes.
 */
export const laterParts: BunPlugin = {
  name: "later-parts",
  async setup(build) {
    const later = await findLater();
    const withRoutes = await findRoutes();
    // All routes that the first page doesn't use are in one file.
    const additions = (path: string): string[] => [
      ...(path === SOON ? [ROUTES] : []),
      ...(later.has(path) ? [SOON] : []),
    ];
    // The portal's own modules alone: those of libraries would lose what their packages say of side effects.
    build.onLoad({ filter: /\/src\/(portal|client)\/.*\.tsx?$/ }, async ({ path }) => {
      if (path === ROUTES) return undefined;
      const imports = additions(path).map((added) => `import ${JSON.stringify(added)};\n`);
      const contents = imports.join("") + withRoutes(await Bun.file(path).text());
      return { contents, loader: loaderOf(path) };
    });
  },
};

const loaderOf = (path: string): "ts" | "tsx" => (path.endsWith("x") ? "tsx" : "ts");

/**
 * Returns the modules with which a part begins that is loaded later: those imported dynamically, but for what is loaded soon. They are
 * found before bundling, which reads modules in another order each time.
 */
async function findLater(): Promise<Set<string>> {
  const names = await Array.fromAsync(new Bun.Glob("**/*.{ts,tsx}").scan(inCheckout("src/portal")));
  const found = await Promise.all(names.map((name) => findImports(inCheckout("src/portal", name), "dynamic-import")));
  return new Set(found.flat()).difference(new Set([SOON, ...(await findImports(SOON, "import-statement"))]));
}

async function findImports(path: string, kind: "dynamic-import" | "import-statement"): Promise<string[]> {
  const imports = new Bun.Transpiler({ loader: loaderOf(path) }).scanImports(await Bun.file(path).text());
  return imports.filter((each) => each.kind === kind).map((each) => resolve(dirname(path), each.path));
}
