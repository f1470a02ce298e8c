import { type Distance, distanceOf } from "./wheel.ts";

/** Milliseconds within which a page that takes the focus again insists on it. */
const INSISTENCE = 500;
/** Most milliseconds between two looks for keys that went elsewhere. */
const LONGEST_PAUSE = 100;
const FIELDS = "input, textarea, select, [contenteditable]";
const STYLE = `
  :root[data-typing] iframe { pointer-events: none; }
  .report-hidden {
    display: grid; place-content: center; justify-items: center; gap: 12px;
    box-sizing: border-box; width: 100%; height: 100%; min-height: 200px; padding: 24px;
    text-align: center; background: Canvas; color: CanvasText;
  }
  .report-hidden button { min-height: 40px; padding: 0 16px; font: inherit; cursor: pointer; }`;

/** Asks a frame that doesn't feel the wheel to scroll. */
export class FrameScroll extends Event {
  constructor(readonly distance: Distance) {
    super("framescroll");
  }
}

/**
 * Keeps framed reports from taking the keys that a reader types into a field of this page: browsers let any frame take the
 * focus. While the reader types, frames don't feel the pointer, so that a frame that gets the focus took it, unless the reader
 * pressed Tab. The field gets it back, and a report that takes it again at once, or keeps it, is hidden.
 */
export function guardKeyboard(): void {
  let field: HTMLElement | undefined;
  let isLeaving = false;
  /** Whether a frame of this page, or another window, has the keys. */
  let isAway = false;
  let nextLook: ReturnType<typeof setTimeout> | undefined;
  let takenAt = Number.NEGATIVE_INFINITY;

  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  document.adoptedStyleSheets.push(sheet);

  function typeIn(next: HTMLElement | undefined): void {
    field = next;
    document.documentElement.toggleAttribute("data-typing", next !== undefined);
  }

  function onBlur(): void {
    isAway = true;
    if (isLeaving) typeIn(undefined);
    look(0);
  }

  /**
   * Looks until the keys are back, less often the longer it takes. What a page says of its focus when it loses it differs
   * between browsers: Firefox names the frame a moment later and WebKit never, but in each a document "has focus" while one of
   * its frames has it. In Chromium the frame keeps the focus only after the event.
   */
  function look(pause: number): void {
    clearTimeout(nextLook);
    nextLook = setTimeout(() => {
      if (field === undefined || !isAway) return;
      if (document.hasFocus()) takeBack(field);
      if (document.querySelector("iframe:not([hidden])") !== null) look(Math.min(pause * 2 + 1, LONGEST_PAUSE));
    }, pause);
  }

  function takeBack(typedIn: HTMLElement): void {
    const now = performance.now();
    if (now - takenAt < INSISTENCE) hideReports();
    takenAt = now;
    // A field that the browser takes to have the focus still gets it by losing it first.
    typedIn.blur();
    window.focus();
    typedIn.focus();
  }

  function onWheel(event: WheelEvent): void {
    const { target, clientX, clientY } = event;
    if (field === undefined || !(target instanceof Element)) return;
    const below = [...target.querySelectorAll("iframe")].find((frame) => {
      const { left, right, top, bottom } = frame.getBoundingClientRect();
      return left <= clientX && clientX < right && top <= clientY && clientY < bottom;
    });
    below?.dispatchEvent(new FrameScroll(distanceOf(event)));
  }

  addEventListener("focusin", ({ target }) => {
    typeIn(target instanceof HTMLElement && target.matches(FIELDS) ? target : undefined);
  });
  // Nothing else gets the focus when a reader clicks beside a field.
  addEventListener("focusout", () =>
    setTimeout(() => !isAway && document.activeElement === document.body && typeIn(undefined)),
  );
  addEventListener("keydown", ({ key }) => (isLeaving = key === "Tab" || key === "F6"), true);
  addEventListener("blur", onBlur);
  addEventListener("focus", () => (isAway = false));
  addEventListener("wheel", onWheel, { passive: true });
}

/** Hides the frame that has the focus, or where the browser doesn't say which, each that the reader sees. */
function hideReports(): void {
  const { activeElement } = document;
  const frames = activeElement instanceof HTMLIFrameElement ? [activeElement] : document.querySelectorAll("iframe");
  for (const frame of frames) hide(frame);
}

function hide(frame: HTMLIFrameElement): void {
  if (frame.hidden) return;
  frame.src = "about:blank";
  frame.hidden = true;
  frame.style.display = "none";
  const notice = document.createElement("div");
  notice.className = "report-hidden";
  notice.setAttribute("role", "alert");
  const text = document.createElement("p");
  text.textContent = "This report tried to take what you type, so it is hidden.";
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Show it again";
  button.addEventListener("click", () => location.reload());
  notice.append(text, button);
  frame.after(notice);
}
