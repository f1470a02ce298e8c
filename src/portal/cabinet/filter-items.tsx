import { Menu } from "@mantine/core";
import { IconPencil, IconTrash } from "@tabler/icons-react";

/** The actions for a saved filter. */
export const FilterItems = ({ onRename, onDelete }: { onRename(): void; onDelete(): void }) => (
  <Menu.Dropdown>
    <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={onRename}>
      Rename
    </Menu.Item>
    <Menu.Item leftSection={<IconTrash size={16} aria-hidden />} onClick={onDelete}>
      Delete
    </Menu.Item>
  </Menu.Dropdown>
);
