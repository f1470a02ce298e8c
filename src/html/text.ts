import { NameTable } from "./names.ts";
import { type Attribute, createHtmlReader } from "./tokens.ts";

/** Takes HTML piece by piece and passes the visible text to a sink, in linear time. */
export interface TextExtractor {
  push(piece: string): void;
  end(): void;
}

/** Receives the visible text, and the tags that break it into lines. */
export interface TextSink {
  text(value: string): void;
  tag(name: string, isOpening: boolean): void;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** Elements whose content is not text of the page. */
const DROPPED = words("iframe noembed noframes noscript script style template title");
export const VOID = words("area base br col embed hr img input link meta source track wbr");
/** Start tags that end an element whose end tag may be omitted (HTML standard, 13.1.2.4). */
const ENDED_BY: Readonly<Record<string, ReadonlySet<string>>> = {
  p: words(
    "address article aside blockquote details dialog div dl fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section table ul",
  ),
  li: words("li"),
  dt: words("dt dd"),
  dd: words("dt dd"),
  tr: words("tr tbody tfoot"),
  td: words("td th tr tbody tfoot"),
  th: words("td th tr tbody tfoot"),
  option: words("option optgroup"),
};

/**
 * Declarations in an element's own `style` that hide it. Stylesheets are not considered: they also hide what tabs and menus
 * show on a click.
 */
const HIDING_STYLE =
  /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0*\.?0*%?|font-size\s*:\s*0*\.?0*[a-z%]*)\s*(?:!\s*important\s*)?(?:;|$)/i;

/** The attributes that decide whether an element is visible. */
export const HIDING_NAMES = ["hidden", "open", "style"] as const;
const HIDING_ATTRIBUTES = new NameTable(HIDING_NAMES);
/** The characters of a `style` that are read, which bounds the work of the pattern. */
const MAX_STYLE = 4096;
/** The distinct element names that are counted, which bounds the memory. */
const MAX_NAMES = 256;

/** Returns an extractor that leaves out scripts, styles and hidden elements. */
export function createTextExtractor(sink: TextSink): TextExtractor {
  const visible = createVisibility();
  return createHtmlReader(
    {
      attributes: HIDING_ATTRIBUTES,
      startTag: ({ name, attributes, isClosed }) => !isClosed && visible.open(name, attributes) && sink.tag(name, true),
      endTag: (name) => visible.close(name) && sink.tag(name, false),
      text: (text) => visible.isVisible() && sink.text(text),
    },
    { decodesText: true },
  );
}

/** Counts open elements, in bounded memory, to find where a hidden one ends. */
export function createVisibility() {
  /** The number of open elements of each name, around the hidden element and inside it. */
  const outside = new Map<string, number>();
  const within = new Map<string, number>();
  let hidden: string | undefined;

  function show(): void {
    hidden = undefined;
    within.clear();
  }

  /** Returns whether the element is visible. */
  function open(name: string, attributes: ReadonlyMap<string, Attribute>): boolean {
    if (hidden !== undefined && within.size === 0 && ENDED_BY[hidden]?.has(name)) show();
    if (VOID.has(name)) return hidden === undefined;
    if (hidden === undefined && isHidden(name, attributes)) hidden = name;
    else add(hidden === undefined ? outside : within, name);
    return hidden === undefined;
  }

  /** Returns whether the end tag belongs to a visible element. */
  function close(name: string): boolean {
    if (hidden === undefined) {
      remove(outside, name);
      return true;
    }
    if (remove(within, name)) return false;
    const isOwn = name === hidden;
    // The end tag of an outer element also ends the hidden one; browsers ignore any other end tag.
    if (isOwn || remove(outside, name)) show();
    return !isOwn && hidden === undefined;
  }

  return { open, close, isVisible: () => hidden === undefined };
}

function add(counts: Map<string, number>, name: string): void {
  const count = counts.get(name);
  if (count !== undefined || counts.size < MAX_NAMES) counts.set(name, (count ?? 0) + 1);
}

function remove(counts: Map<string, number>, name: string): boolean {
  const count = counts.get(name);
  if (count === undefined) return false;
  if (count === 1) counts.delete(name);
  else counts.set(name, count - 1);
  return true;
}

function isHidden(name: string, attributes: ReadonlyMap<string, Attribute>): boolean {
  if (DROPPED.has(name) || attributes.has("hidden")) return true;
  if (name === "dialog" && !attributes.has("open")) return true;
  const style = attributes.get("style");
  return style !== undefined && HIDING_STYLE.test(style.text.slice(0, MAX_STYLE));
}
