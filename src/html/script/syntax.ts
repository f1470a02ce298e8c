import type { AnyNode, Literal, MemberExpression } from "acorn";

/** A child of a node, with the property that holds it. */
export interface Child {
  readonly key: string;
  readonly node: AnyNode;
}

const WITHOUT_USES: ReadonlySet<string> = new Set([
  "BreakStatement",
  "ContinueStatement",
  "ImportDeclaration",
  "ExportSpecifier",
  "ExportAllDeclaration",
]);

/** Yields the children of a node that may run. */
export function* childrenOf(node: AnyNode): Generator<Child> {
  if (WITHOUT_USES.has(node.type)) return;
  const omitted = nameKeyOf(node);
  for (const [key, value] of entries(node)) {
    if (key === omitted) continue;
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield { key, node: child };
  }
}

/** Returns the property of a node that holds a name rather than an expression. */
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

/** Returns the value of a string literal, or undefined for any other expression. */
export function textOf(node: AnyNode | null | undefined): string | undefined {
  if (node?.type === "Literal") return stringOf(node);
  const [only, ...more] = node?.type === "TemplateLiteral" ? node.quasis : [];
  return more.length === 0 ? (only?.value.cooked ?? undefined) : undefined;
}

const stringOf = ({ value }: Literal): string | undefined => (typeof value === "string" ? value : undefined);

/** Returns the URL in a string literal or in `new URL("…", base)`. */
export function addressOf(node: AnyNode | undefined): string | undefined {
  const isUrl = node?.type === "NewExpression" && node.callee.type === "Identifier" && node.callee.name === "URL";
  return textOf(isUrl ? node.arguments[0] : node);
}

/** Returns the name of the property, or undefined if it is computed from more than a string literal. */
export function propertyName({ computed, property }: MemberExpression): string | undefined {
  if (!computed) return property.type === "Identifier" ? property.name : undefined;
  return property.type === "Literal" ? stringOf(property) : undefined;
}

/** Returns the name of the function, variable or property to which a node binds its value. */
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

/** Returns the value of an object literal's property. */
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
