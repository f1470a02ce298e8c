import { Avatar, Box, Group, Menu, Text, UnstyledButton } from "@mantine/core";
import { IconCheck, IconPlus, IconSelector, IconSettings, IconUsers } from "@tabler/icons-react";
import { Link } from "../shared/link.tsx";
import { useAccount, type Workspace } from "../shared/use-account.ts";

const nameOf = ({ display_name, slug }: Workspace) => display_name ?? slug;

/** Which workspace the page is in, and the way to the others. */
export function WorkspaceSwitcher({ owner }: { owner: string }) {
  const { workspaces } = useAccount();
  const current = workspaces.find(({ slug }) => slug === owner);
  return (
    <Menu position="bottom-start" width={256} withinPortal>
      <Menu.Target>
        <UnstyledButton
          w="100%"
          p={6}
          style={{ borderRadius: "var(--mantine-radius-md)" }}
          aria-label={`Workspace ${current ? nameOf(current) : owner}. Change it`}
        >
          <Group gap="xs" wrap="nowrap">
            <Avatar name={current ? nameOf(current) : owner} color="initials" radius="md" size={32} alt="" />
            <Box flex={1} miw={0}>
              <Text size="sm" fw={600} truncate>
                {current ? nameOf(current) : owner}
              </Text>
              <Text size="xs" c="dimmed" truncate>
                {current?.kind === "org" ? "Organization" : "Personal"}
              </Text>
            </Box>
            <IconSelector size={16} aria-hidden />
          </Group>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown mah="70vh" style={{ overflowY: "auto" }}>
        <Menu.Label>Workspaces</Menu.Label>
        {workspaces.map((workspace) => (
          <Menu.Item
            key={workspace.slug}
            component={Link}
            to="/w/$owner"
            params={{ owner: workspace.slug }}
            leftSection={<Avatar name={nameOf(workspace)} color="initials" radius="sm" size={22} alt="" />}
            rightSection={workspace.slug === owner ? <IconCheck size={16} aria-label="current" /> : undefined}
          >
            {nameOf(workspace)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        {current?.kind === "org" && (
          <Menu.Item
            component={Link}
            to="/w/$owner/members"
            params={{ owner }}
            leftSection={<IconUsers size={16} aria-hidden />}
          >
            Members
          </Menu.Item>
        )}
        <Menu.Item
          component={Link}
          to="/w/$owner/settings"
          params={{ owner }}
          leftSection={<IconSettings size={16} aria-hidden />}
        >
          Workspace settings
        </Menu.Item>
        <Menu.Item component={Link} to="/account/organizations" leftSection={<IconPlus size={16} aria-hidden />}>
          New organization
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
