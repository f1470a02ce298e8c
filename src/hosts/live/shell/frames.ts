import { part } from "./page-parts.ts";

/** Longest query passed on to a report, in characters; keeps each of its requests small. */
const QUERY_LIMIT = 2_048;
/** Milliseconds after which a version is shown even if it is still loading. */
const LOAD_TIMEOUT = 8_000;

const stage = part("stage", HTMLElement);

/**
 * Manages the visible frame and, during a change, the next one behind it. The next frame loads unseen but laid out, so
 * charts know their width, and replaces the old one once painted: the reader sees no white flash.
 */
export function createFrames() {
  let shown = stage.querySelector("iframe");
  let next: HTMLIFrameElement | undefined;
  let hasBridge = false;

  const addressOf = (src: string) => withOwnAddress(hasBridge ? withBridge(src) : src);

  /** Shows another page, at the fragment of this page's address. */
  function show(src: string, title: string): void {
    next?.remove();
    const old = shown;
    if (old === null) return;
    const frame = prepare(old, addressOf(src), title);
    next = frame;
    // A frame loads again when its page navigates.
    const ready = onceOf(() => afterFrames(2, () => reveal(frame, old)));
    frame.addEventListener("load", ready, { once: true });
    setTimeout(ready, LOAD_TIMEOUT);
    stage.append(frame);
  }

  function reveal(frame: HTMLIFrameElement, old: HTMLIFrameElement): void {
    if (next !== frame) return;
    next = undefined;
    shown = frame;
    const hadFocus = document.activeElement === old;
    frame.classList.remove("waiting");
    if (hadFocus) frame.focus({ preventScroll: true });
    afterFrames(2, () => old.remove());
  }

  /** Shows the first page. The server can't write its address because it doesn't know the fragment. */
  function start(src: string): void {
    if (shown) shown.src = addressOf(src);
  }

  /** Moves the visible page to this page's fragment, which reports can't see. */
  function followFragment(src: string): void {
    if (location.hash !== "") shown?.contentWindow?.location.replace(addressOf(src));
  }

  /** Shows the page again with the bridge, which all later ones have, too. */
  function startBridge(src: string, title: string): void {
    if (hasBridge) return;
    hasBridge = true;
    show(src, title);
  }

  function clear(): void {
    stage.replaceChildren();
    shown = null;
    next = undefined;
  }

  return { start, show, startBridge, followFragment, clear, frame: () => next ?? shown };
}

function prepare(like: HTMLIFrameElement, src: string, title: string): HTMLIFrameElement {
  const frame = document.createElement("iframe");
  for (const name of ["sandbox", "allow"]) frame.setAttribute(name, like.getAttribute(name) ?? "");
  frame.className = "waiting";
  frame.title = title;
  frame.src = src;
  return frame;
}

/** Returns the address at which the content host adds the bridge to a report's pages. */
function withBridge(src: string): string {
  const { origin, pathname } = new URL(src);
  return `${origin}/~framed${pathname}`;
}

/** Passes the query and fragment of the reader's link to the report, which can't see this page's address. */
function withOwnAddress(src: string): string {
  const { search, hash } = location;
  return src + (search.length > QUERY_LIMIT ? "" : search) + hash;
}

function onceOf(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) act();
    isDone = true;
  };
}

function afterFrames(count: number, act: () => void): void {
  if (count === 0) act();
  else requestAnimationFrame(() => afterFrames(count - 1, act));
}
