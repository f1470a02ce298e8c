import { ActionIcon, Avatar, Menu, Text, useMantineColorScheme, VisuallyHidden } from "@mantine/core";
import { IconBuilding, IconCommand, IconKey, IconLogout, IconPlug, IconServerCog, IconUser } from "@tabler/icons-react";
import { useOpenPalette } from "../palette/palette.tsx";
import { MenuLink } from "../shared/link.tsx";
import { useSession } from "../shared/session.tsx";
import { useAccount } from "../shared/use-account.ts";

/** The shortcut as this platform writes it. */
const COMMAND_KEY = /mac|iphone|ipad/i.test(navigator.userAgent) ? "⌘ K" : "Ctrl K";

const SCHEMES = [
  { value: "light", label: "Light theme" },
  { value: "dark", label: "Dark theme" },
  { value: "auto", label: "System theme" },
] as const;

/** Menu with the user's account, appearance and sign-out. */
export function AccountMenu() {
  const { user } = useAccount();
  const session = useSession();
  const openPalette = useOpenPalette();
  const name = user.display_name ?? user.slug;
  return (
    <Menu position="bottom-end" width={240} withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" radius="xl">
          <Avatar name={name} color="glass" variant="filled" size={32} alt="" aria-hidden />
          <VisuallyHidden>Account of {name}</VisuallyHidden>
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={500} c="var(--mantine-color-text)">
            {name}
          </Text>
          {user.email}
        </Menu.Label>
        <MenuLink to="/account" leftSection={<IconUser size={16} />}>
          Account
        </MenuLink>
        <MenuLink to="/account/tokens" leftSection={<IconKey size={16} />}>
          Access tokens
        </MenuLink>
        <MenuLink to="/account/organizations" leftSection={<IconBuilding size={16} />}>
          Organizations
        </MenuLink>
        <MenuLink to="/connect" leftSection={<IconPlug size={16} />}>
          Connect your agent or CI
        </MenuLink>
        {user.is_operator && (
          <MenuLink to="/admin" leftSection={<IconServerCog size={16} />}>
            Administration
          </MenuLink>
        )}
        <Menu.Item
          onClick={openPalette}
          leftSection={<IconCommand size={16} />}
          rightSection={
            <Text size="xs" c="dimmed">
              {COMMAND_KEY}
            </Text>
          }
        >
          Command palette
        </Menu.Item>
        <Menu.Divider />
        <ColorScheme />
        <Menu.Divider />
        <Menu.Item onClick={session.signOut} leftSection={<IconLogout size={16} />}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function ColorScheme() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const choose = (value: string) => {
    const scheme = SCHEMES.find((candidate) => candidate.value === value);
    if (scheme !== undefined) setColorScheme(scheme.value);
  };
  return (
    <Menu.RadioGroup value={colorScheme} onChange={choose}>
      {SCHEMES.map(({ value, label }) => (
        <Menu.RadioItem key={value} value={value}>
          {label}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  );
}
