import { part } from "./page-parts.ts";

/** Characters of the address's query; reports are given no longer one, so that each of their requests stays small. */
const QUERY_LIMIT = 2_048;
/** Milliseconds after which a version is shown even if it is still loading. */
const PATIENCE = 8_000;

const stage = part("stage", HTMLElement);

/**
 * The frame in view, and at times the next one behind it. The next loads unseen but laid out, so that charts know
 * their width, and takes the place when it has been painted: nobody sees white in between.
 */
export function createFrames() {
  let shown = stage.querySelector("iframe");
  let next: HTMLIFrameElement | undefined;

  /** Brings another page into view, at the fragment of this page's address. */
  function show(src: string, title: string): void {
    next?.remove();
    const old = shown;
    if (old === null) return;
    const frame = prepare(old, src, title);
    next = frame;
    // A frame loads more than once if its page leads elsewhere.
    const ready = onceOf(() => afterFrames(2, () => reveal(frame, old)));
    frame.addEventListener("load", ready, { once: true });
    setTimeout(ready, PATIENCE);
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

  /** Shows the first page. Its address can't be in the server's text, because the server doesn't know the fragment. */
  function start(src: string): void {
    if (shown) shown.src = withOwnAddress(src);
  }

  /** Leads the page in view to the fragment of this page's address; reports cannot see that themselves. */
  function followFragment(src: string): void {
    if (location.hash !== "") shown?.contentWindow?.location.replace(withOwnAddress(src));
  }

  function clear(): void {
    stage.replaceChildren();
    shown = null;
    next = undefined;
  }

  return { start, show, followFragment, clear };
}

function prepare(like: HTMLIFrameElement, src: string, title: string): HTMLIFrameElement {
  const frame = document.createElement("iframe");
  for (const name of ["sandbox", "allow"]) frame.setAttribute(name, like.getAttribute(name) ?? "");
  frame.className = "waiting";
  frame.title = title;
  frame.src = withOwnAddress(src);
  return frame;
}

/** Passes on what the reader's link says to the report, which can't see the address of this page. */
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
