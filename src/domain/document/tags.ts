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
} as const;

const ON_ANY_ELEMENT = Attribute.src | Attribute.poster | Attribute.xlinkHref | Attribute.style;

/** How to go on after a start tag: with markup, or with text in which tags mean nothing. */
type Content = "markup" | "text" | "rest" | "title" | "style" | "script" | "base" | "template" | "foreign";

export interface Element {
  readonly name: string;
  /** The bits of the attributes that matter on this element. */
  readonly takes: number;
  readonly content: Content;
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
]);

export const ELEMENTS = new NameTable<Element>([
  ...elements(["a", "area", "use", "image", "feimage"], "markup", Attribute.href),
  ...elements(["img", "source"], "markup", Attribute.srcset),
  ...elements(["textarea", "iframe", "noembed", "noframes", "noscript", "xmp"], "text"),
  ...elements(["svg", "math"], "foreign"),
  element("link", "markup", Attribute.href | Attribute.imagesrcset),
  element("object", "markup", Attribute.data),
  element("plaintext", "rest"),
  element("title", "title"),
  element("style", "style"),
  element("script", "script", Attribute.type),
  element("base", "base"),
  element("template", "template", Attribute.shadowRoot),
]);

function elements(names: readonly string[], content: Content, takes = 0): Element[] {
  return names.map((name) => element(name, content, takes));
}

function element(name: string, content: Content, takes = 0): Element {
  return { name, takes: takes | ON_ANY_ELEMENT, content };
}
