import type { Administrator } from "../model/access.ts";
import { createUserAdministration } from "./administration-users.ts";
import { createWorkspaceAdministration } from "./administration-workspaces.ts";
import type { BackupRun } from "./backup/ports.ts";

type Dependencies = Parameters<typeof createUserAdministration>[0] &
  Parameters<typeof createWorkspaceAdministration>[0];

/** Creates the service with which operators administer users and workspaces. Every call states who acts. */
export const createAdministration = (dependencies: Dependencies) => ({
  ...createUserAdministration(dependencies),
  ...createWorkspaceAdministration(dependencies),
  /** Returns the backup that was started last, or undefined. */
  findLastBackup: (_by: Administrator): Promise<BackupRun | undefined> =>
    dependencies.store.operations.findLastBackup(),
});

export type Administration = ReturnType<typeof createAdministration>;
