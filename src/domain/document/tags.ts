import { NameTable } from "./name-table.ts";

/** Attributes that hold a URL on any element. */
const ON_ANY = ["src", "poster", "xlink:href", "style"] as const;
const ON_SOME = [
  "href",
  "data",
  "srcset",
  "imagesrcset",
  "type",
  "shadowrootmode",
  "target",
  "crossorigin",
  "integrity",
  "rel",
  "download",
  "action",
  "method",
  "onsubmit",
  "srcdoc",
  "id",
] as const;
const NAMES = [...ON_ANY, ...ON_SOME];

/** An attribute that matters. */
export type AttributeName = (typeof NAMES)[number];

/** How to go on after a start tag: with markup, or with text in which tags mean nothing. */
type Content = "markup" | "text" | "rest" | "title" | "style" | "script" | "base" | "template" | "foreign";

/** What an element is there for. */
export type Role = "link" | "shape" | "script" | "file" | "image" | "frame" | "form" | "button" | "base" | "other";

export interface Element {
  readonly name: string;
  /** The attributes that matter on this element, one bit each. */
  readonly takes: number;
  readonly content: Content;
  readonly role: Role;
}

const bitOf = (name: AttributeName): number => 1 << NAMES.indexOf(name);
const bitsOf = (names: readonly AttributeName[]): number => names.reduce((bits, name) => bits | bitOf(name), 0);

export const ATTRIBUTES = new NameTable(NAMES.map((name) => ({ name, bit: bitOf(name) })));

/** Every element that needs no treatment of its own. */
export const OTHER_ELEMENT: Element = element("", "markup");

export const ELEMENTS = new NameTable<Element>([
  ...elements(["a", "area"], "markup", ["href", "target", "download"], "link"),
  ...elements(["image", "feimage"], "markup", ["href"]),
  element("img", "markup", ["srcset", "crossorigin", "id"], "image"),
  element("source", "markup", ["srcset"]),
  ...elements(["textarea", "noembed", "noframes", "noscript", "xmp"], "text"),
  element("iframe", "text", ["srcdoc"], "frame"),
  element("frame", "markup", [], "frame"),
  ...elements(["svg", "math"], "foreign"),
  element("use", "markup", ["href"], "shape"),
  element("link", "markup", ["href", "imagesrcset", "crossorigin", "integrity", "rel"], "file"),
  element("object", "markup", ["data"], "frame"),
  element("form", "markup", ["action", "method", "onsubmit"], "form"),
  ...elements(["button", "input"], "markup", ["type"], "button"),
  element("plaintext", "rest"),
  element("title", "title"),
  element("style", "style"),
  element("script", "script", ["type", "crossorigin", "integrity"], "script"),
  element("base", "base", ["target"], "base"),
  element("template", "template", ["shadowrootmode"]),
]);

function elements(
  names: readonly string[],
  content: Content,
  takes: readonly AttributeName[] = [],
  role?: Role,
): Element[] {
  return names.map((name) => element(name, content, takes, role));
}

function element(name: string, content: Content, takes: readonly AttributeName[] = [], role: Role = "other"): Element {
  return { name, takes: bitsOf([...ON_ANY, ...takes]), content, role };
}
