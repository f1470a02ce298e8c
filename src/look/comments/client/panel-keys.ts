import type { ThreadCard } from "./thread-card.ts";

interface KeyedPanel {
  panel: HTMLElement;
  /** Contains the threads. */
  scroller: HTMLElement;
  cards: ReadonlyMap<string, ThreadCard>;
  compose(): void;
  leave(): void;
}

/** Adds the keys that move between threads and act on the focused one. */
export function addPanelKeys({ panel, scroller, cards, compose, leave }: KeyedPanel): void {
  /** Moves the focus to the next thread (1) or the one before (-1). */
  function step(by: 1 | -1): void {
    const all = [...scroller.querySelectorAll<HTMLElement>(".threads > .thread, .resolved[open] > .thread")];
    const now = all.findIndex(
      (element) => element === document.activeElement || element.contains(document.activeElement),
    );
    all[now < 0 ? (by === 1 ? 0 : all.length - 1) : now + by]?.focus();
  }

  const focusedCard = () => [...cards.values()].find(({ element }) => element.contains(document.activeElement));

  const acts: Readonly<Record<string, () => void>> = {
    j: () => step(1),
    k: () => step(-1),
    r: () => focusedCard()?.openReply(),
    e: () => focusedCard()?.toggleState(),
    c: compose,
    Escape: leave,
  };

  panel.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = acts[event.key];
    if (act === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  });
}
