import { createUserAdministration } from "./administration-users.ts";
import { createWorkspaceAdministration } from "./administration-workspaces.ts";

type Dependencies = Parameters<typeof createUserAdministration>[0] &
  Parameters<typeof createWorkspaceAdministration>[0];

/** Creates the service with which operators administer users and workspaces. Every call states who acts. */
export const createAdministration = (dependencies: Dependencies) => ({
  ...createUserAdministration(dependencies),
  ...createWorkspaceAdministration(dependencies),
});

export type Administration = ReturnType<typeof createAdministration>;
