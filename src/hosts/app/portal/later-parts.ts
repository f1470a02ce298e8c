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
    const soon = new Set([SOON]);
    const source = await Bun.file(SOON).text();
    for (const { path } of new Bun.Transpiler({ loader: "ts" }).scanImports(source)) {
      soon.add(resolve(dirname(SOON), path));
    }
    const later = new Set<string>();
    const withRoutes = await findRoutes();
    // All routes that the first page doesn't use are in one file.
    const additions = (path: string): string[] => [
      ...(path === SOON ? [ROUTES] : []),
      ...(later.has(path) ? [SOON] : []),
    ];
    // The portal's own modules alone: those of libraries would lose what their packages say of side effects.
    build.onResolve({ filter: /^\.{1,2}\/.*\.tsx?$/ }, ({ path, importer, kind }) => {
      const found = resolve(dirname(importer), path);
      if (kind === "dynamic-import" && !soon.has(found)) later.add(found);
      return undefined;
    });
    build.onLoad({ filter: /\/src\/(portal|client)\/.*\.tsx?$/ }, async ({ path }) => {
      if (path === ROUTES) return undefined;
      const imports = additions(path).map((added) => `import ${JSON.stringify(added)};\n`);
      const contents = imports.join("") + withRoutes(await Bun.file(path).text());
      return { contents, loader: path.endsWith("x") ? "tsx" : "ts" };
    });
  },
};
