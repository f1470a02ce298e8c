import { useMediaQuery } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useCallback, useEffect, useMemo, useState } from "react";
import type { HomeSearch } from "../api/filter.ts";
import { savedFiltersQuery, shortcutsQuery, taxonomyQuery } from "../api/first-queries.ts";
import { useCommands } from "../shared/commands.tsx";
import { messageOf } from "../shared/errors.ts";
import { lazyPart } from "../shared/lazy-part.ts";
import { PartBoundary } from "../shared/part-boundary.tsx";
import { RetryButton } from "../shared/retry-button.tsx";
import { isCurrent, useHere } from "./addresses.ts";
import classes from "./cabinet.module.css";
import { type Cabinet, CabinetContext, type Editing, type Question } from "./context.ts";
import { ancestorsOf, buildContents, type CabinetKind, type Shortcut, type Taxonomy } from "./entries.ts";
import type { SavedFilter } from "./filter-calls.ts";
import { SavedFilters } from "./saved-filters.tsx";
import { FolderSection, ShortcutSection, TagSection } from "./sections.tsx";
import { TopLinks } from "./top-links.tsx";
import { useCabinetCalls } from "./use-cabinet-calls.ts";
import { useDropped } from "./use-dropped.ts";
import { useOpenParts } from "./use-open-parts.ts";
import { isStar, useShortcuts } from "./use-shortcuts.ts";

const DeleteDialog = lazyPart(async () => (await import("./parts.ts")).DeleteDialog);
const MoveDialog = lazyPart(async () => (await import("./parts.ts")).MoveDialog);

/** The cabinet of a workspace: shortcuts, drawers, folders and tags. */
export function Sidebar({ owner }: { owner: string }) {
  const taxonomy = useQuery(taxonomyQuery(owner));
  const shortcuts = useQuery(shortcutsQuery(owner));
  const filters = useQuery(savedFiltersQuery(owner));
  const failed = [taxonomy, shortcuts].find(({ data, isError }) => isError && data === undefined);
  if (failed !== undefined) return <Failure error={failed.error} onRetry={failed.refetch} />;
  return (
    <Contents
      key={owner}
      owner={owner}
      taxonomy={taxonomy.data}
      shortcuts={shortcuts.data?.shortcuts}
      filters={filters.isError ? [] : filters.data?.filters}
    />
  );
}

const Failure = ({ error, onRetry }: { error: unknown; onRetry: () => void }) => (
  <div role="alert" className={classes.failure}>
    <strong>Couldn't load the cabinet</strong>
    <p>{messageOf(error)}</p>
    <RetryButton onRetry={onRetry} />
  </div>
);

const BONES = ["62%", "48%", "71%", "55%", "40%", "66%"];

const Bones = () => (
  <div role="status" aria-busy aria-label="Loading" className={classes.bones}>
    {BONES.map((width) => (
      <span key={width} style={{ width }} />
    ))}
  </div>
);

/** Undefined while loading. */
interface ContentsProps {
  owner: string;
  taxonomy: Taxonomy | undefined;
  shortcuts: readonly Shortcut[] | undefined;
  filters: readonly SavedFilter[] | undefined;
}

const NOTHING: Parameters<typeof buildContents>[0] = { drawers: [], folders: [], tags: [], default_folder_id: null };

function Contents({ owner, taxonomy, shortcuts, filters }: ContentsProps) {
  const cabinet = useNewCabinet({ owner, taxonomy, shortcuts });
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null);
  const [question, ask] = useState<Question>();
  const value = useMemo(() => ({ ...cabinet, scroller, ask }), [cabinet, scroller]);
  useCreationCommands(cabinet.edit);
  return (
    <CabinetContext value={value}>
      <div ref={setScroller} className={classes.scroller}>
        <div className={classes.content}>
          <TopLinks taxonomy={taxonomy} stars={shortcuts?.filter(isStar).length} />
          {taxonomy === undefined || shortcuts === undefined || filters === undefined ? (
            <Bones />
          ) : (
            <>
              <SavedFilters filters={filters} />
              <ShortcutSection />
              <FolderSection />
              <TagSection />
            </>
          )}
        </div>
      </div>
      <PartBoundary onDismiss={() => ask(undefined)}>
        {question?.type === "delete" && <DeleteDialog {...question} />}
        {question?.type === "move" && <MoveDialog {...question} />}
      </PartBoundary>
    </CabinetContext>
  );
}

function useNewCabinet({
  owner,
  taxonomy,
  shortcuts: listed,
}: Omit<ContentsProps, "filters">): Omit<Cabinet, "ask" | "scroller"> {
  const contents = useMemo(() => buildContents(taxonomy ?? NOTHING, listed ?? []), [taxonomy, listed]);
  const here = useHere(owner);
  const shortcuts = useShortcuts(owner);
  const calls = useCabinetCalls(owner);
  const [editing, edit] = useState<Editing>();
  const [wanted, setWanted] = useState<{ key: string }>();
  const open = useOpenParts(owner, contents.entries);
  const { setOpen } = open;
  const navigate = useNavigate();
  const go = useCallback(
    (search: HomeSearch) => void navigate({ to: "/w/$owner", params: { owner }, search }),
    [navigate, owner],
  );
  const focusRow = useCallback((key: string) => setWanted({ key }), []);
  const openOne = useCallback((id: string) => setOpen([id], true), [setOpen]);
  const dropped = useDropped({ calls, entries: contents.entries, open: openOne });
  useRevealed({ contents, here, setOpen, isLoaded: taxonomy !== undefined });
  return useMemo(
    () => ({
      ...open,
      owner,
      contents,
      here,
      shortcuts,
      calls,
      editing,
      edit,
      wanted,
      focusRow,
      go,
      dropped,
    }),
    [open, owner, contents, here, shortcuts, calls, editing, wanted, focusRow, go, dropped],
  );
}

/** Commands for the palette; left out on small screens, where the sidebar is hidden. */
function useCreationCommands(edit: Cabinet["edit"]): void {
  const isSidebarShown = useMediaQuery("(min-width: 48em)");
  const command = (kind: CabinetKind) => ({
    id: `new-${kind}`,
    label: `New ${kind}`,
    group: "Cabinet",
    keywords: "create make add",
    run: () => edit({ type: "draft", draft: { kind, parentId: null } }),
  });
  useCommands(isSidebarShown === true ? (["drawer", "folder", "tag"] as const).map(command) : []);
}

interface Revealing extends Pick<Cabinet, "contents" | "here" | "setOpen"> {
  isLoaded: boolean;
}

/** Expands the ancestors of the current entry when it changes. */
function useRevealed({ contents, here, setOpen, isLoaded }: Revealing): void {
  const { folder, drawer, tags } = here.search ?? {};
  const address = [folder, drawer, ...(tags ?? [])].join(" ");
  // biome-ignore lint/correctness/useExhaustiveDependencies: collapsed by hand, it stays so until navigation
  useEffect(() => {
    const current = [...contents.entries.values()].filter((entry) => isCurrent(entry, here));
    setOpen(
      current.flatMap((entry) => ancestorsOf(contents.entries, entry).map(({ id }) => id)),
      true,
    );
  }, [address, isLoaded]);
}
