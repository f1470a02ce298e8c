import { createAccount } from "./account.ts";
import { createAccounts } from "./accounts.ts";
import { createIdentities } from "./identities.ts";
import { createInvitations } from "./invitations.ts";
import { createMembers } from "./members.ts";
import { createOrganizations } from "./organizations.ts";
import { createPasswordResets } from "./password-resets.ts";
import { createSessions } from "./sessions.ts";
import { createSignUp } from "./sign-up.ts";
import { createWorkspaceSettings } from "./workspace-settings.ts";

type Dependencies = Parameters<typeof createAccounts>[0] &
  Parameters<typeof createAccount>[0] &
  Parameters<typeof createIdentities>[0] &
  Parameters<typeof createMembers>[0] &
  Parameters<typeof createPasswordResets>[0] &
  Parameters<typeof createSessions>[0];

export function createService(dependencies: Dependencies) {
  const accounts = createAccounts(dependencies);
  const withAccounts = { ...dependencies, accounts };
  return {
    accounts,
    account: createAccount(dependencies),
    identities: createIdentities(dependencies),
    invitations: createInvitations(withAccounts),
    members: createMembers(dependencies),
    organizations: createOrganizations(withAccounts),
    passwordResets: createPasswordResets(dependencies),
    sessions: createSessions(dependencies),
    signUp: createSignUp(withAccounts),
    workspaceSettings: createWorkspaceSettings(dependencies),
  };
}
