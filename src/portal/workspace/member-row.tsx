import { Avatar, Badge, Box, Button, Group, NativeSelect, Text, VisuallyHidden } from "@mantine/core";
import { type MemberEntry, setRoleRoute } from "../../client/routes.ts";
import { sayDone } from "../shared/notify.ts";
import { type Role, roleLabel, rolePhrase } from "../shared/roles.ts";
import { Time } from "../shared/time.tsx";
import type { Workspace } from "../shared/use-account.ts";
import { useCall } from "../shared/use-call.ts";

const ROLES: readonly Role[] = ["owner", "admin", "member"];

interface Props {
  member: MemberEntry;
  workspace: Workspace;
  /** Whether it is the reader. */
  isOwn: boolean;
  isLastOwner: boolean;
  onRemove(): void;
  onLeave(): void;
}

export function MemberRow({ member, workspace, isOwn, isLastOwner, onRemove, onLeave }: Props) {
  const { slug, display_name, email, role, since } = member;
  const name = display_name ?? slug;
  // The server asks again; this is what it will say.
  const mayChange = workspace.role === "owner" || (workspace.role === "admin" && role !== "owner");
  return (
    <Group component="li" justify="space-between" gap="sm">
      <Group wrap="nowrap" gap="sm" miw={0} flex="1 1 280px">
        <Avatar name={name} color="gray.7" variant="filled" size={36} alt="" aria-hidden />
        <Box miw={0}>
          <Group gap="xs">
            <Text fw={550}>{name}</Text>
            {isOwn && (
              <Badge variant="light" tt="none">
                You
              </Badge>
            )}
          </Group>
          <Text size="sm" c="dimmed">
            {slug}
            {email !== null && ` · ${email}`} · since <Time at={since} />
          </Text>
        </Box>
      </Group>
      <Group gap="xs" wrap="nowrap">
        {mayChange && !isLastOwner ? (
          <RoleField member={member} workspace={workspace} name={name} />
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
}

function RoleField({ member: { userId, role }, workspace, name }: FieldProps) {
  const { slug: owner } = workspace;
  const call = useCall(setRoleRoute, { owner, about: ["members"], failure: "Changing the role did not work" });
  // Only owners make owners.
  const roles = ROLES.filter((candidate) => workspace.role === "owner" || candidate !== "owner");
  async function choose(value: string): Promise<void> {
    const chosen = roles.find((candidate) => candidate === value);
    if (chosen === undefined || chosen === role) return;
    await call.mutateAsync({ owner, userId, role: chosen });
    sayDone(`${name} is ${rolePhrase(chosen)} now.`);
  }
  return (
    <NativeSelect
      aria-label={`Role of ${name}`}
      size="sm"
      w={110}
      data={roles.map((value) => ({ value, label: roleLabel(value) }))}
      value={call.isPending ? call.variables.role : role}
      onChange={({ currentTarget }) => void choose(currentTarget.value).catch(() => undefined)}
    />
  );
}
