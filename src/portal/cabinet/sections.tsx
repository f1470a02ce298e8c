import { IconChevronRight, IconPlus } from "@tabler/icons-react";
import { type ReactNode, useDeferredValue, useMemo, useRef, useState } from "react";
import { Hidden } from "../shared/hidden.tsx";
import { lazyPart } from "../shared/lazy-part.ts";
import { MenuButton } from "../shared/menu/menu-button.tsx";
import classes from "./cabinet.module.css";
import { useCabinet } from "./context.ts";
import { outcomeOf } from "./dropping.ts";
import { type Branch, type Entry, headingId, type Section } from "./entries.ts";
import { type Draft, flatten, matchingIds } from "./rows.ts";
import { Tree } from "./tree.tsx";
import { useDrop } from "./use-drop.ts";

/** Entries from which a filter is offered. */
const FILTER_THRESHOLD = 30;

const AdderItems = lazyPart(async () => (await import("./parts.ts")).AdderItems);

/** Shortcuts to drawers, folders and tags, if there are any. */
export function ShortcutSection() {
  const { shortcuts } = useCabinet().contents;
  const entries = useMemo(() => shortcuts.map(({ entry }) => entry), [shortcuts]);
  if (shortcuts.length === 0) return null;
  return (
    <SectionFrame
      section="shortcuts"
      title="Shortcuts"
      filterLabel="Filter shortcuts"
      empty=""
      branches={shortcuts}
      entries={entries}
    />
  );
}

export function FolderSection() {
  const { folders, entries } = useCabinet().contents;
  const own = useMemo(() => [...entries.values()].filter(({ kind }) => kind !== "tag"), [entries]);
  return (
    <SectionFrame
      section="folders"
      title="Drawers and folders"
      filterLabel="Filter drawers and folders"
      empty="No drawers yet. Use + to create one."
      branches={folders}
      entries={own}
      adder={<FolderAdder />}
    />
  );
}

export function TagSection() {
  const { tags, entries } = useCabinet().contents;
  const own = useMemo(() => [...entries.values()].filter(({ kind }) => kind === "tag"), [entries]);
  return (
    <SectionFrame
      section="tags"
      title="Tags"
      filterLabel="Filter tags"
      empty="No tags yet. Use + to create one."
      branches={tags}
      entries={own}
      adder={<TagAdder />}
    />
  );
}

interface FrameProps {
  section: Section;
  title: string;
  filterLabel: string;
  /** Shown when there are no entries. */
  empty: string;
  branches: readonly Branch[];
  entries: readonly Entry[];
  adder?: ReactNode;
}

function SectionFrame({ section, title, filterLabel, empty, branches, entries, adder }: FrameProps) {
  const { isSectionOpen, scroller } = useCabinet();
  const place = useRef<HTMLDivElement>(null);
  const draft = useDraftOf(section);
  const [filter, setFilter] = useState("");
  // A new entry might not match the filter.
  if (draft !== undefined && filter !== "") setFilter("");
  const rows = useRows({ section, branches, entries, filter, draft });
  const isOpen = isSectionOpen(section) || draft !== undefined;
  const search = (text: string) => {
    setFilter(text);
    // Results start at the section's top.
    const top = place.current?.offsetTop ?? 0;
    if (scroller !== null && scroller.scrollTop > top) scroller.scrollTop = top;
  };
  return (
    <div ref={place} className={classes.section}>
      <div className={classes.head}>
        <Heading section={section} title={title} adder={adder} isOpen={isOpen} />
        {isOpen && entries.length > FILTER_THRESHOLD && <Filter label={filterLabel} value={filter} onChange={search} />}
      </div>
      {isOpen && rows.length > 0 && <Tree section={section} rows={rows} labelledBy={headingId(section)} />}
      {isOpen && rows.length === 0 && (
        <p className={classes.empty} role={filter === "" ? undefined : "status"}>
          {filter === "" ? empty : "No matches"}
        </p>
      )}
    </div>
  );
}

function useDraftOf(section: Section): Draft | undefined {
  const { editing } = useCabinet();
  if (editing?.type !== "draft") return undefined;
  return (editing.draft.kind === "tag" ? "tags" : "folders") === section ? editing.draft : undefined;
}

type RowsOptions = Pick<FrameProps, "section" | "branches" | "entries"> & { filter: string; draft: Draft | undefined };

function useRows({ section, branches, entries, filter, draft }: RowsOptions) {
  const { isOpen, contents } = useCabinet();
  const deferredFilter = useDeferredValue(filter);
  const kept = useMemo(() => {
    const ancestors = section === "shortcuts" ? new Map() : contents.entries;
    return matchingIds(deferredFilter, entries, ancestors);
  }, [section, deferredFilter, entries, contents]);
  return useMemo(
    () => flatten(branches, { prefix: section, isOpen, kept: draft === undefined ? kept : undefined, draft }),
    [branches, section, isOpen, kept, draft],
  );
}

/** Expands and collapses a section. Folders dropped here move to the root, tags to the top level. */
function Heading({
  section,
  title,
  adder,
  isOpen,
}: Pick<FrameProps, "section" | "title" | "adder"> & { isOpen: boolean }) {
  const { contents, dropped, setSectionOpen } = useCabinet();
  const element = useRef<HTMLDivElement>(null);
  const hover = useDrop(element, {
    outcomeFor: (dragged) =>
      section === "shortcuts"
        ? undefined
        : outcomeOf(dragged, section === "folders" ? "root" : "top", contents.entries),
    onDrop: dropped,
    onHover: isOpen ? undefined : () => setSectionOpen(section, true),
  });
  return (
    <div ref={element} className={classes.heading} data-hover={hover}>
      <h2>
        <button
          id={headingId(section)}
          type="button"
          aria-expanded={isOpen}
          onClick={() => setSectionOpen(section, !isOpen)}
        >
          {title}
          <IconChevronRight size={14} aria-hidden className={classes.chevron} data-open={isOpen || undefined} />
        </button>
      </h2>
      {adder}
    </div>
  );
}

interface FilterProps {
  label: string;
  value: string;
  onChange(value: string): void;
}

const Filter = ({ label, value, onChange }: FilterProps) => (
  <div className={classes.filter}>
    <input
      type="search"
      aria-label={label}
      placeholder="Filter"
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      onKeyDown={({ key }) => key === "Escape" && onChange("")}
    />
  </div>
);

function FolderAdder() {
  const { edit } = useCabinet();
  const place = useRef<HTMLSpanElement>(null);
  return (
    <span ref={place}>
      <MenuButton
        position="bottom-end"
        width={200}
        className={classes.add}
        onClosed={() => place.current?.querySelector("button")?.focus()}
        face={
          <>
            <IconPlus size={16} aria-hidden />
            <Hidden>New drawer or folder</Hidden>
          </>
        }
      >
        <AdderItems onCreate={(kind) => edit({ type: "draft", draft: { kind, parentId: null } })} />
      </MenuButton>
    </span>
  );
}

function TagAdder() {
  const { edit } = useCabinet();
  return (
    <button
      type="button"
      className={classes.add}
      onClick={() => edit({ type: "draft", draft: { kind: "tag", parentId: null } })}
    >
      <IconPlus size={16} aria-hidden />
      <Hidden>New tag</Hidden>
    </button>
  );
}
