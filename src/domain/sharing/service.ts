import { createOrganizationSharing } from "./organization.ts";

type Dependencies = Parameters<typeof createOrganizationSharing>[0];

/** Creates the service that decides with whom reports are shared. */
export function createService(dependencies: Dependencies) {
  return { organizations: createOrganizationSharing(dependencies) };
}
