import { Button, Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconUserPlus, IconUsersGroup } from "@tabler/icons-react";
import { useParams } from "@tanstack/react-router";
import { ButtonLink } from "../shared/link.tsx";
import { Page } from "../shared/page.tsx";
import { governs, rolePhrase } from "../shared/roles.ts";
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
  return workspace.kind === "user" ? <PersonalMembers owner={owner} /> : <OrganizationMembers workspace={workspace} />;
}

function OrganizationMembers({ workspace }: { workspace: Workspace }) {
  const { slug, display_name, role } = workspace;
  const isLeading = governs(role);
  return (
    <Page
      title="Members"
      tab={`Members of ${display_name ?? slug}`}
      nav={<WorkspaceNav owner={slug} />}
      description={`You are ${rolePhrase(role)} of ${display_name ?? slug}.`}
      action={isLeading && <Admission owner={slug} />}
    >
      <MembersSection workspace={workspace} />
      {isLeading && <InvitationsSection owner={slug} />}
    </Page>
  );
}

/** Ways to add people: invitations, and adding accounts directly where registration is closed. */
function Admission({ owner }: { owner: string }) {
  const { is_sign_up_open } = useAccount();
  const [isInviting, invitation] = useDisclosure();
  const [isAdding, addition] = useDisclosure();
  return (
    <Group gap="sm">
      {!is_sign_up_open && (
        <Button variant="default" onClick={addition.open}>
          Add a user
        </Button>
      )}
      <Button leftSection={<IconUserPlus size={16} aria-hidden />} onClick={invitation.open}>
        Invite somebody
      </Button>
      <AddMemberDialog owner={owner} isOpen={isAdding} onClose={addition.close} />
      <InviteDialog owner={owner} isOpen={isInviting} onClose={invitation.close} />
    </Group>
  );
}

const PersonalMembers = ({ owner }: { owner: string }) => (
  <Page title="Members" nav={<WorkspaceNav owner={owner} />}>
    <Notice
      icon={<IconUsersGroup />}
      title="This workspace is yours alone"
      action={<ButtonLink to="/account/organizations">Make an organization</ButtonLink>}
    >
      To publish together with others, make an organization and invite them.
    </Notice>
  </Page>
);
