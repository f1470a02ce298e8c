import { Avatar, Badge, Box, Button, Group, NativeSelect, Text, VisuallyHidden } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type RefObject, useState } from "react";
import { type MemberEntry, setRoleRoute } from "../../client/routes.ts";
import { ConfirmDialog } from "../shared/confirm.tsx";
import { notifyError, notifySuccess } from "../shared/notify.ts";
import { type Role, roleLabel, rolePhrase } from "../shared/roles.ts";
import { Time } from "../shared/time.tsx";
import type { Workspace } from "../shared/use-account.ts";
import { useCall } from "../shared/use-call.ts";

const ROLES: readonly Role[] = ["owner", "admin", "member"];

interface Props {
  member: MemberEntry;
  workspace: Workspace;
  /** Whether this is the signed-in user. */
  isOwn: boolean;
  isLastOwner: boolean;
  /** Takes the focus when the user loses access to these controls. */
  place: RefObject<HTMLElement | null>;
  onRemove(): void;
  onLeave(): void;
}

export function MemberRow({ member, workspace, isOwn, isLastOwner, place, onRemove, onLeave }: Props) {
  const { slug, display_name, email, role, since } = member;
  const name = display_name ?? slug;
  // The server checks again; this predicts its answer.
  const mayChange = workspace.role === "owner" || (workspace.role === "admin" && role !== "owner");
  return (
    <Group component="li" justify="space-between" gap="sm">
      <Group wrap="nowrap" gap="sm" miw={0} flex="1 1 280px">
        <Avatar name={name} color="gray.7" variant="filled" size={36} alt="" aria-hidden />
        <Box miw={0}>
          <Group gap="xs">
            <Text fw={500}>{name}</Text>
            {isOwn && (
              <Badge>
                You
              </Badge>
            )}
          </Group>
          <Text size="sm" c="dimmed">
            {slug}
            {email !== null && ` · ${email}`} · joined <Time at={since} />
          </Text>
        </Box>
      </Group>
      <Group gap="xs" wrap="nowrap">
        {mayChange && !isLastOwner ? (
          <RoleField member={member} workspace={workspace} name={name} isOwn={isOwn} place={place} />
        ) : (
          <Text size="sm">{roleLabel(role)}</Text>
        )}
        {isOwn ? (
          <Button variant="subtle" color="red" size="sm" onClick={onLeave}>
            Leave
          </Button>
        ) : (
          mayChange && (
            <Button variant="subtle" color="red" size="sm" onClick={onRemove}>
              Remove<VisuallyHidden> {name}</VisuallyHidden>
            </Button>
          )
        )}
      </Group>
    </Group>
  );
}

interface FieldProps {
  member: MemberEntry;
  workspace: Workspace;
  name: string;
  isOwn: boolean;
  place: RefObject<HTMLElement | null>;
}

function RoleField({ member: { userId, role }, workspace, name, isOwn, place }: FieldProps) {
  const { slug: owner } = workspace;
  const call = useCall(setRoleRoute, { owner, about: ["members"] });
  const [wanted, setWanted] = useState<Role>("member");
  const [isAsking, { open, close }] = useDisclosure();
  // Only owners can appoint owners.
  const roles = ROLES.filter((candidate) => workspace.role === "owner" || candidate !== "owner");
  async function give(chosen: Role): Promise<void> {
    await call.mutateAsync({ owner, userId, role: chosen });
    notifySuccess(`${isOwn ? "You are" : `${name} is`} now ${rolePhrase(chosen)}`);
    if (isOwn) place.current?.focus();
  }
  function choose(value: string): void {
    const chosen = roles.find((candidate) => candidate === value);
    if (chosen === undefined || chosen === role) return;
    setWanted(chosen);
    // Members can't raise their own role.
    if (isOwn) open();
    else give(chosen).catch((error) => notifyError("Couldn't change the role", error));
  }
  return (
    <>
      <NativeSelect
        aria-label={`Role of ${name}`}
        size="sm"
        w={110}
        data={roles.map((value) => ({ value, label: roleLabel(value) }))}
        value={call.isPending || isAsking ? wanted : role}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
      <ConfirmDialog
        isOpen={isAsking}
        title={`Become ${rolePhrase(wanted)}?`}
        action="Change role"
        onConfirm={() => give(wanted)}
        onClose={close}
      >
        You lose permissions immediately, and only another owner or admin can restore them.
      </ConfirmDialog>
    </>
  );
}
