import type { ScrollState } from "../../../contract/bridge/messages.ts";
import type { PlacedAnchor } from "../../../contract/bridge/review.ts";
import { create, createButton } from "../../comments/client/elements.ts";
import { type Distance, distanceOf } from "../../frame/client/wheel.ts";
import { placeNotes } from "./place-notes.ts";

interface MarginOptions {
  /** What was removed, by the numbers of its changes. */
  removed: readonly { id: number; text: string }[];
  /** Called when the reader chooses a note. */
  choose(id: number): void;
  scrollBy(distance: Distance): void;
}

/** Creates the margin that shows removed texts beside the report, at the height where they stood. It scrolls with the report. */
export function createMargin({ removed, choose, scrollBy }: MarginOptions) {
  const list = create("ul", "change-notes");
  const root = create("section", "change-margin", list);
  root.setAttribute("aria-label", "Removed text");
  const notes = new Map(removed.map(({ id, text }) => [id, createNote(text, () => choose(id))]));
  list.append(...Array.from(notes.values(), ({ item }) => item));
  let places = new Map<number, number>();
  let current = -1;
  // Notes get taller when the margin gets narrower, and have a height only while they are shown.
  const observer = new ResizeObserver(arrange);
  observer.observe(root);

  function arrange(): void {
    const measured = [...places].flatMap(([id, top]) => {
      const height = notes.get(id)?.item.offsetHeight;
      return height === undefined ? [] : [{ id, top, height }];
    });
    for (const [id, top] of placeNotes(measured, current)) {
      const item = notes.get(id)?.item;
      if (item !== undefined) item.style.top = `${top}px`;
    }
  }

  /** Shows the notes that have a place. Without any, the margin gives its room to the report. */
  function place(placed: readonly PlacedAnchor[]): void {
    const found = placed.filter(({ id, place: at }) => notes.has(id) && at !== "gone" && at !== "unknown");
    places = new Map(found.flatMap(({ id, top }) => (top === null ? [] : [[id, top]])));
    root.hidden = found.length === 0;
    for (const [id, { item }] of notes) item.hidden = !places.has(id);
    arrange();
  }

  function emphasize(id: number): void {
    notes.get(current)?.button.removeAttribute("aria-current");
    notes.get(id)?.button.setAttribute("aria-current", "true");
    current = id;
    arrange();
  }

  function scrolled({ top }: ScrollState): void {
    list.style.transform = `translateY(${-top}px)`;
  }

  /** Scrolls the report with the wheel over the margin. */
  function onWheel(event: WheelEvent): void {
    if (!event.ctrlKey) scrollBy(distanceOf(event));
  }

  root.addEventListener("wheel", onWheel, { passive: true });

  return {
    root,
    place,
    emphasize,
    scrolled,
    stop(): void {
      observer.disconnect();
      root.remove();
    },
  };
}

function createNote(text: string, choose: () => void) {
  const button = createButton("", "", choose);
  const del = create("del", "", text);
  del.dir = "auto";
  button.append(del);
  // The note may be outside the part of the report that is visible. A press chooses it already.
  button.addEventListener("focus", () => button.matches(":focus-visible") && choose());
  const item = create("li", "", button);
  item.hidden = true;
  return { item, button };
}
