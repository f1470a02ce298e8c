import { dirname, resolve } from "node:path";
import { inCheckout } from "./places.ts";

/** The file through which clients import all routes of the contract. */
export const ROUTES = inCheckout("src/client/routes.ts");

const IMPORT = /import \{([^}]*)\} from "[^"]*\/client\/routes\.ts";/g;

/**
 * Returns a function that makes a source import each route from the file that defines it. Through the file of all routes, the first
 * page would load and run the definitions of all, and shows data of a tenth.
 */
export async function findRoutes(): Promise<(source: string) => string> {
  const transpiler = new Bun.Transpiler({ loader: "ts" });
  const definedIn = new Map<string, string>();
  for (const { path } of transpiler.scanImports(await Bun.file(ROUTES).text())) {
    const file = resolve(dirname(ROUTES), path);
    for (const name of transpiler.scan(await Bun.file(file).text()).exports) definedIn.set(name, file);
  }
  const importOne = (name: string): string => {
    const file = definedIn.get(name);
    if (file === undefined) throw new Error(`No file of the contract exports ${name}.`);
    return `import { ${name} } from ${JSON.stringify(file)};`;
  };
  const namesIn = (list: string): string[] => list.split(",").map((name) => name.trim());
  const isValue = (name: string): boolean => name !== "" && !name.startsWith("type ");
  return (source) =>
    source.replace(IMPORT, (_, list: string) => namesIn(list).filter(isValue).map(importOne).join(" "));
}
