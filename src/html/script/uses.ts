import type { AnyNode, CallExpression, MemberExpression, NewExpression } from "acorn";
import { addressOf, propertyName, propertyValue, textOf } from "./syntax.ts";

/** Something a script does that may fail in a report. With `isLater` it rejects a promise instead of throwing. */
export type Use = { readonly at: number; readonly isLater?: boolean } & (
  | { readonly what: "localStorage" | "sessionStorage" | "document.cookie" | "indexedDB" | "caches" | "serviceWorker" }
  | {
      readonly what:
        | "SharedWorker"
        | "getDirectory"
        | "locks"
        | "navigator.credentials"
        | "cssRules"
        | "parent"
        | "popup";
    }
  | { readonly what: "credentials" | "canvas" | "frame"; readonly name: string }
  | { readonly what: "Worker" | "importScripts" | "import" | "import()" | "fetch"; readonly url: string }
);

const INLINE_SCRIPT = /^\s*(?:blob|data):/i;
const GLOBAL_OBJECTS: ReadonlySet<string> = new Set(["window", "self", "globalThis"]);
const READ_BACKS: ReadonlySet<string> = new Set(["toDataURL", "toBlob", "getImageData", "convertToBlob", "texImage2D"]);
const OF_DOCUMENT = /^(?:contentDocument|document)$/;

/** Finds the uses in a node, without its descendants. Skips names that the script declares. */
export class UseFinder {
  private readonly declared: ReadonlyMap<string, number>;
  private readonly popups: ReadonlySet<string>;

  /** `popups` are the variables that hold windows opened by the script. */
  constructor(declared: ReadonlyMap<string, number>, popups: ReadonlySet<string>) {
    this.declared = declared;
    this.popups = popups;
  }

  usesIn(node: AnyNode): Use[] {
    switch (node.type) {
      case "Identifier":
        return this.isDeclared(node.name) ? [] : storageUse(node.name, node.start);
      case "MemberExpression":
        return this.memberUses(node);
      case "NewExpression":
        return this.constructedUses(node);
      case "CallExpression":
        return this.callUses(node);
      case "AssignmentExpression":
        return credentialsAssignment(node.left, node.right, node.start);
      case "ImportExpression":
        return importUse("import()", node.source, node.start);
      default:
        return [];
    }
  }

  private memberUses(member: MemberExpression): Use[] {
    const name = propertyName(member);
    const { object, start: at } = member;
    const owner = this.globalName(object);
    // Only using the factory throws, not reading the property.
    if (owner === "indexedDB") return [{ what: "indexedDB", at }];
    if (owner === "document" && name === "cookie") return [{ what: "document.cookie", at }];
    if (owner === "navigator" && name === "serviceWorker") return [{ what: "serviceWorker", at }];
    if (name === "cssRules" && object.type !== "ThisExpression") return [{ what: "cssRules", at }];
    if (name !== undefined && OF_DOCUMENT.test(name)) return this.documentUses(name, object, at);
    return this.isGlobalObject(object) ? storageUse(name, at) : [];
  }

  /** Finds access to the document of another window. */
  private documentUses(name: string, object: AnyNode, at: number): Use[] {
    const owner = this.globalName(object);
    if (this.isFrame(name, object)) {
      return [{ what: "frame", name: name === "document" ? "contentWindow.document" : name, at }];
    }
    if (name === "document" && (owner === "parent" || owner === "top")) return [{ what: "parent", at }];
    const isPopup = object.type === "Identifier" && this.popups.has(object.name);
    return name === "document" && isPopup ? [{ what: "popup", at }] : [];
  }

  /** Matches `frame.contentDocument`, `frame.contentWindow.document` and `frames[0].document`. */
  private isFrame(name: string, object: AnyNode): boolean {
    if (name === "contentDocument") return true;
    if (object.type !== "MemberExpression") return false;
    return propertyName(object) === "contentWindow" || this.globalName(object.object) === "frames";
  }

  private constructedUses({ callee, arguments: given, start: at }: NewExpression): Use[] {
    const name = this.globalName(callee);
    if (name === "SharedWorker") return [{ what: name, at }];
    if (name === "Request") return credentialsOption(given[1], at);
    const url = name === "Worker" ? addressOf(given[0]) : undefined;
    return url === undefined || INLINE_SCRIPT.test(url) ? [] : [{ what: "Worker", url, at }];
  }

  private callUses({ callee, arguments: given, start: at }: CallExpression): Use[] {
    const name = this.globalName(callee);
    if (name === "importScripts") {
      const url = given.map(textOf).find((text) => text !== undefined && !/^\s*(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(text));
      return url === undefined ? [] : [{ what: name, url, at }];
    }
    if (name === "fetch") return [...fetchUse(given[0], at), ...credentialsOption(given[1], at)];
    return callee.type === "MemberExpression" ? this.methodUses(callee, given[0], at) : [];
  }

  private methodUses(callee: MemberExpression, given: AnyNode | undefined, at: number): Use[] {
    const name = propertyName(callee);
    const { object } = callee;
    if (name !== undefined && READ_BACKS.has(name)) return [{ what: "canvas", name, at }];
    if (object.type !== "MemberExpression" || this.globalName(object.object) !== "navigator") return [];
    const owner = propertyName(object);
    if (owner === "storage" && name === "getDirectory") return [{ what: name, at, isLater: true }];
    if (owner === "locks") return [{ what: owner, at, isLater: true }];
    // A request for a password does not fail; it finds none.
    const isKey = given?.type !== "ObjectExpression" || propertyValue(given, "publicKey") !== undefined;
    return owner === "credentials" && isKey ? [{ what: "navigator.credentials", at, isLater: true }] : [];
  }

  private isDeclared(name: string): boolean {
    return this.declared.has(name);
  }

  private isGlobalObject(node: AnyNode): boolean {
    return node.type === "Identifier" && GLOBAL_OBJECTS.has(node.name) && !this.isDeclared(node.name);
  }

  /** Returns the name of a global, which may be written as a property of the global object. */
  private globalName(node: AnyNode): string | undefined {
    if (node.type === "Identifier") return this.isDeclared(node.name) ? undefined : node.name;
    if (node.type === "ChainExpression") return this.globalName(node.expression);
    return node.type === "MemberExpression" && this.isGlobalObject(node.object) ? propertyName(node) : undefined;
  }
}

function storageUse(name: string | undefined, at: number): Use[] {
  return name === "localStorage" || name === "sessionStorage" || name === "caches" ? [{ what: name, at }] : [];
}

function fetchUse(source: AnyNode | undefined, at: number): Use[] {
  const url = addressOf(source);
  return url === undefined ? [] : [{ what: "fetch", url, at, isLater: true }];
}

function credentialsOption(options: AnyNode | undefined, at: number): Use[] {
  const isIncluded = textOf(propertyValue(options, "credentials")) === "include";
  return isIncluded ? [{ what: "credentials", name: 'credentials: "include"', at, isLater: true }] : [];
}

function credentialsAssignment(left: AnyNode, right: AnyNode, at: number): Use[] {
  if (left.type !== "MemberExpression" || propertyName(left) !== "withCredentials") return [];
  const isTrue = right.type === "Literal" && right.value === true;
  const isShortTrue = right.type === "UnaryExpression" && right.operator === "!" && isZero(right.argument);
  return isTrue || isShortTrue ? [{ what: "credentials", name: "withCredentials", at }] : [];
}

/** Matches the 0 in a minifier's `!0`. */
const isZero = (node: AnyNode): boolean => node.type === "Literal" && node.value === 0;

/** Returns the import of a file. Bare names are resolved by an import map. */
export function importUse(what: "import" | "import()", source: AnyNode, at: number): Use[] {
  const url = textOf(source);
  return url !== undefined && /^(?:\.{0,2}\/|data:)/.test(url) ? [{ what, url, at }] : [];
}
