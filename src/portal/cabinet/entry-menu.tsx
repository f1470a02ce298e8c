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
import { sayFailed } from "../shared/notify.ts";
import { looksOf, without, withTag } from "./addresses.ts";
import classes from "./cabinet.module.css";
import { useCabinet } from "./context.ts";
import type { Entry, Section } from "./entries.ts";
import type { EntryRow } from "./rows.ts";

interface Props {
  section: Section;
  row: EntryRow;
  /** Key of the row to focus when this one is removed. */
  neighbour: string | undefined;
}

/** Menu with the actions for an entry. */
export function EntryMenu({ section, row, neighbour }: Props) {
  const { kind } = row.entry;
  const isHere = section !== "shortcuts";
  return (
    <Menu.Dropdown aria-label={`Actions for ${row.entry.title}`} mah="80vh" className={classes.menu}>
      {kind === "drawer" && <Below entry={row.entry} kind="folder" label="New folder" />}
      {kind === "tag" && <TagFilters row={row} />}
      {kind === "tag" && <Below entry={row.entry} kind="tag" label="New tag below" />}
      {kind === "folder" && <DefaultFolder entry={row.entry} />}
      <ShortcutItem entry={row.entry} neighbour={isHere ? undefined : neighbour} />
      {isHere && <Arranging row={row} neighbour={neighbour} />}
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
          Take out of the filter
        </Menu.Item>
      ) : (
        <Menu.Item leftSection={<IconFilterPlus size={16} aria-hidden />} onClick={() => go(withTag(search, entry.id))}>
          Add to the filter
        </Menu.Item>
      )}
      {isOpen !== undefined && (
        <Menu.Item
          leftSection={<IconSitemap size={16} aria-hidden />}
          onClick={() => go({ ...looksOf(here), tags: [entry.id], within: "subtree" })}
        >
          With tags below
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
      .catch((error) => sayFailed("Changing the default upload folder did not work", error));
  return (
    <Menu.Item leftSection={<IconFolderDown size={16} aria-hidden />} onClick={set}>
      {isDefault === true ? "No longer the default" : "Make default for uploads"}
    </Menu.Item>
  );
}

function ShortcutItem({ entry: { kind, id }, neighbour }: { entry: Entry; neighbour: string | undefined }) {
  const { shortcuts, focusRow } = useCabinet();
  if (!shortcuts.isShortcut(kind, id)) {
    return (
      <Menu.Item leftSection={<IconStar size={16} aria-hidden />} onClick={() => shortcuts.add(kind, id)}>
        Add to shortcuts
      </Menu.Item>
    );
  }
  const remove = () => {
    shortcuts.remove(kind, id);
    if (neighbour !== undefined) focusRow(neighbour);
  };
  return (
    <Menu.Item leftSection={<IconStarOff size={16} aria-hidden />} onClick={remove}>
      Remove from shortcuts
    </Menu.Item>
  );
}

const Key = ({ name }: { name: string }) => <kbd className={classes.key}>{name}</kbd>;

function Arranging({ row: { entry, key }, neighbour }: Pick<Props, "row" | "neighbour">) {
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
        onClick={() => ask({ type: "delete", entry, rowKey: key, neighbour })}
      >
        Delete…
      </Menu.Item>
    </>
  );
}
