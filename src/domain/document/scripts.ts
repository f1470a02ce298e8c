import type { AnyNode, MemberExpression, Node } from "acorn";
import type { ScriptKind } from "./html.ts";
import { type ParsedScript, parseScript } from "./parser.ts";

const STORAGE_NAMES = ["localStorage", "sessionStorage", "document.cookie"] as const;

/** What throws in a page with an opaque origin. */
export type StorageName = (typeof STORAGE_NAMES)[number];

/** A longer script is left alone: parsing takes 50 to 70 ms for each million characters. */
export const MAX_PARSED_LENGTH = 2_000_000;

const MENTION = /localStorage|sessionStorage|cookie/g;
const GLOBAL_OBJECTS: ReadonlySet<string> = new Set(["window", "self", "globalThis"]);
const HOLD_NO_USE: ReadonlySet<string> = new Set([
  "BreakStatement",
  "ContinueStatement",
  "ImportDeclaration",
  "ExportSpecifier",
  "ExportAllDeclaration",
]);

/** Whether the script names storage at all; only then a parse can find a use of it. */
export function mentionsStorage(source: string): boolean {
  const mentionsCookie = source.includes("cookie") && source.includes("document");
  return mentionsCookie || source.includes("localStorage") || source.includes("sessionStorage");
}

/**
 * What the script uses of `localStorage`, `sessionStorage` and `document.cookie` outside the block of a `try … catch`. Rather says
 * nothing than raises a false alarm: a script that is too long or that cannot be parsed has no use, nor has a name that the script
 * declares somewhere.
 */
export function usesStorageUnguarded(source: string, kind: ScriptKind): StorageName[] {
  if (source.length > MAX_PARSED_LENGTH || !mentionsStorage(source)) return [];
  const script = tryParse(source, kind);
  if (script === undefined) return [];
  const uses = new UseSearch(source, script).run();
  return STORAGE_NAMES.filter((name) => uses.has(name));
}

function tryParse(source: string, kind: ScriptKind): ParsedScript | undefined {
  try {
    return parseScript(source, kind === "module" ? "module" : "script");
  } catch {
    return undefined;
  }
}

/** Walks to the places where a storage word stands and nowhere else: of a large script that is next to nothing. */
class UseSearch {
  private readonly script: ParsedScript;
  private readonly mentions: readonly number[];
  private readonly uses = new Set<StorageName>();

  constructor(source: string, script: ParsedScript) {
    this.script = script;
    this.mentions = Array.from(source.matchAll(MENTION), (match) => match.index);
  }

  run(): ReadonlySet<StorageName> {
    const pending: AnyNode[] = [this.script.program];
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      this.note(node);
      for (const child of runChildren(node)) if (this.hasMention(child)) pending.push(child);
    }
    return this.uses;
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

  private note(node: AnyNode): void {
    if (node.type === "Identifier" && !this.isDeclared(node.name)) this.noteStorage(node.name);
    if (node.type === "MemberExpression") this.noteMember(node);
  }

  private noteMember(member: MemberExpression): void {
    const name = propertyName(member);
    if (this.isGlobalObject(member.object)) this.noteStorage(name);
    if (name === "cookie" && this.isDocument(member.object)) this.uses.add("document.cookie");
  }

  private noteStorage(name: string | undefined): void {
    if (name === "localStorage" || name === "sessionStorage") this.uses.add(name);
  }

  private isDeclared(name: string): boolean {
    return this.script.declared.has(name);
  }

  private isGlobalObject(node: AnyNode): boolean {
    return node.type === "Identifier" && GLOBAL_OBJECTS.has(node.name) && !this.isDeclared(node.name);
  }

  private isDocument(node: AnyNode): boolean {
    if (node.type === "Identifier") return node.name === "document" && !this.isDeclared(node.name);
    return node.type === "MemberExpression" && propertyName(node) === "document" && this.isGlobalObject(node.object);
  }
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
  return property.type === "Literal" && typeof property.value === "string" ? property.value : undefined;
}

function entries(node: AnyNode): [string, unknown][] {
  return Object.entries(node);
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}
