import { decodeHTML } from "entities";

/** Takes HTML piece by piece and gives what a reader would see of it to `write`; linear in its length. */
export interface TextExtractor {
  push(piece: string): void;
  end(): void;
}

/** Text, or what an element means for the lines around it. */
export interface TextSink {
  text(value: string): void;
  tag(name: string, isOpening: boolean): void;
}

/** Their content is no text of the page. */
const DROPPED = ["script", "style", "title", "noscript", "template", "iframe", "noembed", "noframes"];
const DROPPED_ENDS = new Map(DROPPED.map((name) => [name, new RegExp(`</${name}(?=[\\s/>])`, "gi")]));

const TAG_NAME = /<(\/?)([a-z][^\s/>]*)/iy;
const IN_TAG = />|=\s*["']/g;
const OPEN_ASSIGNMENT = /=\s*$/;
/** An entity that has not come to its end yet. */
const OPEN_ENTITY = /&[#\w]{0,32}$/;
/** Longer names of tags are cut: nothing is known by them. */
const LONGEST_NAME = 64;

type State =
  | { at: "text" }
  | { at: "comment" }
  | { at: "declaration" }
  | { at: "tag"; opens: string | undefined }
  | { at: "attribute"; quote: string; opens: string | undefined }
  | { at: "dropped"; name: string };

/** Where the next step begins, and what is to be kept until more has come. */
interface Step {
  state: State;
  /** Undefined: nothing more can be told from what is there; the rest from `keep` on is looked at again. */
  next?: number;
  keep?: number;
}

const TEXT: State = { at: "text" };

export function createTextExtractor(sink: TextSink): TextExtractor {
  let state: State = TEXT;
  let carried = "";

  function push(piece: string, isLast = false): void {
    const input = carried + piece;
    let position = 0;
    while (true) {
      const step = takeStep(state, input, position, isLast, sink);
      state = step.state;
      if (step.next === undefined) {
        carried = isLast ? "" : input.slice(step.keep ?? input.length);
        return;
      }
      position = step.next;
    }
  }

  return { push: (piece) => push(piece), end: () => push("", true) };
}

function takeStep(state: State, input: string, from: number, isLast: boolean, sink: TextSink): Step {
  switch (state.at) {
    case "text":
      return takeText(input, from, isLast, sink);
    case "comment":
      return skipPast(input, from, "-->", state);
    case "declaration":
      return skipPast(input, from, ">", state);
    case "attribute": {
      const step = skipPast(input, from, state.quote, state);
      return step.next === undefined ? step : { ...step, state: { at: "tag", opens: state.opens } };
    }
    case "tag":
      return takeTag(state, input, from);
    case "dropped":
      return takeDropped(state, input, from);
  }
}

function skipPast(input: string, from: number, end: string, state: State): Step {
  const found = input.indexOf(end, from);
  if (found >= 0) return { state: TEXT, next: found + end.length };
  return { state, keep: Math.max(from, input.length - end.length + 1) };
}

function takeText(input: string, from: number, isLast: boolean, sink: TextSink): Step {
  const less = input.indexOf("<", from);
  const end = less < 0 ? input.length : less;
  const open = less < 0 && !isLast ? OPEN_ENTITY.exec(input.slice(Math.max(from, end - 34), end)) : null;
  const textEnd = open === null ? end : end - open[0].length;
  if (textEnd > from) sink.text(decodeHTML(input.slice(from, textEnd)));
  if (less < 0) return { state: TEXT, keep: textEnd };
  // Enough to tell a comment, and the name of a tag.
  if (!isLast && input.length - less < LONGEST_NAME && !input.slice(less).includes(">")) {
    return { state: TEXT, keep: less };
  }
  return takeMarkup(input, less, sink);
}

function takeMarkup(input: string, less: number, sink: TextSink): Step {
  if (input.startsWith("<!--", less)) return { state: { at: "comment" }, next: less + 4 };
  TAG_NAME.lastIndex = less;
  const [whole, slash, raw = ""] = TAG_NAME.exec(input) ?? [];
  if (whole === undefined) {
    const isDeclaration = /[!?/]/.test(input[less + 1] ?? "");
    if (isDeclaration) return { state: { at: "declaration" }, next: less + 1 };
    sink.text("<");
    return { state: TEXT, next: less + 1 };
  }
  const name = raw.slice(0, LONGEST_NAME).toLowerCase();
  sink.tag(name, slash === "");
  return { state: { at: "tag", opens: slash === "" ? name : undefined }, next: less + whole.length };
}

function takeTag(state: State & { at: "tag" }, input: string, from: number): Step {
  IN_TAG.lastIndex = from;
  const found = IN_TAG.exec(input);
  if (found === null) {
    const open = OPEN_ASSIGNMENT.exec(input.slice(Math.max(from, input.length - LONGEST_NAME)));
    return { state, keep: input.length - (open?.[0].length ?? 0) };
  }
  const next = found.index + found[0].length;
  if (found[0] !== ">") return { state: { at: "attribute", quote: found[0].slice(-1), opens: state.opens }, next };
  const isDropped = state.opens !== undefined && DROPPED_ENDS.has(state.opens);
  return { state: isDropped ? { at: "dropped", name: state.opens ?? "" } : TEXT, next };
}

function takeDropped(state: State & { at: "dropped" }, input: string, from: number): Step {
  const end = DROPPED_ENDS.get(state.name);
  if (end === undefined) return { state: TEXT, next: from };
  end.lastIndex = from;
  const found = end.exec(input);
  if (found !== null) return { state: { at: "tag", opens: undefined }, next: found.index + found[0].length };
  return { state, keep: Math.max(from, input.length - state.name.length - 2) };
}
