import {
  ActionIcon,
  Alert,
  Badge,
  Box,
  Button,
  Checkbox,
  Group,
  Kbd,
  Menu,
  Modal,
  Notification,
  PasswordInput,
  Radio,
  Select,
  SimpleGrid,
  Skeleton,
  Stack,
  Tabs,
  Text,
  TextInput,
  Tooltip,
} from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import {
  IconAlertTriangle,
  IconDots,
  IconFolder,
  IconInbox,
  IconPencil,
  IconSearch,
  IconTrash,
  IconUpload,
} from "@tabler/icons-react";
import { Notice } from "../shared/states.tsx";

export const ButtonsPart = () => (
  <Group>
    <Button leftSection={<IconUpload size={16} aria-hidden />}>Publish</Button>
    <Button variant="default">Cancel</Button>
    <Button variant="light">Try again</Button>
    <Button variant="subtle" color="gray">
      Clear
    </Button>
    <Button color="red">Delete</Button>
    <Button variant="subtle" color="red">
      Revoke
    </Button>
    <Button disabled>Disabled</Button>
    <Button size="compact-sm" variant="default">
      Compact
    </Button>
    <Tooltip label="More actions">
      <ActionIcon variant="subtle" color="gray" aria-label="More actions">
        <IconDots size={16} />
      </ActionIcon>
    </Tooltip>
    <Badge>Public</Badge>
    <Badge color="blue">Organization</Badge>
    <Badge color="gray">Private</Badge>
    <Badge color="yellow">Soon</Badge>
    <Badge color="red">Expired</Badge>
    <Kbd>⌘ K</Kbd>
  </Group>
);

export const FieldsPart = () => (
  <SimpleGrid cols={{ base: 1, sm: 2 }}>
    <TextInput label="Title" description="Shown to readers." placeholder="Weekly sales" />
    <TextInput label="Name" defaultValue="Weekly Sales" error="Use lowercase letters, digits and hyphens." />
    <TextInput aria-label="Search" placeholder="Search reports" leftSection={<IconSearch size={16} aria-hidden />} />
    <Select label="Folder" data={["Sales", "Finance"]} defaultValue="Sales" />
    <PasswordInput label="Password" visibilityToggleButtonProps={{ "aria-label": "Show password" }} />
    <Stack gap="xs">
      <Checkbox label="Allow temporary browser storage" defaultChecked />
      <Radio label="Anyone with the link" name="audience" defaultChecked />
      <Radio label="Only you" name="audience" />
    </Stack>
  </SimpleGrid>
);

export function OverlaysPart() {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <Stack>
      <Group>
        <Menu position="bottom-start" width={220}>
          <Menu.Target>
            <Button variant="default">Open menu</Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Label>Weekly sales</Menu.Label>
            <Menu.Item leftSection={<IconPencil size={16} />} rightSection={<Kbd>E</Kbd>}>
              Rename…
            </Menu.Item>
            <Menu.Item leftSection={<IconFolder size={16} />}>Move to folder…</Menu.Item>
            <Menu.Divider />
            <Menu.Item color="red" leftSection={<IconTrash size={16} />}>
              Delete report
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
        <Button variant="default" onClick={open}>
          Open dialog
        </Button>
        <Button variant="default" onClick={() => notifications.show({ message: "Link copied", color: "glass" })}>
          Show toast
        </Button>
      </Group>
      <Modal opened={isOpen} onClose={close} title="Delete 3 reports?">
        <Stack>
          <Text>All versions and links stop working. You can undo this for 30 days.</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={close} data-autofocus>
              Cancel
            </Button>
            <Button color="red" onClick={close}>
              Delete
            </Button>
          </Group>
        </Stack>
      </Modal>
      <Notification title="Moved to Finance" withCloseButton={false} maw={380} role="presentation">
        Undo within 30 seconds.
      </Notification>
      <Tabs defaultValue="preview">
        <Tabs.List>
          <Tabs.Tab value="preview">Preview</Tabs.Tab>
          <Tabs.Tab value="versions">Versions 12</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="preview" pt="sm">
          <Text size="sm">The panel of a tab.</Text>
        </Tabs.Panel>
        <Tabs.Panel value="versions" pt="sm">
          <Text size="sm">Another panel.</Text>
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

const ROWS = [
  { title: "Weekly sales", name: "weekly-sales", background: undefined },
  { title: "Churn by plan", name: "churn", background: "var(--hover)" },
  { title: "Forecast Q1", name: "forecast-q1", background: "var(--accent-tint)" },
];

export const RowsPart = () => (
  <Box bd="1px solid var(--line)" style={{ borderRadius: "var(--radius-lg)", overflow: "hidden" }}>
    {ROWS.map(({ title, name, background }) => (
      <Group
        key={name}
        justify="space-between"
        px="md"
        py={6}
        style={{ background, borderBottom: "1px solid var(--line)" }}
      >
        <Box>
          <Text fw={500}>{title}</Text>
          <Text size="xs" c="dimmed" ff="monospace">
            {name}
          </Text>
        </Box>
        <Text size="sm" c="dimmed" data-figures>
          3 versions · 2 hours ago
        </Text>
      </Group>
    ))}
  </Box>
);

export const StatesPart = () => (
  <Stack>
    <Alert color="yellow" icon={<IconAlertTriangle />} title="Published with 2 warnings">
      These parts may not work.
    </Alert>
    <Alert color="red" icon={<IconAlertTriangle />}>
      Couldn't reach the server. Check your connection and try again.
    </Alert>
    <Skeleton h={20} w="60%" />
    <Notice icon={<IconInbox />} title="No reports here yet" action={<Button>New report</Button>}>
      Reports that you publish to this folder appear here.
    </Notice>
  </Stack>
);
