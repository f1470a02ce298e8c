import { createContext, useContext } from "react";
import type { HomeSearch } from "../api/filter.ts";
import type { Dragged } from "../shared/drag.ts";
import type { Here } from "./addresses.ts";
import type { CabinetCalls } from "./cabinet-calls.ts";
import type { Outcome } from "./dropping.ts";
import type { Contents, Entry } from "./entries.ts";
import type { Draft } from "./rows.ts";
import type { OpenParts } from "./use-open-parts.ts";
import type { Shortcuts } from "./use-shortcuts.ts";

/** The entry being renamed or created inline. */
export type Editing = { type: "rename"; key: string } | { type: "draft"; draft: Draft };

/** The open dialog about an entry. */
export type Question =
  | { type: "move"; entry: Entry; rowKey: string }
  /** `neighbor` is the row to focus next. */
  | { type: "delete"; entry: Entry; rowKey: string; neighbor: string | undefined };

/** State and actions shared by all parts of a workspace's cabinet. */
export interface Cabinet extends OpenParts {
  owner: string;
  contents: Contents;
  here: Here;
  shortcuts: Shortcuts;
  calls: CabinetCalls;
  /** The scrolling element. */
  scroller: HTMLDivElement | null;
  editing: Editing | undefined;
  edit(editing: Editing | undefined): void;
  ask(question: Question | undefined): void;
  /** The row to focus once it is rendered. */
  wanted: { key: string } | undefined;
  focusRow(key: string): void;
  /** Filters the list of reports. */
  go(search: HomeSearch): void;
  dropped(dragged: Dragged, outcome: Outcome): void;
}

export const CabinetContext = createContext<Cabinet | undefined>(undefined);

export function useCabinet(): Cabinet {
  const cabinet = useContext(CabinetContext);
  if (cabinet === undefined) throw new Error("useCabinet requires a CabinetContext.");
  return cabinet;
}
