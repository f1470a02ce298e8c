import type { Cursors } from "../model/cursors.ts";
import { createOrganizationSharing } from "./organization.ts";
import { createPeopleSharing } from "./people.ts";
import type { SharedPlace } from "./ports.ts";
import { createAccessRequests } from "./requests.ts";
import { createShared } from "./shared.ts";

type Dependencies = Parameters<typeof createOrganizationSharing>[0] &
  Parameters<typeof createPeopleSharing>[0] &
  Parameters<typeof createAccessRequests>[0] &
  Omit<Parameters<typeof createShared>[0], "cursors"> & { createCursors: () => Cursors<SharedPlace> };

/** Creates the service that decides with whom reports are shared. */
export function createService(dependencies: Dependencies) {
  const people = createPeopleSharing(dependencies);
  return {
    organizations: createOrganizationSharing(dependencies),
    people,
    shared: createShared({ ...dependencies, cursors: dependencies.createCursors() }),
    requests: createAccessRequests(dependencies, people),
  };
}
