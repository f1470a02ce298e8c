import type { Addresses } from "../../../domain/model/links.ts";
import type { Services } from "../../../domain/services.ts";
import type { Mount } from "../mount.ts";
import { mountAccount } from "./account.ts";
import { mountInvitations } from "./invitations.ts";
import { mountMembers } from "./members.ts";
import { mountOrganizations } from "./organizations.ts";
import { mountSessions } from "./sessions.ts";
import { mountWorkspaceSettings } from "./workspace-settings.ts";

interface Dependencies extends Pick<Services, "people"> {
  addresses: Addresses;
}

export function mountRoutes(mount: Mount, { people, addresses }: Dependencies): void {
  mountOrganizations(mount, people.organizations);
  mountMembers(mount, people.members);
  mountInvitations(mount, people.invitations, addresses);
  mountAccount(mount, { ...people, addresses });
  mountSessions(mount, people.sessions);
  mountWorkspaceSettings(mount, people.workspaceSettings);
}
