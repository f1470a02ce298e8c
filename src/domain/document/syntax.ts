import type { AnyNode, Literal, MemberExpression } from "acorn";

/** What a child of a node is to it. */
export interface Child {
  readonly key: string;
  readonly node: AnyNode;
}

const HOLD_NO_USE: ReadonlySet<string> = new Set([
  "BreakStatement",
  "ContinueStatement",
  "ImportDeclaration",
  "ExportSpecifier",
  "ExportAllDeclaration",
]);

/** Yields the children of a node that are run, or may be. */
export function* childrenOf(node: AnyNode): Generator<Child> {
  if (HOLD_NO_USE.has(node.type)) return;
  const left = nameKeyOf(node);
  for (const [key, value] of entries(node)) {
    if (key === left) continue;
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield { key, node: child };
  }
}

/** The key under which a node holds a mere name. */
function nameKeyOf(node: AnyNode): string | undefined {
  switch (node.type) {
    case "MemberExpression":
      return node.computed ? undefined : "property";
    case "Property":
    case "MethodDefinition":
    case "PropertyDefinition":
      return node.computed ? undefined : "key";
    case "FunctionDeclaration":
    case "ClassDeclaration":
    case "FunctionExpression":
    case "ClassExpression":
      return "id";
    case "VariableDeclarator":
      return node.id.type === "Identifier" ? "id" : undefined;
    case "LabeledStatement":
      return "label";
    default:
      return undefined;
  }
}

/** Returns the text that an expression is, as far as it stands there. */
export function textOf(node: AnyNode | null | undefined): string | undefined {
  if (node?.type === "Literal") return stringOf(node);
  const [only, ...more] = node?.type === "TemplateLiteral" ? node.quasis : [];
  return more.length === 0 ? (only?.value.cooked ?? undefined) : undefined;
}

const stringOf = ({ value }: Literal): string | undefined => (typeof value === "string" ? value : undefined);

/** Returns the text of a URL, which may be made of a text and a base. */
export function addressOf(node: AnyNode | undefined): string | undefined {
  const isUrl = node?.type === "NewExpression" && node.callee.type === "Identifier" && node.callee.name === "URL";
  return textOf(isUrl ? node.arguments[0] : node);
}

/** Returns the name of the property that is asked for, as far as it stands there. */
export function propertyName({ computed, property }: MemberExpression): string | undefined {
  if (!computed) return property.type === "Identifier" ? property.name : undefined;
  return property.type === "Literal" ? stringOf(property) : undefined;
}

/** Returns the name under which a node keeps what is in its value: of a function, a variable or a property. */
export function boundName(node: AnyNode, key: string): string | undefined {
  switch (node.type) {
    case "FunctionDeclaration":
    case "FunctionExpression":
      return key === "body" || key === "params" ? (node.id?.name ?? undefined) : undefined;
    case "VariableDeclarator":
      return key === "init" && node.id.type === "Identifier" ? node.id.name : undefined;
    case "AssignmentExpression":
      return key === "right" ? targetName(node.left) : undefined;
    case "Property":
    case "MethodDefinition":
    case "PropertyDefinition":
      return key === "value" && node.key.type === "Identifier" ? node.key.name : undefined;
    default:
      return undefined;
  }
}

function targetName(target: AnyNode): string | undefined {
  if (target.type === "Identifier") return target.name;
  return target.type === "MemberExpression" ? propertyName(target) : undefined;
}

export const isFunction = ({ type }: AnyNode): boolean =>
  type === "FunctionDeclaration" || type === "FunctionExpression" || type === "ArrowFunctionExpression";

/** Returns the value of an object's property by its name, where it stands there. */
export function propertyValue(node: AnyNode | undefined, name: string): AnyNode | undefined {
  if (node?.type !== "ObjectExpression") return undefined;
  for (const property of node.properties) {
    if (property.type !== "Property" || property.computed) continue;
    const { key } = property;
    if ((key.type === "Identifier" && key.name === name) || (key.type === "Literal" && key.value === name))
      return property.value;
  }
  return undefined;
}

function entries(node: AnyNode): [string, unknown][] {
  return Object.entries(node);
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}
