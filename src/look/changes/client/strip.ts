import type { ScrollState } from "../../../contract/bridge/messages.ts";
import type { Anchor } from "../../../html/anchors/anchor.ts";
import type { Change } from "../../../html/changes/change.ts";
import { differenceOf, nounOf } from "../../../html/changes/markdown.ts";
import { create, createButton } from "../../comments/client/elements.ts";
import { openReview, type ReviewFrame } from "../../comments/client/frame.ts";
import type { Distance } from "../../frame/client/wheel.ts";
import { createMargin } from "./margin.ts";

/** A change and its place in the report; null if it can't be shown there. */
export type ShownChange = Pick<
  Change,
  "kind" | "headings" | "label" | "before" | "after" | "difference" | "percentage"
> & { readonly anchor?: Anchor | null | undefined };

interface StripOptions {
  /** The element that the strip fills. */
  root: HTMLElement;
  /** Such as "Changes since version 3". */
  title: string;
  changes: readonly ShownChange[];
  /** All changes, of which the list may be the first ones. */
  total: number;
  /** Returns the element that holds the frame of the report, for the margin. */
  stage(): HTMLElement | null;
  /** Scrolls the report. */
  scrollBy(distance: Distance): void;
  /** Called when the reader ends it. */
  close(): void;
}

/** Characters of a removed or added text that the strip shows. */
const SHOWN = 160;

/**
 * Shows changes one by one: marks in the report, above it what was there before, and in a margin what was removed. J and K step,
 * Escape ends it.
 */
export function createChangeStrip({ root, title, changes, total, stage, scrollBy, close }: StripOptions) {
  const ending = new AbortController();
  const { signal } = ending;
  let frame: ReviewFrame | undefined;
  let at = 0;
  const count = create("span", "change-strip-count");
  const text = create("p", "change-strip-text");
  text.setAttribute("role", "status");
  const previous = createButton("Previous", "", () => go(at - 1));
  const next = createButton("Next", "", () => go(at + 1));
  previous.title = "Previous change (K)";
  next.title = "Next change (J)";
  const end = createButton("Done", "", close);
  end.title = "Hide the changes (Esc)";
  const steps = create("div", "change-strip-steps", count, previous, next, end);
  const strip = create("section", "change-strip", text, steps);
  strip.setAttribute("aria-label", title);
  root.replaceChildren(strip);
  const removed = changes.flatMap((change, id) => (isRemoval(change) ? [{ id, text: cut(change.before) }] : []));
  const margin = removed.length === 0 ? undefined : createMargin({ removed, choose: go, scrollBy });

  function go(to: number): void {
    if (to < 0 || to >= changes.length) return;
    at = to;
    render();
    frame?.emphasize(at);
    frame?.reveal(at);
  }

  function render(): void {
    const change = changes[at];
    count.textContent = change === undefined ? "" : `${at + 1} of ${total}`;
    text.replaceChildren(...(change === undefined ? ["No changes"] : describe(change)));
    previous.disabled = at === 0;
    next.disabled = at >= changes.length - 1;
    steps.dataset.isEmpty = String(change === undefined);
    margin?.emphasize(at);
  }

  /** Shows the changes in a page that has loaded. `open` passes its bridge a port. */
  function connect(open: (port: MessagePort) => void): void {
    frame?.stop();
    if (margin !== undefined) stage()?.append(margin.root);
    const revealFirst = createOnce(() => opened.reveal(at));
    const opened = openReview(open, {
      ready() {
        opened.show(
          changes.flatMap(({ anchor }, id) => (anchor == null ? [] : [{ id, anchor }])),
          "change",
        );
        opened.emphasize(at);
      },
      failed: () => margin?.place([]),
      placed(placed) {
        margin?.place(placed);
        revealFirst();
      },
      chosen: () => undefined,
      pressed: go,
      escaped: close,
    });
    frame = opened;
  }

  /** Takes the marks out of the report. */
  function stop(): void {
    ending.abort();
    frame?.stop();
    margin?.stop();
    root.replaceChildren();
  }

  document.addEventListener(
    "keydown",
    (event) => {
      const { key, target, ctrlKey, metaKey, altKey, defaultPrevented } = event;
      if (defaultPrevented || ctrlKey || metaKey || altKey || isField(target)) return;
      if (key === "j") go(at + 1);
      else if (key === "k") go(at - 1);
      else if (key === "Escape") close();
      else return;
      event.preventDefault();
    },
    { signal },
  );
  render();
  return {
    connect,
    /** Moves the margin along with the report. */
    scrolled: (to: ScrollState) => margin?.scrolled(to),
    hasFocus: () => [strip, margin?.root].some((part) => part?.contains(document.activeElement) === true),
    stop,
  };
}

export type ChangeStrip = ReturnType<typeof createChangeStrip>;

function createOnce(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) act();
    isDone = true;
  };
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest(
    "input:not([type=checkbox], [type=radio], [type=range]), textarea, select, [contenteditable=true], [role=dialog], [role=menu]",
  ) !== null;

/** Returns whether a change removed something and put nothing in its place. */
const isRemoval = (change: ShownChange): change is ShownChange & { readonly before: string } =>
  !change.after && (change.before ?? "").trim() !== "";

/** Returns what the strip says of a change: where, what was there before, and what is there now. */
function describe(change: ShownChange): Node[] {
  const { kind, headings, label, before, after } = change;
  const isInText = kind === "number" || kind === "text";
  const place = [...headings.slice(-1), ...(isInText ? [] : [label])].filter((part) => part !== "").join(" › ");
  const noun = nounOf(kind);
  const difference = differenceOf(change).replace(/^\((.*)\)$/, "$1");
  const isOther = before !== after;
  const parts: (Node | undefined)[] = [
    place === "" ? undefined : create("span", "change-strip-place", place),
    noun === "" ? undefined : create("b", "", noun),
    before === null || before === "" || !isOther ? undefined : create("del", "", cut(before)),
    after === null || after === "" ? undefined : create("ins", "", cut(after)),
    difference === "" ? undefined : create("span", "change-strip-difference", difference),
  ];
  return parts.flatMap((part) => (part === undefined ? [] : [part, document.createTextNode(" ")]));
}

const cut = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN - 1)}…` : text);
