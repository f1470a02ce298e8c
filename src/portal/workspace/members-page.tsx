import { Button, Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconUserPlus, IconUsersGroup } from "@tabler/icons-react";
import { useParams } from "@tanstack/react-router";
import { ButtonLink } from "../shared/link.tsx";
import { Page } from "../shared/page.tsx";
import { canManage, rolePhrase } from "../shared/roles.ts";
import { MissingState, Notice } from "../shared/states.tsx";
import { useAccount, useWorkspace, type Workspace } from "../shared/use-account.ts";
import { AddMemberDialog } from "./add-member-dialog.tsx";
import { InvitationsSection } from "./invitations-section.tsx";
import { InviteDialog } from "./invite-dialog.tsx";
import { MembersSection } from "./members-section.tsx";
import { WorkspaceNav } from "./workspace-nav.tsx";

/** Lists the members of an organization. */
export function MembersPage() {
  const { owner } = useParams({ from: "/w/$owner/members" });
  const workspace = useWorkspace(owner);
  if (workspace === undefined) return <MissingState />;
  return workspace.kind === "user" ? (
    <PersonalWorkspace owner={owner} />
  ) : (
    <OrganizationMembers workspace={workspace} />
  );
}

function OrganizationMembers({ workspace }: { workspace: Workspace }) {
  const { slug, display_name, role } = workspace;
  const mayManage = canManage(role);
  return (
    <Page
      title="Members"
      tab={`Members of ${display_name ?? slug}`}
      nav={<WorkspaceNav owner={slug} />}
      description={`You are ${rolePhrase(role)} of ${display_name ?? slug}.`}
      action={mayManage && <AddPeopleButtons owner={slug} />}
    >
      <MembersSection workspace={workspace} />
      {mayManage && <InvitationsSection owner={slug} />}
    </Page>
  );
}

/** Ways to add people: invitations, and adding accounts directly where registration is closed. */
function AddPeopleButtons({ owner }: { owner: string }) {
  const { is_sign_up_open } = useAccount();
  const [isInviting, invitation] = useDisclosure();
  const [isAdding, addition] = useDisclosure();
  return (
    <Group gap="sm">
      {!is_sign_up_open && (
        <Button variant="default" onClick={addition.open}>
          Add member
        </Button>
      )}
      <Button leftSection={<IconUserPlus size={16} aria-hidden />} onClick={invitation.open}>
        Invite people
      </Button>
      <AddMemberDialog owner={owner} isOpen={isAdding} onClose={addition.close} />
      <InviteDialog owner={owner} isOpen={isInviting} onClose={invitation.close} />
    </Group>
  );
}

const PersonalWorkspace = ({ owner }: { owner: string }) => (
  <Page title="Members" nav={<WorkspaceNav owner={owner} />}>
    <Notice
      icon={<IconUsersGroup />}
      title="This is your personal workspace"
      action={<ButtonLink to="/account/organizations">Create organization</ButtonLink>}
    >
      To publish together with others, create an organization and invite them.
    </Notice>
  </Page>
);
