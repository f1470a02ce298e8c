import { NameTable } from "./name-table.ts";

/** The attributes that matter, one bit each. */
export const Attribute = {
  src: 1,
  poster: 2,
  xlinkHref: 4,
  style: 8,
  href: 16,
  data: 32,
  srcset: 64,
  imagesrcset: 128,
  type: 256,
  shadowRoot: 512,
  target: 1024,
  crossOrigin: 2048,
  integrity: 4096,
} as const;

/** Those that hold the URL which an element with a role is about. */
export const ADDRESSES = Attribute.src | Attribute.href | Attribute.xlinkHref;
/** Those of which it matters only whether they are there. */
export const TELLING = Attribute.shadowRoot | Attribute.crossOrigin | Attribute.integrity;

const ON_ANY_ELEMENT = Attribute.src | Attribute.poster | Attribute.xlinkHref | Attribute.style;

const LOADING = Attribute.crossOrigin | Attribute.integrity;

/** How to go on after a start tag: with markup, or with text in which tags mean nothing. */
type Content = "markup" | "text" | "rest" | "title" | "style" | "script" | "base" | "template" | "foreign";

/** What an element does with its URL, where its other attributes have a say in that. */
export type Role = "link" | "shape" | "script" | "file" | undefined;

export interface Element {
  readonly name: string;
  /** The bits of the attributes that matter on this element. */
  readonly takes: number;
  readonly content: Content;
  readonly role: Role;
}

/** Every element that needs no treatment of its own. */
export const OTHER_ELEMENT: Element = element("", "markup");

export const ATTRIBUTES = new NameTable([
  { name: "src", bit: Attribute.src },
  { name: "poster", bit: Attribute.poster },
  { name: "xlink:href", bit: Attribute.xlinkHref },
  { name: "style", bit: Attribute.style },
  { name: "href", bit: Attribute.href },
  { name: "data", bit: Attribute.data },
  { name: "srcset", bit: Attribute.srcset },
  { name: "imagesrcset", bit: Attribute.imagesrcset },
  { name: "type", bit: Attribute.type },
  { name: "shadowrootmode", bit: Attribute.shadowRoot },
  { name: "target", bit: Attribute.target },
  { name: "crossorigin", bit: Attribute.crossOrigin },
  { name: "integrity", bit: Attribute.integrity },
]);

export const ELEMENTS = new NameTable<Element>([
  ...elements(["a", "area"], "markup", Attribute.href | Attribute.target, "link"),
  ...elements(["image", "feimage"], "markup", Attribute.href),
  ...elements(["img", "source"], "markup", Attribute.srcset),
  ...elements(["textarea", "iframe", "noembed", "noframes", "noscript", "xmp"], "text"),
  ...elements(["svg", "math"], "foreign"),
  element("use", "markup", Attribute.href, "shape"),
  element("link", "markup", Attribute.href | Attribute.imagesrcset | LOADING, "file"),
  element("object", "markup", Attribute.data),
  element("plaintext", "rest"),
  element("title", "title"),
  element("style", "style"),
  element("script", "script", Attribute.type | LOADING, "script"),
  element("base", "base", Attribute.target),
  element("template", "template", Attribute.shadowRoot),
]);

function elements(names: readonly string[], content: Content, takes = 0, role?: Role): Element[] {
  return names.map((name) => element(name, content, takes, role));
}

function element(name: string, content: Content, takes = 0, role?: Role): Element {
  return { name, takes: takes | ON_ANY_ELEMENT, content, role };
}
