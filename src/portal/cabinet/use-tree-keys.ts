import { type KeyboardEvent, useRef } from "react";
import { type Cabinet, useCabinet } from "./context.ts";
import type { Section } from "./entries.ts";
import { openMenuOf } from "./open-menu.ts";
import { type EntryRow, findByStart, isEntryRow, neighborOf, type Row } from "./rows.ts";
import { type Step, stepFor } from "./tree-keys.ts";

/** Milliseconds after which type-ahead starts over. */
const TYPING = 700;

interface Options {
  section: Section;
  rows: readonly Row[];
  focusKey(key: string): void;
}

/** Returns the keyboard handler of a tree. */
export function useTreeKeys({ section, rows, focusKey }: Options) {
  const cabinet = useCabinet();
  const typed = useRef({ text: "", at: 0 });

  /** Moves to the row that starts with the typed text. */
  function type({ key, timeStamp }: KeyboardEvent, index: number): Step | undefined {
    if (!/^[\p{L}\p{N}]$/u.test(key)) return undefined;
    const { text, at } = typed.current;
    const isFresh = timeStamp - at > TYPING;
    typed.current = { text: isFresh ? key : text + key, at: timeStamp };
    const found = findByStart(rows, isFresh ? index + 1 : index, typed.current.text);
    return found === undefined ? undefined : { type: "go", index: found };
  }

  return (event: KeyboardEvent<HTMLElement>) => {
    const element = rowOf(event);
    const index = rows.findIndex(({ key }) => key === element?.getAttribute("data-key"));
    const row = rows[index];
    if (element === undefined || !isEntryRow(row)) return;
    const step = stepFor(event, rows, index) ?? type(event, index);
    if (step === undefined) return;
    // Keeps the key from a menu that is about to open.
    event.preventDefault();
    event.stopPropagation();
    const next = step.type === "go" ? rows[step.index] : undefined;
    if (next !== undefined) focusKey(next.key);
    else take(step, { cabinet, section, row, element, rows });
  };
}

/** Returns the row that a key targets, unless it belongs to a control in the row or to the browser. */
function rowOf({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): HTMLElement | undefined {
  if (ctrlKey || metaKey || altKey || !(target instanceof Element)) return undefined;
  if (target.closest("input, button") !== null) return undefined;
  return target.closest<HTMLElement>("[data-key]") ?? undefined;
}

interface KeyContext {
  cabinet: Cabinet;
  section: Section;
  row: EntryRow;
  element: HTMLElement;
  rows: readonly Row[];
}

function take(step: Step, { cabinet, section, row, element, rows }: KeyContext): void {
  const { entry, key } = row;
  if (step.type === "open" || step.type === "close") cabinet.setOpen([step.id], step.type === "open");
  if (step.type === "follow") element.querySelector("a")?.click();
  if (step.type === "menu") openMenuOf(element);
  if (step.type === "rename" && section !== "shortcuts") cabinet.edit({ type: "rename", key });
  if (step.type === "delete") {
    const neighbor = neighborOf(rows, key);
    if (section !== "shortcuts") cabinet.ask({ type: "delete", entry, rowKey: key, neighbor });
    else {
      cabinet.shortcuts.remove(entry.kind, entry.id, entry.title);
      if (neighbor !== undefined) cabinet.focusRow(neighbor);
    }
  }
}
