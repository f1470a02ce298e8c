import { ActionIcon, Avatar, Menu, SegmentedControl, Text, useMantineColorScheme } from "@mantine/core";
import { IconBuilding, IconKey, IconLogout, IconPlug, IconUser } from "@tabler/icons-react";
import { Link } from "../shared/link.tsx";
import { sayFailed } from "../shared/notify.ts";
import { useAccount } from "../shared/use-account.ts";

const SCHEMES = [
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
  { value: "auto", label: "System" },
] as const;

/** Who is signed in, and what concerns them. */
export function AccountMenu() {
  const { user } = useAccount();
  const name = user.display_name ?? user.slug;
  return (
    <Menu position="bottom-end" width={240} withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" radius="xl" aria-label={`Account of ${name}`}>
          <Avatar name={name} color="glass" size={32} alt="" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} c="var(--mantine-color-text)">
            {name}
          </Text>
          {user.email}
        </Menu.Label>
        <Menu.Item component={Link} to="/account" leftSection={<IconUser size={16} />}>
          Account
        </Menu.Item>
        <Menu.Item component={Link} to="/account/tokens" leftSection={<IconKey size={16} />}>
          API Tokens
        </Menu.Item>
        <Menu.Item component={Link} to="/account/organizations" leftSection={<IconBuilding size={16} />}>
          Organizations
        </Menu.Item>
        <Menu.Item component={Link} to="/connect" leftSection={<IconPlug size={16} />}>
          Connect your agent or CI
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label id="color-scheme">Colours</Menu.Label>
        <ColorScheme />
        <Menu.Divider />
        <Menu.Item onClick={signOut} leftSection={<IconLogout size={16} />}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function ColorScheme() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SegmentedControl
      aria-labelledby="color-scheme"
      fullWidth
      size="xs"
      mx={6}
      mb={6}
      data={[...SCHEMES]}
      value={colorScheme}
      onChange={(value) => {
        const scheme = SCHEMES.find((candidate) => candidate.value === value);
        if (scheme !== undefined) setColorScheme(scheme.value);
      }}
    />
  );
}

/** Not a call of the API, which has no part in signing in and out. */
export async function signOut(): Promise<void> {
  try {
    const headers = { "Content-Type": "application/json" };
    const answer = await fetch("/api/auth/sign-out", { method: "POST", headers, body: "{}" });
    if (!answer.ok) throw new Error(`Status ${answer.status}`);
    location.assign("/-/sign-in");
  } catch (error) {
    sayFailed("Signing out did not work", error);
  }
}
