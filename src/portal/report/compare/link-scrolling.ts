import type { ScrollState } from "../../../client/definitions.ts";

/** Milliseconds for which a page that was scrolled from here doesn't lead. */
const ECHO = 150;

/** A framed page that says where it is scrolled to. */
export interface ScrolledPage {
  onScroll(listener: (state: ScrollState) => void): () => void;
  scrollTo(place: { left: number; top: number }): void;
}

/** Links two pages. Returns the function that ends this. */
export function linkScrolling(one: ScrolledPage, other: ScrolledPage, now = () => performance.now()): () => void {
  const places = new Map<ScrolledPage, ScrollState>();
  let leader: ScrolledPage | undefined;
  let leadsUntil = 0;

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
      if (isSame || (leader === twin && now() < leadsUntil)) return;
      leader = page;
      leadsUntil = now() + ECHO;
      twin.scrollTo({ left: place.left, top: place.top });
    });

  const ends = [follow(one, other), follow(other, one)];
  return () => {
    for (const end of ends) end();
  };
}
