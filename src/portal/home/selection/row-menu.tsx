import { Menu } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import {
  IconCopy,
  IconExternalLink,
  IconEye,
  IconFolder,
  IconPencil,
  IconPin,
  IconStar,
  IconStarOff,
  IconTag,
  IconTrash,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { addShortcutRoute, removeShortcutRoute } from "../../../client/routes.ts";
import { shortcutsQuery } from "../../api/queries.ts";
import { describeCount } from "../../shared/amounts.ts";
import { MenuLink } from "../../shared/link.tsx";
import { notifySuccess } from "../../shared/notify.ts";
import { useAccount } from "../../shared/use-account.ts";
import { useCall } from "../../shared/use-call.ts";
import { type Item, keyOf } from "../slots.ts";
import type { DialogKind } from "./dialogs.tsx";

interface RowMenuProps {
  owner: string;
  /** The report the menu was opened for, or the selection that contains it. */
  items: readonly Item[];
  onDialog(kind: DialogKind, items: readonly Item[]): void;
  onDelete(items: readonly Item[]): void;
}

const size = 16;

/** Menu with the actions for reports of the list. */
export function RowMenu({ owner, items, onDialog, onDelete }: RowMenuProps) {
  const [item] = items;
  if (item === undefined) return null;
  const isOne = items.length === 1;
  return (
    <Menu.Dropdown aria-label={isOne ? item.title : describeCount(items.length, "report")}>
      {isOne ? <Links item={item} /> : <Menu.Label>{describeCount(items.length, "report")}</Menu.Label>}
      {isOne && item.kind === "group" && (
        <Menu.Item leftSection={<IconPencil size={size} />} onClick={() => onDialog("rename", items)}>
          Rename…
        </Menu.Item>
      )}
      <Menu.Item leftSection={<IconFolder size={size} />} onClick={() => onDialog("folder", items)}>
        File in folder…
      </Menu.Item>
      <Menu.Item leftSection={<IconTag size={size} />} onClick={() => onDialog("tags", items)}>
        Tags…
      </Menu.Item>
      <Menu.Item leftSection={<IconEye size={size} />} onClick={() => onDialog("visibility", items)}>
        Visibility…
      </Menu.Item>
      {isOne && <Shortcut owner={owner} item={item} />}
      <Menu.Divider />
      <Menu.Item leftSection={<IconTrash size={size} />} onClick={() => onDelete(items)}>
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
      <MenuLink to="/r/$reference" params={{ reference: keyOf(item) }} leftSection={<IconEye size={size} />}>
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
        <Menu.Item leftSection={<IconCopy size={size} />} onClick={() => copyLink(item.url, "Live link")}>
          Copy live link
        </Menu.Item>
      )}
      <Menu.Item leftSection={<IconPin size={size} />} onClick={() => copyLink(versionLink, "Version link")}>
        Copy version link
      </Menu.Item>
      <Menu.Divider />
    </>
  );
}

/** Not bound to the menu, which may be closed by then; `useCall` reports errors. */
const notifyAfter = (call: Promise<unknown>, message: string) =>
  void call.then(
    () => notifySuccess(message),
    () => undefined,
  );

function Shortcut({ owner, item }: { owner: string; item: Item }) {
  const { data } = useQuery(shortcutsQuery(owner));
  const options = { owner, about: ["shortcuts"] as const, failure: "Couldn't change the shortcuts" };
  const add = useCall(addShortcutRoute, options);
  const remove = useCall(removeShortcutRoute, options);
  const body = { owner, kind: item.kind, ref: keyOf(item) };
  const isThere = data?.shortcuts.some(({ kind, ref }) => kind === body.kind && ref === body.ref) ?? false;
  return isThere ? (
    <Menu.Item
      leftSection={<IconStarOff size={size} />}
      onClick={() => notifyAfter(remove.mutateAsync(body), "Removed from shortcuts")}
    >
      Remove from shortcuts
    </Menu.Item>
  ) : (
    <Menu.Item
      leftSection={<IconStar size={size} />}
      onClick={() => notifyAfter(add.mutateAsync(body), "Added to shortcuts")}
    >
      Add to shortcuts
    </Menu.Item>
  );
}
