import { useRef } from "react";
import classes from "./cabinet.module.css";
import { useCabinet } from "./context.ts";
import { type CabinetKind, headingId } from "./entries.ts";
import { NameField, type NamingEnd } from "./name-field.tsx";
import { type DraftRow, indentOf } from "./rows.ts";

const LABELS: Readonly<Record<CabinetKind, string>> = {
  drawer: "Name of the new drawer",
  folder: "Name of the new folder",
  tag: "Name of the new tag",
};

/** A new entry being named in place. */
export function DraftLine({ row: { draft, key, level, position, setSize } }: { row: DraftRow }) {
  const { calls, edit, focusRow, setOpen } = useCabinet();
  const made = useRef<string>(undefined);
  const section = draft.kind === "tag" ? "tags" : "folders";
  const label = LABELS[draft.kind];
  async function save(title: string): Promise<void> {
    made.current = await calls.create(draft, title);
    if (draft.parentId !== null) setOpen([draft.parentId], true);
  }
  function onEnd(end: NamingEnd): void {
    edit(undefined);
    const next = end === "saved" ? made.current : draft.parentId;
    if (end === "left") return;
    if (typeof next === "string") focusRow(`${section}:${next}`);
    else document.getElementById(headingId(section))?.focus();
  }
  return (
    <div
      role="treeitem"
      className={classes.row}
      tabIndex={-1}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={setSize}
      data-key={key}
      style={{ paddingInlineStart: indentOf(level) }}
    >
      <span className={classes.opener} />
      <NameField label={label} placeholder={`New ${draft.kind}`} initial="" onSave={save} onEnd={onEnd} />
    </div>
  );
}
