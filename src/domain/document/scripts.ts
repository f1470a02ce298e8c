import type { AnyNode, Expression, Literal, MemberExpression, Node, SpreadElement } from "acorn";
import type { ScriptKind } from "./html.ts";
import { type ParsedScript, parseScript } from "./parser.ts";

/** What throws in a page with an opaque origin. */
export type StorageName = "localStorage" | "sessionStorage" | "document.cookie" | "indexedDB" | "caches";

/** What a script does that may not work where reports are shown, and where in the script. */
export type ScriptFinding = { readonly at: number } & (
  | { readonly what: "storage"; readonly name: StorageName }
  | { readonly what: "SharedWorker" | "serviceWorker" }
  | { readonly what: "Worker" | "importScripts" | "import" | "import()"; readonly url: string }
);

/** A longer script is left alone: parsing takes 50 to 70 ms for each million characters. */
export const MAX_PARSED_LENGTH = 2_000_000;

const MENTION =
  /localStorage|sessionStorage|cookie|indexedDB|caches|serviceWorker|importScripts|new\s+(?:\w+\s*\.\s*)?(?:Shared)?Worker|import\s*\(/g;
const STATIC_IMPORT = /\b(?:import|from)\b/;
const SCRIPT_IN_ITSELF = /^\s*(?:blob|data):/i;
const GLOBAL_OBJECTS: ReadonlySet<string> = new Set(["window", "self", "globalThis"]);
const HOLD_NO_USE: ReadonlySet<string> = new Set([
  "BreakStatement",
  "ContinueStatement",
  "ImportDeclaration",
  "ExportSpecifier",
  "ExportAllDeclaration",
]);

/** Whether the script has a word of what is looked for; only then a parse can find anything. */
export function isWorthParsing(source: string, kind: ScriptKind): boolean {
  return source.search(MENTION) !== -1 || (kind === "module" && STATIC_IMPORT.test(source));
}

/**
 * What the script uses outside the block of a `try … catch`, in the order of the text; each kind of storage and worker is told
 * once. Rather says nothing than raises a false alarm: a script that is too long or that cannot be parsed has no findings, nor has
 * a name that the script declares somewhere.
 */
export function findInScript(source: string, kind: ScriptKind): ScriptFinding[] {
  if (source.length > MAX_PARSED_LENGTH || !isWorthParsing(source, kind)) return [];
  const script = tryParse(source, kind);
  return script === undefined ? [] : new UseSearch(source, script).run();
}

function tryParse(source: string, kind: ScriptKind): ParsedScript | undefined {
  try {
    return parseScript(source, kind === "module" ? "module" : "script");
  } catch {
    return undefined;
  }
}

/** Walks to the places where a telling word stands and nowhere else: of a large script that is next to nothing. */
class UseSearch {
  private readonly script: ParsedScript;
  private readonly mentions: readonly number[];
  private readonly findings = new Map<string, ScriptFinding>();

  constructor(source: string, script: ParsedScript) {
    this.script = script;
    this.mentions = Array.from(source.matchAll(MENTION), (match) => match.index);
  }

  run(): ScriptFinding[] {
    for (const statement of this.script.program.body) this.noteStaticImport(statement);
    const pending: AnyNode[] = [this.script.program];
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      this.note(node);
      for (const child of runChildren(node)) if (this.hasMention(child)) pending.push(child);
    }
    return [...this.findings.values()].sort((one, other) => one.at - other.at);
  }

  private hasMention({ start, end }: Node): boolean {
    let low = 0;
    let high = this.mentions.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.mentions[middle] ?? end) < start) low = middle + 1;
      else high = middle;
    }
    return (this.mentions[low] ?? end) < end;
  }

  /** Of the same finding the first one counts. */
  private add(finding: ScriptFinding): void {
    const key = `${finding.what} ${"name" in finding ? finding.name : "url" in finding ? finding.url : ""}`;
    const known = this.findings.get(key);
    if (known === undefined || known.at > finding.at) this.findings.set(key, finding);
  }

  private note(node: AnyNode): void {
    const { type, start } = node;
    if (type === "Identifier" && !this.isDeclared(node.name)) this.noteStorage(node.name, start);
    else if (type === "MemberExpression") this.noteMember(node);
    else if (type === "NewExpression") this.noteWorker(this.globalName(node.callee), node.arguments[0], start);
    else if (type === "CallExpression") this.noteImportScripts(this.globalName(node.callee), node.arguments, start);
    else if (type === "ImportExpression") this.noteImport("import()", node.source, start);
  }

  private noteStaticImport(statement: AnyNode): void {
    if (!("source" in statement)) return;
    const { source, start } = statement;
    if (isNode(source)) this.noteImport("import", source, start);
  }

  /** Names alone are looked up in an import map, or by nobody. */
  private noteImport(what: "import" | "import()", source: AnyNode, at: number): void {
    const url = textOf(source);
    if (url !== undefined && /^\.{0,2}\//.test(url)) this.add({ what, url, at });
  }

  private noteWorker(name: string | undefined, source: AnyNode | undefined, at: number): void {
    if (name === "SharedWorker") this.add({ what: name, at });
    const url = name === "Worker" && source !== undefined ? addressOf(source) : undefined;
    if (url !== undefined && !SCRIPT_IN_ITSELF.test(url)) this.add({ what: "Worker", url, at });
  }

  private noteImportScripts(
    name: string | undefined,
    sources: readonly (Expression | SpreadElement)[],
    at: number,
  ): void {
    if (name !== "importScripts") return;
    const url = sources.map(textOf).find((text) => text !== undefined && !/^\s*(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(text));
    if (url !== undefined) this.add({ what: name, url, at });
  }

  private noteMember(member: MemberExpression): void {
    const name = propertyName(member);
    const { object, start: at } = member;
    if (this.isGlobalObject(object)) this.noteStorage(name, at);
    // To have the factory is allowed, to use it is not.
    if (this.globalName(object) === "indexedDB") this.add({ what: "storage", name: "indexedDB", at });
    if (name === "cookie" && this.globalName(object) === "document") {
      this.add({ what: "storage", name: "document.cookie", at });
    }
    if (name === "serviceWorker" && this.globalName(object) === "navigator") this.add({ what: name, at });
  }

  private noteStorage(name: string | undefined, at: number): void {
    if (name === "localStorage" || name === "sessionStorage" || name === "caches") {
      this.add({ what: "storage", name, at });
    }
  }

  private isDeclared(name: string): boolean {
    return this.script.declared.has(name);
  }

  private isGlobalObject(node: AnyNode): boolean {
    return node.type === "Identifier" && GLOBAL_OBJECTS.has(node.name) && !this.isDeclared(node.name);
  }

  /** What is named, directly or as a property of the global object. */
  private globalName(node: AnyNode): string | undefined {
    if (node.type === "Identifier") return this.isDeclared(node.name) ? undefined : node.name;
    return node.type === "MemberExpression" && this.isGlobalObject(node.object) ? propertyName(node) : undefined;
  }
}

/** The text that an expression is, as far as it stands there. */
function textOf(node: AnyNode): string | undefined {
  if (node.type === "Literal") return stringOf(node);
  const [only, ...more] = node.type === "TemplateLiteral" ? node.quasis : [];
  return more.length === 0 ? (only?.value.cooked ?? undefined) : undefined;
}

const stringOf = ({ value }: Literal): string | undefined => (typeof value === "string" ? value : undefined);

/** The same of a URL, which may be made of a text and a base. */
function addressOf(node: AnyNode): string | undefined {
  const isUrl = node.type === "NewExpression" && node.callee.type === "Identifier" && node.callee.name === "URL";
  const source = isUrl ? node.arguments[0] : node;
  return source && textOf(source);
}

/** The children that are run, and run without a `catch` around them in this node. */
function runChildren(node: AnyNode): AnyNode[] {
  if (HOLD_NO_USE.has(node.type)) return [];
  const left = keyLeftOut(node);
  const children: AnyNode[] = [];
  for (const [key, value] of entries(node)) {
    if (key === left) continue;
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) children.push(child);
  }
  return children;
}

/** The key under which a node holds a mere name, or code whose errors it catches. */
function keyLeftOut(node: AnyNode): string | undefined {
  switch (node.type) {
    case "TryStatement":
      return node.handler ? "block" : undefined;
    case "MemberExpression":
      return node.computed ? undefined : "property";
    case "Property":
    case "MethodDefinition":
    case "PropertyDefinition":
      return node.computed ? undefined : "key";
    case "FunctionExpression":
    case "ClassExpression":
      return "id";
    case "LabeledStatement":
      return "label";
    default:
      return undefined;
  }
}

function propertyName({ computed, property }: MemberExpression): string | undefined {
  if (!computed) return property.type === "Identifier" ? property.name : undefined;
  return property.type === "Literal" ? stringOf(property) : undefined;
}

function entries(node: AnyNode): [string, unknown][] {
  return Object.entries(node);
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}
