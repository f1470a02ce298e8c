import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";

/** Finds files as shells do: `*`, `**`, `?`, `[a-z]` and `{a,b}`. */
export class Glob {
  readonly #directory: string;
  readonly #expression: RegExp;

  constructor(pattern: string) {
    const parts = pattern.split("/");
    const first = parts.findIndex((part) => /[*?[{]/.test(part));
    const directory = parts.slice(0, first < 0 ? -1 : first).join("/");
    this.#directory = directory === "" && pattern.startsWith("/") ? "/" : directory;
    this.#expression = toExpression(parts.slice(first < 0 ? -1 : first).join("/"));
  }

  async *scan({ absolute = false }: { absolute?: boolean } = {}): AsyncGenerator<string> {
    const root = resolve(this.#directory);
    const names = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
    for (const entry of names) {
      if (!entry.isFile()) continue;
      const path = resolve(entry.parentPath, entry.name);
      const name = path.slice(root === "/" ? 1 : root.length + 1);
      if (isHidden(name) || !this.#expression.test(name)) continue;
      yield absolute ? path : join(this.#directory, name);
    }
  }
}

const isHidden = (name: string): boolean => name.split("/").some((part) => part.startsWith("."));

const TOKEN = /\*\*\/|\*\*|\{[^{}]*\}|\[[^\]]+\]|[*?]|[.+^$()|\\{}[\]]/g;
const MEANINGS: Readonly<Record<string, string>> = { "**/": "(?:[^/]+/)*", "**": ".*", "*": "[^/]*", "?": "[^/]" };

function toExpression(pattern: string): RegExp {
  return new RegExp(`^${translate(pattern)}$`);
}

const translate = (pattern: string): string =>
  pattern.replace(TOKEN, (token) => {
    if (token.length > 1 && token.startsWith("{"))
      return `(?:${token.slice(1, -1).split(",").map(translate).join("|")})`;
    if (token.length > 1 && token.startsWith("[")) return token.replace(/^\[!/, "[^");
    return MEANINGS[token] ?? `\\${token}`;
  });
