import type { ReviewMessage } from "../../../../contract/bridge/review.ts";
import type { ElementAnchor, TextAnchor } from "../../../../html/anchors/anchor.ts";
import { describeCell, describeFigure, describeText } from "../../../../html/anchors/describe.ts";
import { isDrawnComponent } from "./figures.ts";
import type { RenderedPage } from "./rendered-page.ts";

interface Choosing {
  path: string;
  page(): Promise<RenderedPage | undefined>;
  /** Returns which thread is at a point of the window. */
  anchorAt(x: number, y: number): number | undefined;
  outline(element: Element | undefined): void;
  send(message: ReviewMessage): void;
}

/** Milliseconds after which a selection counts as made. */
const SETTLED = 150;
const CHOICES = "td,th,img,canvas,p,li,h1,h2,h3,h4,h5,h6,pre,blockquote,dt,dd,figcaption,caption";

/** Reports text that the reader selects, threads that they click, and in picking the element that they click. */
export function createChoosing({ path, page, anchorAt, outline, send }: Choosing) {
  let isPicking = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hasChosen = false;

  async function reportSelection(): Promise<void> {
    const selection = getSelection();
    const range = selection !== null && selection.rangeCount > 0 ? selection.getRangeAt(0) : undefined;
    if (range === undefined || range.collapsed) {
      if (hasChosen) send({ kind: "chosen", anchor: null, isPicked: false, top: 0 });
      hasChosen = false;
      return;
    }
    const { top } = range.getBoundingClientRect();
    const rendered = await page();
    const anchor = rendered && (anchorOfNumber(rendered, range) ?? anchorOfRange(rendered, range));
    if (anchor === undefined) return;
    hasChosen = true;
    send({ kind: "chosen", anchor, isPicked: false, top: Math.round(top + scrollY) });
  }

  function anchorOfRange({ page: known, positionOf }: RenderedPage, range: Range): TextAnchor | undefined {
    const start = positionOf(range.startContainer, range.startOffset);
    const end = positionOf(range.endContainer, range.endOffset);
    return start < 0 || end <= start ? undefined : describeText(known, path, start, end);
  }

  /** Returns the cell whose whole text is selected: its row and column say more than its number. */
  function anchorOfNumber(rendered: RenderedPage, range: Range): ElementAnchor | undefined {
    const { commonAncestorContainer: around } = range;
    const element = around instanceof Element ? around : around.parentElement;
    const cell = element?.closest("td,th");
    if (!(cell instanceof HTMLTableCellElement) || range.toString().trim() !== cell.textContent.trim())
      return undefined;
    return anchorOfCell(rendered, cell);
  }

  async function choose(element: Element): Promise<void> {
    const { top } = element.getBoundingClientRect();
    const rendered = await page();
    const anchor = rendered && anchorOfElement(rendered, element);
    if (anchor !== undefined) send({ kind: "chosen", anchor, isPicked: true, top: Math.round(top + scrollY) });
  }

  function anchorOfElement(rendered: RenderedPage, element: Element): TextAnchor | ElementAnchor | undefined {
    const figure = rendered.figures.indexOf(element);
    if (figure >= 0) return describeFigure(rendered.page, path, figure);
    if (element instanceof HTMLTableCellElement) {
      const cell = anchorOfCell(rendered, element);
      if (cell !== undefined) return cell;
    }
    const range = document.createRange();
    range.selectNodeContents(element);
    return anchorOfRange(rendered, range);
  }

  function anchorOfCell(
    { page: known, placeOfCell }: RenderedPage,
    cell: HTMLTableCellElement,
  ): ElementAnchor | undefined {
    const place = placeOfCell(cell);
    return place && describeCell(known, path, place);
  }

  const choiceAt = (target: EventTarget | null): Element | undefined => {
    if (!(target instanceof Element)) return undefined;
    if (isDrawnComponent(target)) return target;
    return target.closest(".js-plotly-plot") ?? target.closest("svg") ?? target.closest(CHOICES) ?? undefined;
  };

  function onClick(event: MouseEvent): void {
    const { target, clientX, clientY } = event;
    if (isPicking) {
      event.preventDefault();
      event.stopImmediatePropagation();
      const element = choiceAt(target);
      if (element !== undefined) void choose(element);
      return;
    }
    const id = getSelection()?.isCollapsed === false ? undefined : anchorAt(clientX, clientY);
    if (id !== undefined) send({ kind: "pressed", id });
  }

  addEventListener("click", onClick, true);
  addEventListener("pointerover", ({ target }) => isPicking && outline(choiceAt(target)));
  addEventListener("keydown", ({ key }) => key === "Escape" && send({ kind: "escaped" }));
  document.addEventListener("selectionchange", () => {
    clearTimeout(timer);
    timer = setTimeout(() => void reportSelection(), SETTLED);
  });

  return {
    pick(isOn: boolean): void {
      isPicking = isOn;
      if (!isOn) outline(undefined);
    },
  };
}
