import { useRef, useState } from "react";
import { lazyPart } from "../shared/lazy-part.ts";
import { LazyMenu } from "../shared/menu/lazy-menu.tsx";
import type { Anchor } from "../shared/menu/menu-frame.tsx";
import { useContextMenu } from "../shared/menu/use-context-menu.ts";
import { isCurrent } from "./addresses.ts";
import classes from "./cabinet.module.css";
import { useCabinet } from "./context.ts";
import { DraftLine } from "./draft-line.tsx";
import type { Section } from "./entries.ts";
import { EntryLine } from "./entry-line.tsx";
import { DRAFT_KEY, isEntryRow, neighborOf, type Row } from "./rows.ts";
import { useLines } from "./use-lines.ts";
import { useRowFocus } from "./use-row-focus.ts";
import { useTreeKeys } from "./use-tree-keys.ts";

const EntryMenu = lazyPart(async () => (await import("./parts.ts")).EntryMenu);

interface Props {
  section: Section;
  rows: readonly Row[];
  labelledBy: string;
}

/** A virtualized tree with keyboard and pointer support. */
export function Tree({ section, rows, labelledBy }: Props) {
  const { here, editing } = useCabinet();
  const list = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<string>();
  const [menu, setMenu] = useState<{ anchor: Anchor; key: string | undefined; isOpen: boolean }>();
  const indexOf = (key: string | undefined) => rows.findIndex((row) => row.key === key);
  const currentIndex = rows.findIndex((row) => isEntryRow(row) && isCurrent(row.entry, here));
  const activeIndex = indexOf(active) >= 0 ? indexOf(active) : Math.max(currentIndex, 0);
  const editedIndex = indexOf(editing?.type === "rename" ? editing.key : DRAFT_KEY);
  const { lines, height, measure } = useLines({ list, rows, always: [currentIndex, activeIndex, editedIndex] });
  const { focusKey, forget } = useRowFocus({ section, list, setActive, isReady: lines.length > 0 });
  const onKeyDown = useTreeKeys({ section, rows, focusKey });
  const chosenRow = rows[indexOf(menu?.key)];
  const contextMenu = useContextMenu((anchor, target) => setMenu({ anchor, key: keyAt(target), isOpen: true }));
  const closeMenu = () => {
    setMenu(menu && { ...menu, isOpen: false });
    if (menu?.key !== undefined) focusKey(menu.key);
  };
  return (
    <>
      <div
        ref={list}
        role="tree"
        tabIndex={-1}
        aria-labelledby={labelledBy}
        className={classes.tree}
        style={{ height }}
        onKeyDown={onKeyDown}
        onFocus={(event) => setActive(keyAt(event.target) ?? active)}
        onPointerDownCapture={forget}
        {...contextMenu}
      >
        {lines.map(({ index, row, offset }) => (
          <div
            key={row.key}
            ref={measure}
            data-index={index}
            className={classes.line}
            style={{ transform: `translateY(${offset}px)` }}
          >
            {isEntryRow(row) ? (
              <EntryLine section={section} row={row} isActive={index === activeIndex} />
            ) : (
              <DraftLine row={row} />
            )}
          </div>
        ))}
      </div>
      {menu !== undefined && isEntryRow(chosenRow) && (
        <LazyMenu
          anchor={menu.anchor}
          isOpen={menu.isOpen}
          onClose={closeMenu}
          position="bottom-start"
          width={240}
          returnsFocus={false}
        >
          <EntryMenu section={section} row={chosenRow} neighbor={neighborOf(rows, chosenRow.key)} />
        </LazyMenu>
      )}
    </>
  );
}

/** Returns the key of an element's row. */
function keyAt(element: EventTarget): string | undefined {
  const row = element instanceof Element ? element.closest("[data-key]") : null;
  return row?.getAttribute("data-key") ?? undefined;
}
