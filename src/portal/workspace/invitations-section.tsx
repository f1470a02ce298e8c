import { Badge, Box, Button, Group, Text, VisuallyHidden } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { type InvitationEntry, revokeInvitationRoute } from "../../client/routes.ts";
import { invitationsQuery } from "../api/queries.ts";
import { ConfirmDialog } from "../shared/confirm.tsx";
import { Loaded } from "../shared/loaded.tsx";
import { notifySuccess } from "../shared/notify.ts";
import { Section } from "../shared/page.tsx";
import { roleLabel } from "../shared/roles.ts";
import { Rows } from "../shared/rows.tsx";
import { Time } from "../shared/time.tsx";
import { useCall } from "../shared/use-call.ts";

/** Lists pending invitations. */
export function InvitationsSection({ owner }: { owner: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const [revoked, setRevoked] = useState<InvitationEntry>();
  const [isAsking, { open, close }] = useDisclosure();
  const call = useCall(revokeInvitationRoute, { owner, about: ["members"] });
  async function revoke(): Promise<void> {
    if (revoked === undefined) return;
    await call.mutateAsync({ owner, id: revoked.id });
    notifySuccess("Invitation revoked");
  }
  return (
    <Section title="Pending invitations" headingRef={heading}>
      <Loaded query={useQuery(invitationsQuery(owner))} lines={2}>
        {({ invitations }) =>
          invitations.length === 0 ? (
            <Text c="dimmed">No pending invitations. Use “Invite people” to create one.</Text>
          ) : (
            <Rows label="Pending invitations">
              {invitations.map((invitation) => (
                <InvitationRow
                  key={invitation.id}
                  invitation={invitation}
                  onRevoke={() => {
                    setRevoked(invitation);
                    open();
                  }}
                />
              ))}
            </Rows>
          )
        }
      </Loaded>
      <ConfirmDialog
        isOpen={isAsking}
        title="Revoke this invitation?"
        action="Revoke"
        onConfirm={revoke}
        onClose={close}
        focusAfter={heading}
      >
        Its link will stop working.
      </ConfirmDialog>
    </Section>
  );
}

const recipientOf = ({ email }: InvitationEntry) => email ?? "Anyone with the link";

function InvitationRow({ invitation, onRevoke }: { invitation: InvitationEntry; onRevoke(): void }) {
  const { role, invited_by, created_at, expires_at } = invitation;
  return (
    <Group component="li" justify="space-between" gap="sm" wrap="nowrap">
      <Box miw={0}>
        <Group gap="xs">
          <Text fw={500}>{recipientOf(invitation)}</Text>
          <Badge color="gray">
            {roleLabel(role)}
          </Badge>
        </Group>
        <Text size="sm" c="dimmed">
          created by {invited_by} <Time at={created_at} />, expires <Time at={expires_at} />
        </Text>
      </Box>
      <Button variant="subtle" color="red" size="sm" style={{ flex: "none" }} onClick={onRevoke}>
        Revoke<VisuallyHidden> the invitation for {recipientOf(invitation)}</VisuallyHidden>
      </Button>
    </Group>
  );
}
