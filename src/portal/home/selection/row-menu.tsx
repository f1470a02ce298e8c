import { Menu } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import {
  IconExternalLink,
  IconFileText,
  IconFolder,
  IconLink,
  IconPencil,
  IconStar,
  IconStarOff,
  IconTag,
  IconTrash,
  IconUserPlus,
} from "@tabler/icons-react";
import { shortcutLabel } from "../../cabinet/use-shortcuts.ts";
import { describeCount } from "../../shared/amounts.ts";
import { Keys } from "../../shared/keys.tsx";
import { MenuLink } from "../../shared/link.tsx";
import { notifySuccess } from "../../shared/notify.ts";
import { useAccount } from "../../shared/use-account.ts";
import { type Item, keyOf } from "../slots.ts";
import type { Stars } from "../use-stars.ts";
import type { DialogKind } from "./use-dialog.ts";

interface RowMenuProps {
  /** The report the menu was opened for, or the selection that contains it. */
  items: readonly Item[];
  stars: Stars;
  onDialog(kind: DialogKind, items: readonly Item[]): void;
  onDelete(items: readonly Item[]): void;
}

const size = 16;

/** Menu with the actions for reports of the list. */
export function RowMenu({ items, stars, onDialog, onDelete }: RowMenuProps) {
  const [item] = items;
  if (item === undefined) return null;
  const isOne = items.length === 1;
  return (
    <Menu.Dropdown aria-label={isOne ? item.title : describeCount(items.length, "report")}>
      {isOne ? <Links item={item} /> : <Menu.Label>{describeCount(items.length, "report")}</Menu.Label>}
      {isOne && item.kind === "group" && (
        <Menu.Item
          leftSection={<IconPencil size={size} />}
          rightSection={<Keys keys="e" />}
          onClick={() => onDialog("rename", items)}
        >
          Rename…
        </Menu.Item>
      )}
      <Menu.Item
        leftSection={<IconFolder size={size} />}
        rightSection={<Keys keys="m" />}
        onClick={() => onDialog("folder", items)}
      >
        Move to folder…
      </Menu.Item>
      <Menu.Item
        leftSection={<IconTag size={size} />}
        rightSection={<Keys keys="t" />}
        onClick={() => onDialog("tags", items)}
      >
        Tags…
      </Menu.Item>
      <Menu.Item
        leftSection={<IconUserPlus size={size} />}
        rightSection={<Keys keys="v" />}
        onClick={() => onDialog("share", items)}
      >
        Share…
      </Menu.Item>
      {isOne && <StarItem item={item} stars={stars} />}
      <Menu.Divider />
      <Menu.Item
        leftSection={<IconTrash size={size} />}
        rightSection={<Keys keys="Delete" />}
        onClick={() => onDelete(items)}
      >
        Delete
      </Menu.Item>
    </Menu.Dropdown>
  );
}

function Links({ item }: { item: Item }) {
  const { content_url } = useAccount();
  const { copy } = useClipboard();
  const base = item.visibility === "public" ? content_url : location.origin;
  const versionLink = `${base.replace(/\/$/, "")}/${item.code}/`;
  const copyLink = (text: string, what: string) => {
    copy(text);
    notifySuccess(`${what} copied`);
  };
  const isNamed = item.kind === "group";
  return (
    <>
      <MenuLink to="/r/$reference" params={{ reference: keyOf(item) }} leftSection={<IconFileText size={size} />}>
        Open
      </MenuLink>
      <Menu.Item
        component="a"
        href={item.url}
        target="_blank"
        rel="noreferrer"
        leftSection={<IconExternalLink size={size} />}
      >
        {isNamed ? "Open live link in new tab" : "Open version link in new tab"}
      </Menu.Item>
      {isNamed && (
        <Menu.Item leftSection={<IconLink size={size} />} onClick={() => copyLink(item.url, "Live link")}>
          Copy live link
        </Menu.Item>
      )}
      <Menu.Item leftSection={<IconLink size={size} />} onClick={() => copyLink(versionLink, "Version link")}>
        Copy version link
      </Menu.Item>
      <Menu.Divider />
    </>
  );
}

function StarItem({ item, stars }: { item: Item; stars: Stars }) {
  const isStarred = stars.isStarred(item);
  const Icon = isStarred ? IconStarOff : IconStar;
  return (
    <Menu.Item leftSection={<Icon size={size} />} rightSection={<Keys keys="s" />} onClick={() => stars.toggle(item)}>
      {shortcutLabel(item.kind, isStarred)}
    </Menu.Item>
  );
}
