import { ActionIcon, Avatar, Badge, Box, Group, Menu, Text, VisuallyHidden } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import { useRef, useState } from "react";
import type { AdministeredUserEntry } from "../../client/routes.ts";
import { describeBytes } from "../shared/amounts.ts";
import { useConfirmation } from "../shared/confirmation.tsx";
import { notifyError } from "../shared/notify.ts";
import { Time } from "../shared/time.tsx";
import { useAccount } from "../shared/use-account.ts";
import { type PersonAction, PersonDialog } from "./person-dialog.tsx";

/** A user with what operators can do about them. */
export function PersonRow({ user }: { user: AdministeredUserEntry }) {
  const { slug, email, display_name, is_operator, disabled_at, stored_bytes, last_seen_at, created_at } = user;
  const own = useAccount().user;
  const confirm = useConfirmation();
  const [action, setAction] = useState<PersonAction>();
  const menu = useRef<HTMLButtonElement>(null);
  const name = display_name ?? slug;
  const isOwn = own.slug === slug;

  /** Opens the dialog of an action once the operator has confirmed their identity. */
  const begin = (chosen: PersonAction) => () => {
    confirm().then(
      (isConfirmed) => isConfirmed && setAction(chosen),
      (error) => notifyError("Couldn't confirm your identity", error),
    );
  };

  return (
    <Group component="li" justify="space-between" gap="sm" wrap="nowrap">
      <Group wrap="nowrap" gap="sm" miw={0}>
        <Avatar name={name} color="gray.7" variant="filled" size={36} alt="" aria-hidden visibleFrom="xs" />
        <Box miw={0}>
          <Group gap="xs">
            <Text fw={500}>{name}</Text>
            {isOwn && <Mark>You</Mark>}
            {is_operator && <Mark>Operator</Mark>}
            {disabled_at !== null && <Mark color="red">Disabled</Mark>}
          </Group>
          <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
            {name !== slug && `${slug} · `}
            {email}
          </Text>
          <Text size="sm" c="dimmed">
            {describeBytes(stored_bytes)} ·{" "}
            {last_seen_at === null ? (
              <>
                joined <Time at={created_at} />
              </>
            ) : (
              <>
                last seen <Time at={last_seen_at} />
              </>
            )}
          </Text>
        </Box>
      </Group>
      <Menu position="bottom-end" width={240} withinPortal>
        <Menu.Target>
          <ActionIcon ref={menu} variant="subtle" color="gray" size={40}>
            <IconDots size={18} aria-hidden />
            <VisuallyHidden>Actions for {name}</VisuallyHidden>
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={begin("reset")}>Create password reset link</Menu.Item>
          <Menu.Item onClick={begin("sign out")}>Sign out everywhere</Menu.Item>
          {is_operator
            ? !isOwn && <Menu.Item onClick={begin("revoke")}>Revoke operator role</Menu.Item>
            : disabled_at === null && <Menu.Item onClick={begin("grant")}>Grant operator role</Menu.Item>}
          {!isOwn && (
            <>
              <Menu.Divider />
              {disabled_at === null ? (
                <Menu.Item color="red" onClick={begin("disable")}>
                  Disable user
                </Menu.Item>
              ) : (
                <Menu.Item onClick={begin("enable")}>Enable user</Menu.Item>
              )}
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <PersonDialog slug={slug} name={name} action={action} onClose={() => setAction(undefined)} focusAfter={menu} />
    </Group>
  );
}

const Mark = ({ color = "gray", children }: { color?: string; children: string }) => (
  <Badge color={color}>
    {children}
  </Badge>
);
