import { createContext, useContext } from "react";
import type { HomeSearch } from "../api/filter.ts";
import type { Dragged } from "../shared/drag.ts";
import type { Here } from "./addresses.ts";
import type { Outcome } from "./dropping.ts";
import type { Contents, Entry } from "./entries.ts";
import type { Draft } from "./rows.ts";
import type { CabinetCalls } from "./use-cabinet-calls.ts";
import type { OpenParts } from "./use-open-parts.ts";
import type { Shortcuts } from "./use-shortcuts.ts";

/** What is being named in its place. */
export type Editing = { type: "rename"; key: string } | { type: "draft"; draft: Draft };

/** What is asked in a dialog about an entry. */
export type Question =
  | { type: "move"; entry: Entry; rowKey: string }
  /** With the row that one looks at next. */
  | { type: "delete"; entry: Entry; rowKey: string; neighbour: string | undefined };

/** What all parts of one workspace's cabinet know and can do. */
export interface Cabinet extends OpenParts {
  owner: string;
  contents: Contents;
  here: Here;
  shortcuts: Shortcuts;
  calls: CabinetCalls;
  /** What all of it scrolls in. */
  scroller: HTMLDivElement | null;
  editing: Editing | undefined;
  edit(editing: Editing | undefined): void;
  ask(question: Question | undefined): void;
  /** The row that is to have the focus as soon as it is there. */
  wanted: { key: string } | undefined;
  focusRow(key: string): void;
  /** Narrows the list of reports. */
  go(search: HomeSearch): void;
  dropped(dragged: Dragged, outcome: Outcome): void;
}

export const CabinetContext = createContext<Cabinet | undefined>(undefined);

export function useCabinet(): Cabinet {
  const cabinet = useContext(CabinetContext);
  if (cabinet === undefined) throw new Error("There is no cabinet around this part of it.");
  return cabinet;
}
