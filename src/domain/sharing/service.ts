import type { Cursors } from "../model/cursors.ts";
import { createGuestAccess } from "./guest-access.ts";
import { createGuestLinks } from "./guest-links.ts";
import { createGuestReaders } from "./guest-readers.ts";
import { guestLinksTask } from "./guest-tasks.ts";
import { createGuestUses } from "./guest-uses.ts";
import { createItemSharing } from "./items.ts";
import { createOrganizationSharing } from "./organization.ts";
import { createPeopleSharing } from "./people.ts";
import type { SharedPlace } from "./ports.ts";
import { createAccessRequests } from "./requests.ts";
import { createShared } from "./shared.ts";

type Dependencies = Parameters<typeof createOrganizationSharing>[0] &
  Parameters<typeof createPeopleSharing>[0] &
  Parameters<typeof createItemSharing>[0] &
  Parameters<typeof createAccessRequests>[0] &
  Omit<Parameters<typeof createShared>[0], "cursors"> & { createCursors: () => Cursors<SharedPlace> } & Omit<
    Parameters<typeof createGuestLinks>[0],
    "uses"
  > &
  Parameters<typeof createGuestAccess>[0] &
  Parameters<typeof createGuestReaders>[0] &
  Parameters<typeof createGuestUses>[0];

/** Creates the service that decides with whom reports are shared. */
export function createService(dependencies: Dependencies) {
  const people = createPeopleSharing(dependencies);
  const guestUses = createGuestUses(dependencies);
  return {
    organizations: createOrganizationSharing(dependencies),
    people,
    items: createItemSharing(dependencies, people),
    shared: createShared({ ...dependencies, cursors: dependencies.createCursors() }),
    requests: createAccessRequests(dependencies, people),
    guestLinks: createGuestLinks({ ...dependencies, uses: guestUses }),
    guestAccess: createGuestAccess(dependencies),
    guestReaders: createGuestReaders(dependencies),
    guestUses,
    /** The background tasks of sharing. */
    tasks: [guestLinksTask(dependencies)],
  };
}
