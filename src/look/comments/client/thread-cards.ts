import { arrange } from "./elements.ts";
import type { Standing, ThreadView } from "./model.ts";
import { type CardActions, createThreadCard, type ThreadCard } from "./thread-card.ts";

interface Lists {
  open: HTMLElement;
  resolved: HTMLElement;
}

/** Creates what keeps the cards of threads, by their IDs, in two lists. */
export function createThreadCards(lists: Lists, actions: CardActions) {
  const cards = new Map<string, ThreadCard>();

  /** Adds the cards of new threads in steps, because hundreds take long. */
  function* add(threads: readonly ThreadView[]): Generator<void, void> {
    for (const thread of threads) {
      yield;
      if (cards.has(thread.id)) continue;
      const card = createThreadCard(thread, actions);
      cards.set(thread.id, card);
      lists[thread.state].append(card.element);
    }
  }

  function removeOthers(threads: readonly ThreadView[]): void {
    const known = new Set(threads.map(({ id }) => id));
    for (const [id, card] of cards) {
      if (known.has(id)) continue;
      card.element.remove();
      cards.delete(id);
    }
  }

  /** Shows threads in order, as far as they have cards. */
  function show(sorted: readonly ThreadView[], standings: ReadonlyMap<string, Standing>, active: string | undefined) {
    removeOthers(sorted);
    for (const thread of sorted) cards.get(thread.id)?.update(thread, standings.get(thread.id), thread.id === active);
    for (const state of ["open", "resolved"] as const) {
      const own = sorted.filter((thread) => thread.state === state);
      arrange(
        lists[state],
        own.flatMap(({ id }) => cards.get(id)?.element ?? []),
      );
    }
  }

  return { cards, add, show };
}
