/** Milliseconds within which a page that takes the focus again insists on it. */
const INSISTENCE = 500;
/** Pixels of a line, for wheels that count lines. */
const LINE = 16;
const FIELDS = "input, textarea, select, [contenteditable]";
const STYLE = `
  :root[data-typing] iframe { pointer-events: none; }
  .report-hidden {
    display: grid; place-content: center; justify-items: center; gap: 12px;
    box-sizing: border-box; width: 100%; height: 100%; min-height: 200px; padding: 24px;
    text-align: center; background: Canvas; color: CanvasText;
  }
  .report-hidden button { min-height: 40px; padding: 0 16px; font: inherit; cursor: pointer; }`;

/** Asks a frame that doesn't feel the wheel to scroll, in CSS pixels. */
export class FrameScroll extends Event {
  constructor(
    readonly left: number,
    readonly top: number,
  ) {
    super("framescroll");
  }
}

/**
 * Keeps framed reports from taking the keys that a reader types into a field of this page: browsers let any frame take the
 * focus. While the reader types, frames don't feel the pointer, so that a frame that gets the focus took it, unless the reader
 * pressed Tab. The field gets it back, and a report that takes it again at once is hidden.
 */
export function guardKeyboard(): void {
  let field: HTMLElement | undefined;
  let isLeaving = false;
  let takenAt = Number.NEGATIVE_INFINITY;

  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  document.adoptedStyleSheets.push(sheet);

  function typeIn(next: HTMLElement | undefined): void {
    field = next;
    document.documentElement.toggleAttribute("data-typing", next !== undefined);
  }

  function onBlur(): void {
    const taker = document.activeElement;
    if (field === undefined || !(taker instanceof HTMLIFrameElement)) return;
    if (isLeaving) {
      typeIn(undefined);
      return;
    }
    if (performance.now() - takenAt < INSISTENCE) hide(taker);
    takenAt = performance.now();
    // The frame gets the focus for good only after this event.
    setTimeout(() => field?.focus());
  }

  function onWheel({ target, clientX, clientY, deltaX, deltaY, deltaMode }: WheelEvent): void {
    if (field === undefined || !(target instanceof Element)) return;
    const below = [...target.querySelectorAll("iframe")].find((frame) => {
      const { left, right, top, bottom } = frame.getBoundingClientRect();
      return left <= clientX && clientX < right && top <= clientY && clientY < bottom;
    });
    const unit = deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE : 1;
    below?.dispatchEvent(new FrameScroll(deltaX * unit, deltaY * unit));
  }

  addEventListener("focusin", ({ target }) => {
    typeIn(target instanceof HTMLElement && target.matches(FIELDS) ? target : undefined);
  });
  // Nothing else gets the focus when a reader clicks beside a field.
  addEventListener("focusout", () => setTimeout(() => document.activeElement === document.body && typeIn(undefined)));
  addEventListener("keydown", ({ key }) => (isLeaving = key === "Tab" || key === "F6"), true);
  addEventListener("blur", onBlur);
  addEventListener("wheel", onWheel, { passive: true });
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
