import { Menu } from "@mantine/core";
import { IconCheck, IconPlus, IconSettings, IconUsers } from "@tabler/icons-react";
import { Initials } from "../shared/initials.tsx";
import { MenuLink } from "../shared/link.tsx";
import { nameOf, useAccount } from "../shared/use-account.ts";

/** The user's workspaces, and pages about the current one. */
export function WorkspaceItems({ owner }: { owner: string }) {
  const { workspaces } = useAccount();
  const current = workspaces.find(({ slug }) => slug === owner);
  return (
    <Menu.Dropdown>
      <Menu.Label>Workspaces</Menu.Label>
      {workspaces.map((workspace) => (
        <MenuLink
          key={workspace.slug}
          to="/w/$owner"
          params={{ owner: workspace.slug }}
          leftSection={<Initials name={nameOf(workspace)} size={22} shape="square" />}
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
  );
}
