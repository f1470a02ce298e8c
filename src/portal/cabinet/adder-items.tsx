import { Menu } from "@mantine/core";
import { IconArchive, IconFolder } from "@tabler/icons-react";

/** What can be created beside a heading. */
export const AdderItems = ({ onCreate }: { onCreate(kind: "drawer" | "folder"): void }) => (
  <Menu.Dropdown>
    <Menu.Item leftSection={<IconArchive size={16} aria-hidden />} onClick={() => onCreate("drawer")}>
      New drawer
    </Menu.Item>
    <Menu.Item leftSection={<IconFolder size={16} aria-hidden />} onClick={() => onCreate("folder")}>
      New folder
    </Menu.Item>
  </Menu.Dropdown>
);
