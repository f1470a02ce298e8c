import { Menu, Text, useMantineColorScheme } from "@mantine/core";
import {
  IconBuilding,
  IconCommand,
  IconKey,
  IconKeyboard,
  IconLogout,
  IconPlug,
  IconServerCog,
  IconUser,
} from "@tabler/icons-react";
import { useOpenPalette, useOpenShortcuts } from "../palette/palette.tsx";
import { Keys } from "../shared/keys.tsx";
import { MenuLink } from "../shared/link.tsx";
import { useSession } from "../shared/session.tsx";
import { useAccount } from "../shared/use-account.ts";

const SCHEMES = [
  { value: "light", label: "Light theme" },
  { value: "dark", label: "Dark theme" },
  { value: "auto", label: "System theme" },
] as const;

/** The user's account, appearance and sign-out. */
export function AccountItems() {
  const { user } = useAccount();
  const session = useSession();
  const openPalette = useOpenPalette();
  const openShortcuts = useOpenShortcuts();
  const name = user.display_name ?? user.slug;
  return (
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
      <Menu.Item onClick={openPalette} leftSection={<IconCommand size={16} />} rightSection={<Keys keys="mod K" />}>
        Command palette
      </Menu.Item>
      <Menu.Item onClick={openShortcuts} leftSection={<IconKeyboard size={16} />} rightSection={<Keys keys="?" />}>
        Keyboard shortcuts
      </Menu.Item>
      <Menu.Divider />
      <ColorScheme />
      <Menu.Divider />
      <Menu.Item onClick={session.signOut} leftSection={<IconLogout size={16} />}>
        Sign out
      </Menu.Item>
    </Menu.Dropdown>
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
