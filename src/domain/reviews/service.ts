import type { Cursors } from "../model/cursors.ts";
import { createAddressing } from "./addressing.ts";
import { createDigest } from "./digest.ts";
import { createGuestReviews } from "./guests.ts";
import { createInbox } from "./inbox.ts";
import { createNotices } from "./notices.ts";
import { createScopes } from "./scopes.ts";
import { createThreads } from "./threads.ts";
import { createWaiting } from "./waiting.ts";

type Dependencies = Parameters<typeof createScopes>[0] &
  Parameters<typeof createNotices>[0] &
  Parameters<typeof createAddressing>[0] &
  Omit<Parameters<typeof createThreads>[0], "cursors"> &
  Omit<Parameters<typeof createInbox>[0], "cursors"> &
  Parameters<typeof createDigest>[0] &
  Parameters<typeof createWaiting>[0] & { createCursors: <Place>() => Cursors<Place> };

/** Creates the service for comments on reports. */
export function createService(dependencies: Dependencies) {
  const { createCursors } = dependencies;
  const scopes = createScopes(dependencies);
  const notices = createNotices(dependencies);
  const inbox = createInbox({ ...dependencies, cursors: createCursors() }, scopes);
  const threads = createThreads({ ...dependencies, cursors: createCursors() }, scopes, notices);
  const waiting = createWaiting(dependencies, scopes);
  return {
    threads,
    guests: createGuestReviews(dependencies, threads, waiting),
    inbox,
    digest: createDigest(dependencies, inbox),
    addressing: createAddressing(dependencies, scopes),
    wait: waiting.wait,
  };
}
