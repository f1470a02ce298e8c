import { Avatar, Box, Group, Menu, Text, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { IconCheck, IconPlus, IconSelector, IconSettings, IconUsers } from "@tabler/icons-react";
import { MenuLink } from "../shared/link.tsx";
import { useAccount, type Workspace } from "../shared/use-account.ts";

const nameOf = ({ display_name, slug }: Workspace) => display_name ?? slug;

/** Shows the workspace and switches to others. */
export function WorkspaceSwitcher({ owner }: { owner: string }) {
  const { workspaces } = useAccount();
  const current = workspaces.find(({ slug }) => slug === owner);
  const name = current ? nameOf(current) : owner;
  const kind = current?.kind === "org" ? "Organization" : "Personal";
  return (
    <Menu position="bottom-start" width={256} withinPortal>
      <Menu.Target>
        <UnstyledButton w="100%" p={6} style={{ borderRadius: "var(--mantine-radius-md)" }}>
          <Group gap="xs" wrap="nowrap">
            <WorkspaceMark name={name} size={32} />
            <Box flex={1} miw={0}>
              <Text size="sm" fw={500} truncate>
                {name}
              </Text>
              <Text size="xs" c="dimmed" truncate>
                {kind}
              </Text>
            </Box>
            <IconSelector size={16} aria-hidden />
            <VisuallyHidden>Switch workspace</VisuallyHidden>
          </Group>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown mah="70vh" style={{ overflowY: "auto" }}>
        <Menu.Label>Workspaces</Menu.Label>
        {workspaces.map((workspace) => (
          <MenuLink
            key={workspace.slug}
            to="/w/$owner"
            params={{ owner: workspace.slug }}
            leftSection={<WorkspaceMark name={nameOf(workspace)} size={22} />}
            rightSection={workspace.slug === owner ? <IconCheck size={16} aria-label="current" /> : undefined}
          >
            {nameOf(workspace)}
          </MenuLink>
        ))}
        <Menu.Divider />
        {current?.kind === "org" && (
          <MenuLink to="/w/$owner/members" params={{ owner }} leftSection={<IconUsers size={16} aria-hidden />}>
            Members
          </MenuLink>
        )}
        <MenuLink to="/w/$owner/settings" params={{ owner }} leftSection={<IconSettings size={16} aria-hidden />}>
          Workspace settings
        </MenuLink>
        <MenuLink to="/account/organizations" leftSection={<IconPlus size={16} aria-hidden />}>
          New organization
        </MenuLink>
      </Menu.Dropdown>
    </Menu>
  );
}

const WorkspaceMark = ({ name, size }: { name: string; size: number }) => (
  <Avatar name={name} color="gray.7" variant="filled" radius="sm" size={size} alt="" aria-hidden />
);
