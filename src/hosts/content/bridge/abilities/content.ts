import type { Send } from "../connection.ts";
import { onceLoaded } from "../moments.ts";

/** Milliseconds without a change after which the page counts as settled. */
const QUIET = 2_000;
/** Milliseconds after which the page counts as settled even if it keeps changing or loading. */
const PATIENCE = 10_000;
/** Milliseconds during which a blank page is watched, because it may be waiting for data. */
const WATCHED = 60_000;
/** Nodes that are examined at most; pages with more count as showing something. */
const EXAMINED = 20_000;

const SHOWN = new Set("CANVAS SVG IMG VIDEO IFRAME OBJECT EMBED INPUT BUTTON SELECT".split(" "));
const UNSHOWN = new Set("SCRIPT STYLE NOSCRIPT TEMPLATE TITLE".split(" "));

/** Reports, once the page has settled, whether it shows anything, and whether a blank page shows something later. */
export function watchContent(send: Send): void {
  let timer: ReturnType<typeof setTimeout> | undefined;

  function settle(): void {
    clearTimeout(timer);
    clearTimeout(limit);
    const isBlank = !showsAnything();
    send({ kind: "settled", isBlank });
    if (isBlank) observe();
    else end();
  }

  function wait(): void {
    clearTimeout(timer);
    timer = setTimeout(settle, QUIET);
  }

  function end(): void {
    clearTimeout(timer);
    clearTimeout(limit);
    clearTimeout(last);
    removeEventListener("load", watch);
    observer.disconnect();
  }

  function watch(): void {
    observe();
    wait();
  }

  const observer = new MutationObserver(wait);
  /** Observes what changes from now on. Earlier, while the page is parsed, it would delay its first paint by milliseconds. */
  const observe = (): void => observer.observe(document, { childList: true, characterData: true, subtree: true });
  const limit = setTimeout(settle, PATIENCE);
  const last = setTimeout(end, WATCHED);
  onceLoaded(watch);
}

/** Returns whether the page has visible text, or an image, canvas or the like with an area. */
function showsAnything(): boolean {
  const pending: Node[] = [document.body ?? document.documentElement];
  for (let examined = 0; examined < EXAMINED; examined++) {
    const node = pending.pop();
    if (node === undefined) return false;
    if (isShown(node)) return true;
    pushNext(node, pending);
  }
  return true;
}

const isShown = (node: Node): boolean =>
  node instanceof Text ? isShownText(node) : node instanceof Element && isShownElement(node);

/** Adds what comes next, in reverse. Not all children: a page can have a hundred thousand, of which the first is shown. */
function pushNext(node: Node, pending: Node[]): void {
  const { nextSibling, firstChild } = node;
  if (nextSibling !== null) pending.push(nextSibling);
  if (node instanceof Element && UNSHOWN.has(node.tagName)) return;
  if (firstChild !== null) pending.push(firstChild);
  if (node instanceof Element && node.shadowRoot !== null) pending.push(node.shadowRoot);
}

function isShownText(text: Text): boolean {
  const { parentElement } = text;
  if (!/\S/.test(text.data) || (parentElement !== null && !isVisible(parentElement))) return false;
  const range = document.createRange();
  range.selectNodeContents(text);
  return hasArea(range.getBoundingClientRect());
}

function isShownElement(element: Element): boolean {
  const isKnown = SHOWN.has(element.tagName.toUpperCase());
  // What a component with a closed shadow root shows can't be known.
  const isOpaque = element.tagName.includes("-") && element.shadowRoot === null && element.childNodes.length === 0;
  if (!(isKnown || isOpaque)) return false;
  if (element instanceof HTMLImageElement && element.naturalWidth === 0) return false;
  return isVisible(element) && hasArea(element.getBoundingClientRect());
}

const isVisible = (element: Element): boolean =>
  element.checkVisibility?.({ opacityProperty: true, visibilityProperty: true }) ?? true;

const hasArea = ({ width, height }: DOMRect): boolean => width * height > 1;
