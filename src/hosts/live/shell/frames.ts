import { part } from "./page-parts.ts";
import { prepareFrame } from "./prepare-frame.ts";
import { withBridge, withOwnAddress } from "./report-addresses.ts";

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
    const frame = prepareFrame(old, addressOf(src), title);
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

  /** Returns the frame that shows the report now, or will at once. */
  const current = (): HTMLIFrameElement | null => next ?? shown;

  /** Moves the page to this page's fragment, which reports can't see. */
  function followFragment(src: string): void {
    if (location.hash !== "") current()?.contentWindow?.location.replace(addressOf(src));
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

  return { start, show, startBridge, followFragment, clear, frame: current };
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
