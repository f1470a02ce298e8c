import type { Clock } from "../model/ports.ts";
import type { Task } from "../operations/schedule.ts";
import type { GuestLinkStore } from "./guest-ports.ts";

const DAY = 24 * 60 * 60_000;
/** Days for which the people who control a report still see an expired link. */
const EXPIRED_DAYS = 30;
/** Days for which the links of a deleted report are kept, in case it is restored. */
const ORPHANED_DAYS = 400;

interface Dependencies {
  store: { sharing: Pick<GuestLinkStore, "clearGuestLinks"> };
  clock: Clock;
}

/** Returns the background task that removes guest links and one-time codes that can never open anything again. */
export const guestLinksTask = ({ store, clock }: Dependencies): Task => ({
  name: "guest links",
  every: DAY,
  async run() {
    const now = clock.now();
    const removed = await store.sharing.clearGuestLinks({
      codes: now,
      expired: now - EXPIRED_DAYS * DAY,
      orphaned: now - ORPHANED_DAYS * DAY,
    });
    return removed === 0 ? undefined : `Removed ${removed} guest links that expired or lost their report.`;
  },
});
