import type { ScrollState } from "../../../client/definitions.ts";

/** Milliseconds for which a page that was scrolled from here doesn't lead. */
const ECHO = 150;

/** How many places are remembered that a page was sent to and may still report. */
const REMEMBERED = 30;

/** A framed page that says where it is scrolled to. */
export interface ScrolledPage {
  onScroll(listener: (state: ScrollState) => void): () => void;
  scrollTo(place: { left: number; top: number }): void;
}

type Place = Parameters<ScrolledPage["scrollTo"]>[0];

const isNear = (one: Place, other: Place): boolean =>
  Math.abs(one.left - other.left) <= 1 && Math.abs(one.top - other.top) <= 1;

/** Links two pages. Returns the function that ends this. */
export function linkScrolling(one: ScrolledPage, other: ScrolledPage, now = () => performance.now()): () => void {
  const places = new Map<ScrolledPage, ScrollState>();
  let leader: ScrolledPage | undefined;
  let leadsUntil = 0;
  /** Where the other page was sent since it last followed. */
  let sent: Place[] = [];

  /**
   * Whether a page was scrolled from here. One that had arrived where it was sent and is somewhere else was scrolled by
   * the reader; one that never arrives is shorter.
   */
  function isEcho(twin: ScrolledPage, before: Place, place: Place): boolean {
    if (leader !== twin || now() >= leadsUntil) return false;
    return sent.some((there) => isNear(there, place)) || !sent.some((there) => isNear(there, before));
  }

  function lead(page: ScrolledPage, twin: ScrolledPage, { left, top }: Place): void {
    if (leader !== page || now() >= leadsUntil) sent = [];
    leader = page;
    leadsUntil = now() + ECHO;
    sent = [...sent.slice(-REMEMBERED), { left, top }];
    twin.scrollTo({ left, top });
  }

  const follow = (page: ScrolledPage, twin: ScrolledPage) =>
    page.onScroll((place) => {
      const before = places.get(page);
      places.set(page, place);
      const there = places.get(twin);
      if (before === undefined) {
        // It has just loaded, perhaps after the other was scrolled.
        if (there !== undefined) page.scrollTo({ left: there.left, top: there.top });
        return;
      }
      const isSame = before.left === place.left && before.top === place.top;
      if (!isSame && !isEcho(twin, before, place)) lead(page, twin, place);
    });

  const ends = [follow(one, other), follow(other, one)];
  return () => {
    for (const end of ends) end();
  };
}
