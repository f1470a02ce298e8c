import { Menu } from "@mantine/core";
import {
  IconArrowRight,
  IconFilterMinus,
  IconFilterPlus,
  IconFolderDown,
  IconFolderPlus,
  IconPencil,
  IconPlus,
  IconSitemap,
  IconStar,
  IconStarOff,
  IconTrash,
} from "@tabler/icons-react";
import { notifyError } from "../shared/notify.ts";
import { viewOf, without, withTag } from "./addresses.ts";
import classes from "./cabinet.module.css";
import { useCabinet } from "./context.ts";
import type { Entry, Section } from "./entries.ts";
import type { EntryRow } from "./rows.ts";
import { shortcutLabel } from "./use-shortcuts.ts";

interface Props {
  section: Section;
  row: EntryRow;
  /** Key of the row to focus when this one is removed. */
  neighbor: string | undefined;
}

/** Menu with the actions for an entry. */
export function EntryMenu({ section, row, neighbor }: Props) {
  const { kind } = row.entry;
  const isHere = section !== "shortcuts";
  return (
    <Menu.Dropdown aria-label={`Actions for ${row.entry.title}`} className={classes.menu}>
      {kind === "drawer" && <Below entry={row.entry} kind="folder" label="New folder" />}
      {kind === "tag" && <TagFilters row={row} />}
      {kind === "tag" && <Below entry={row.entry} kind="tag" label="New subtag" />}
      {kind === "folder" && <DefaultFolder entry={row.entry} />}
      <ShortcutItem entry={row.entry} neighbor={isHere ? undefined : neighbor} />
      {isHere && <Arranging row={row} neighbor={neighbor} />}
    </Menu.Dropdown>
  );
}

function Below({ entry, kind, label }: { entry: Entry; kind: "folder" | "tag"; label: string }) {
  const { edit } = useCabinet();
  const Icon = kind === "folder" ? IconFolderPlus : IconPlus;
  return (
    <Menu.Item
      leftSection={<Icon size={16} aria-hidden />}
      onClick={() => edit({ type: "draft", draft: { kind, parentId: entry.id } })}
    >
      {label}
    </Menu.Item>
  );
}

function TagFilters({ row: { entry, isOpen } }: { row: EntryRow }) {
  const { here, go } = useCabinet();
  const search = here.search ?? {};
  const isIn = search.tags?.includes(entry.id) ?? false;
  return (
    <>
      {isIn ? (
        <Menu.Item
          leftSection={<IconFilterMinus size={16} aria-hidden />}
          onClick={() => go(without(search, new Set([entry.id])))}
        >
          Remove from filter
        </Menu.Item>
      ) : (
        <Menu.Item leftSection={<IconFilterPlus size={16} aria-hidden />} onClick={() => go(withTag(search, entry.id))}>
          Add to filter
        </Menu.Item>
      )}
      {isOpen !== undefined && (
        <Menu.Item
          leftSection={<IconSitemap size={16} aria-hidden />}
          onClick={() => go({ ...viewOf(here), tags: [entry.id], within: "tag" })}
        >
          Show only this tag
        </Menu.Item>
      )}
    </>
  );
}

function DefaultFolder({ entry: { id, isDefault } }: { entry: Entry }) {
  const { calls } = useCabinet();
  const set = () =>
    calls
      .setDefaultFolder(isDefault === true ? null : id)
      .catch((error) => notifyError("Couldn't change the folder for new reports", error));
  return (
    <Menu.Item leftSection={<IconFolderDown size={16} aria-hidden />} onClick={set}>
      {isDefault === true ? "Remove as default folder" : "Set as default folder"}
    </Menu.Item>
  );
}

function ShortcutItem({ entry: { kind, id, title }, neighbor }: { entry: Entry; neighbor: string | undefined }) {
  const { shortcuts, focusRow } = useCabinet();
  if (!shortcuts.isShortcut(kind, id)) {
    return (
      <Menu.Item leftSection={<IconStar size={16} aria-hidden />} onClick={() => shortcuts.add(kind, id, title)}>
        {shortcutLabel(kind, false)}
      </Menu.Item>
    );
  }
  const remove = () => {
    shortcuts.remove(kind, id, title);
    if (neighbor !== undefined) focusRow(neighbor);
  };
  return (
    <Menu.Item leftSection={<IconStarOff size={16} aria-hidden />} onClick={remove}>
      {shortcutLabel(kind, true)}
    </Menu.Item>
  );
}

const Key = ({ name }: { name: string }) => <kbd className={classes.key}>{name}</kbd>;

function Arranging({ row: { entry, key }, neighbor }: Pick<Props, "row" | "neighbor">) {
  const { edit, ask } = useCabinet();
  return (
    <>
      <Menu.Divider />
      <Menu.Item
        leftSection={<IconPencil size={16} aria-hidden />}
        rightSection={<Key name="F2" />}
        onClick={() => edit({ type: "rename", key })}
      >
        Rename
      </Menu.Item>
      {entry.kind !== "drawer" && (
        <Menu.Item
          leftSection={<IconArrowRight size={16} aria-hidden />}
          onClick={() => ask({ type: "move", entry, rowKey: key })}
        >
          Move to…
        </Menu.Item>
      )}
      <Menu.Item
        c="var(--mantine-color-error)"
        leftSection={<IconTrash size={16} aria-hidden />}
        rightSection={<Key name="Del" />}
        onClick={() => ask({ type: "delete", entry, rowKey: key, neighbor })}
      >
        Delete…
      </Menu.Item>
    </>
  );
}
