import { IconChevronRight, IconDots } from "@tabler/icons-react";
import { type MouseEvent, memo, type RefObject, useId, useRef } from "react";
import { dragData } from "../shared/drag.ts";
import { useDragAndDrop } from "../shared/use-drag-and-drop.ts";
import { isCurrent } from "./addresses.ts";
import classes from "./cabinet.module.css";
import { useCabinet } from "./context.ts";
import { outcomeOf } from "./dropping.ts";
import type { Entry, Section } from "./entries.ts";
import { EntryLink } from "./entry-link.tsx";
import { NameField } from "./name-field.tsx";
import { openMenuOf } from "./open-menu.ts";
import { type EntryRow, indentOf } from "./rows.ts";
import { useDrop } from "./use-drop.ts";

interface Props {
  section: Section;
  row: EntryRow;
  /** Whether Tab reaches this row. */
  isActive: boolean;
}

/** A drawer, folder, tag or shortcut. */
export const EntryLine = memo(function EntryLine({ section, row, isActive }: Props) {
  const { here, editing, edit, setOpen, contents, dropped } = useCabinet();
  const { entry, isOpen, level } = row;
  const element = useRef<HTMLDivElement>(null);
  const linkId = useId();
  const isRenamed = editing?.type === "rename" && editing.key === row.key;
  useDraggable(element, section === "shortcuts" ? undefined : entry);
  const hover = useDrop(element, {
    outcomeFor: (dragged) => outcomeOf(dragged, entry, contents.entries),
    onDrop: dropped,
    onHover: isOpen === false ? () => setOpen([entry.id], true) : undefined,
  });
  return (
    <div
      ref={element}
      role="treeitem"
      className={classes.row}
      tabIndex={isActive ? 0 : -1}
      aria-level={level}
      aria-posinset={row.position}
      aria-setsize={row.setSize}
      aria-expanded={isOpen}
      aria-current={isCurrent(entry, here) ? "page" : undefined}
      aria-labelledby={isRenamed ? undefined : linkId}
      data-key={row.key}
      data-current={isCurrent(entry, here) || undefined}
      data-hover={hover}
      style={{ paddingInlineStart: indentOf(level) }}
      onDoubleClick={() => section !== "shortcuts" && edit({ type: "rename", key: row.key })}
    >
      {section !== "shortcuts" && <Opener row={row} />}
      {isRenamed ? (
        <Rename row={row} />
      ) : (
        <>
          <EntryLink entry={entry} id={linkId} />
          <More title={entry.title} />
        </>
      )}
    </div>
  );
});

/** Not a tab stop, like the menu button: the tree has keys for both. */
function Opener({ row: { entry, isOpen } }: { row: EntryRow }) {
  const { setOpen } = useCabinet();
  if (isOpen === undefined) return <span className={classes.opener} />;
  return (
    <button
      type="button"
      tabIndex={-1}
      className={classes.opener}
      aria-label={`${isOpen ? "Collapse" : "Expand"} ${entry.title}`}
      data-open={isOpen || undefined}
      onClick={() => setOpen([entry.id], !isOpen)}
      onDoubleClick={(event) => event.stopPropagation()}
    >
      <IconChevronRight size={14} aria-hidden />
    </button>
  );
}

function More({ title }: { title: string }) {
  const open = ({ currentTarget }: MouseEvent) => {
    const { left, bottom } = currentTarget.getBoundingClientRect();
    openMenuOf(currentTarget, { x: left, y: bottom });
  };
  return (
    <button
      type="button"
      tabIndex={-1}
      className={classes.more}
      aria-label={`Actions for ${title}`}
      aria-haspopup="menu"
      onClick={open}
      onDoubleClick={(event) => event.stopPropagation()}
    >
      <IconDots size={16} aria-hidden />
    </button>
  );
}

function Rename({ row: { entry, key } }: { row: EntryRow }) {
  const { calls, edit, focusRow } = useCabinet();
  if (entry.kind === "group" || entry.kind === "report") return null;
  const { kind } = entry;
  return (
    <NameField
      label={`New name of ${entry.title}`}
      initial={entry.title}
      onSave={(title) => calls.rename(kind, entry.id, title)}
      onEnd={(end) => {
        edit(undefined);
        if (end !== "left") focusRow(key);
      }}
    />
  );
}

/** On touch screens a long press opens the menu instead of dragging. */
const isTouchScreen = () => matchMedia("(pointer: coarse)").matches;

function useDraggable(element: RefObject<HTMLElement | null>, entry: Entry | undefined): void {
  const { kind, id } = entry ?? {};
  useDragAndDrop(
    ({ draggable }) => {
      if (element.current === null || id === undefined || (kind !== "folder" && kind !== "tag")) return undefined;
      return draggable({
        element: element.current,
        canDrag: ({ element: row }) => !isTouchScreen() && row.querySelector("input") === null,
        getInitialData: () => dragData({ kind, id }),
      });
    },
    [element, kind, id],
  );
}
