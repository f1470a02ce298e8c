import { Tokenizer } from "htmlparser2";

/** Takes HTML piece by piece and gives the text that a reader sees of it to a sink; linear in its length. */
export interface TextExtractor {
  push(piece: string): void;
  end(): void;
}

/** Receives text, and the elements that shape the lines around it. */
export interface TextSink {
  text(value: string): void;
  tag(name: string, isOpening: boolean): void;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** Elements whose content isn't text of the page. */
const DROPPED = words("iframe noembed noframes noscript script style template title");
const VOID = words("area base br col embed hr img input link meta source track wbr");
/** Opening tags that end an element whose end tag may be left out (HTML 13.1.2.4). */
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
 * Ways in which an element's own `style` hides it. Rules in stylesheets aren't looked at: they hide what tabs and menus
 * show at a click as well.
 */
const HIDING_STYLE =
  /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0*\.?0*%?|font-size\s*:\s*0*\.?0*[a-z%]*)\s*(?:!\s*important\s*)?(?:;|$)/i;

/** Characters of a name or value that are looked at: nothing is known by longer ones. */
const LONGEST_NAME = 64;
const LONGEST_VALUE = 4096;
/** Distinct names of elements that are counted. */
const MOST_NAMES = 256;

/** Returns an extractor that leaves out scripts, styles and elements that are hidden where they stand. */
export function createTextExtractor(sink: TextSink): TextExtractor {
  const visible = createVisibility();
  let held = "";
  /** How many characters came before those that are held. */
  let before = 0;
  let tag = "";
  let attribute = "";
  let attributes = new Map<string, string>();

  const slice = (start: number, end: number) => held.slice(Math.max(0, start - before), end - before);
  const nameAt = (start: number, end: number) => slice(start, end).slice(0, LONGEST_NAME).toLowerCase();

  function addToValue(text: string): void {
    const value = attributes.get(attribute);
    if (value !== undefined && value.length < LONGEST_VALUE) attributes.set(attribute, value + text);
  }

  function open(): void {
    if (visible.open(tag, attributes)) sink.tag(tag, true);
  }

  const tokenizer = new Tokenizer(
    { xmlMode: false, decodeEntities: true },
    {
      ontext: (start, end) => visible.isVisible() && sink.text(slice(start, end)),
      ontextentity: (codepoint) => visible.isVisible() && sink.text(String.fromCodePoint(codepoint)),
      onopentagname(start, end) {
        tag = nameAt(start, end);
        attributes = new Map();
      },
      onattribname(start, end) {
        attribute = nameAt(start, end);
        if (["hidden", "open", "style"].includes(attribute)) attributes.set(attribute, "");
      },
      onattribdata: (start, end) => attributes.has(attribute) && addToValue(slice(start, end)),
      onattribentity: (codepoint) => addToValue(String.fromCodePoint(codepoint)),
      onattribend() {},
      onopentagend: open,
      onselfclosingtag: open,
      onclosetag(start, end) {
        const name = nameAt(start, end);
        if (visible.close(name)) sink.tag(name, false);
      },
      oncdata() {},
      oncomment() {},
      ondeclaration() {},
      onprocessinginstruction() {},
      onend() {},
    },
  );

  return {
    push(piece) {
      // What a name or value needs of the piece before; longer ones are cut.
      const kept = held.slice(-LONGEST_VALUE);
      before += held.length - kept.length;
      held = kept + piece;
      tokenizer.write(piece);
    },
    end: () => tokenizer.end(),
  };
}

/** Follows which elements are open, as far as that tells where a hidden one ends, in bounded memory. */
function createVisibility() {
  /** How many elements of each name are open, outside of the hidden one and within it. */
  const outside = new Map<string, number>();
  const within = new Map<string, number>();
  let hidden: string | undefined;

  function show(): void {
    hidden = undefined;
    within.clear();
  }

  /** Returns whether the element is shown. */
  function open(name: string, attributes: ReadonlyMap<string, string>): boolean {
    if (hidden !== undefined && within.size === 0 && ENDED_BY[hidden]?.has(name)) show();
    if (VOID.has(name)) return hidden === undefined;
    if (hidden === undefined && isHidden(name, attributes)) hidden = name;
    else add(hidden === undefined ? outside : within, name);
    return hidden === undefined;
  }

  /** Returns whether the end tag is of something that is shown. */
  function close(name: string): boolean {
    if (hidden === undefined) {
      remove(outside, name);
      return true;
    }
    if (remove(within, name)) return false;
    const isOwn = name === hidden;
    // The end of an element around it ends the hidden one too; any other end tag means nothing.
    if (isOwn || remove(outside, name)) show();
    return !isOwn && hidden === undefined;
  }

  return { open, close, isVisible: () => hidden === undefined };
}

function add(counts: Map<string, number>, name: string): void {
  const count = counts.get(name);
  if (count !== undefined || counts.size < MOST_NAMES) counts.set(name, (count ?? 0) + 1);
}

function remove(counts: Map<string, number>, name: string): boolean {
  const count = counts.get(name);
  if (count === undefined) return false;
  if (count === 1) counts.delete(name);
  else counts.set(name, count - 1);
  return true;
}

function isHidden(name: string, attributes: ReadonlyMap<string, string>): boolean {
  if (DROPPED.has(name) || attributes.has("hidden")) return true;
  if (name === "dialog" && !attributes.has("open")) return true;
  return HIDING_STYLE.test(attributes.get("style") ?? "");
}
