import { useMediaQuery } from "@mantine/hooks";
import { Suspense, useCallback, useRef, useState } from "react";
import { useTargets } from "../shared/fast-link.tsx";
import { lazyPart } from "../shared/lazy-part.ts";
import { LazyMenu } from "../shared/menu/lazy-menu.tsx";
import type { Anchor } from "../shared/menu/menu-frame.tsx";
import { useContextMenu } from "../shared/menu/use-context-menu.ts";
import { PartBoundary } from "../shared/part-boundary.tsx";
import { useRemovals } from "../shared/removals.tsx";
import { ErrorState, isMissing } from "../shared/states.tsx";
import { useWorkspace } from "../shared/use-account.ts";
import type { ItemsProps } from "./items-props.ts";
import { ReportList } from "./list/report-list.tsx";
import { useColumns } from "./list/use-columns.ts";
import { WaitingList } from "./list/waiting-rows.tsx";
import { useDialog } from "./selection/use-dialog.ts";
import { useReportKeys } from "./selection/use-report-keys.ts";
import { useSelection } from "./selection/use-selection.ts";
import { type Item, keyOf } from "./slots.ts";
import { TITLE_ID } from "./title.ts";
import { noFilter } from "./toolbar/no-filter.ts";
import type { Cabinet } from "./use-cabinet.ts";
import { type Home, isWhole } from "./use-home.ts";
import type { ItemPages } from "./use-item-pages.ts";
import { useStars } from "./use-stars.ts";

const EmptyWorkspace = lazyPart(async () => (await import("./empty-workspace.tsx")).EmptyWorkspace);
const MissingPlace = lazyPart(async () => (await import("./nothing.tsx")).MissingPlace);
const NothingFound = lazyPart(async () => (await import("./nothing.tsx")).NothingFound);
const Gallery = lazyPart(async () => (await import("./gallery/gallery.tsx")).Gallery);
const RowMenu = lazyPart(async () => (await import("./selection/row-menu.tsx")).RowMenu);
const BulkBar = lazyPart(async () => (await import("./selection/bulk-bar.tsx")).BulkBar);
const Dialogs = lazyPart(async () => (await import("./selection/dialogs.tsx")).Dialogs);

interface HomeItemsProps {
  home: Home;
  label: string;
  pages: ItemPages;
  cabinet: Cabinet;
}

/** The list of reports, or why it is empty. */
export function HomeItems(props: HomeItemsProps) {
  const { home, pages } = props;
  const isCompact = useMediaQuery("(max-width: 48em)", undefined, { getInitialValueInEffect: false });
  if (pages.status === "failed" && !(isMissing(pages.error) && !isWhole(home.filter))) {
    return <ErrorState error={pages.error} onRetry={pages.retry} isRetrying={pages.isRetrying} />;
  }
  if (pages.status === "pending") return <WaitingList isCompact={isCompact ?? false} />;
  if (pages.status === "ready" && (pages.items.length > 0 || pages.hasMore)) return <Reports {...props} />;
  return (
    <Suspense fallback={null}>
      <Empty {...props} />
    </Suspense>
  );
}

function Empty({ home, pages }: HomeItemsProps) {
  const clear = () => home.change(noFilter);
  if (pages.status === "failed") return <MissingPlace onClear={clear} />;
  if (isWhole(home.filter)) return <EmptyWorkspace owner={home.owner} />;
  return <NothingFound filter={home.filter} onClear={clear} />;
}

function Reports({ home, label, pages, cabinet }: HomeItemsProps) {
  const { owner, filter, view, change } = home;
  const targets = useTargets();
  const removals = useRemovals();
  const stars = useStars(owner);
  const { chosen } = useColumns(useWorkspace(owner)?.kind === "org");
  const selection = useSelection(pages);
  const { selected, actions } = selection;
  const { dialog, open, close } = useDialog(actions.focus);
  const { itemsWith, menu, openMenu, closeMenu } = useItemMenu(pages, selection);
  const contextMenu = useContextMenu(openMenu);

  const remove = (keys: ReadonlySet<string>) => {
    actions.leave(keys);
    removals.remove({ owner, references: [...keys] });
    if (keys.size === pages.items.length) document.getElementById(TITLE_ID)?.focus();
  };
  const onOpen = (reference: string) => targets.open({ to: "/r/$reference", reference });
  useReportKeys({ pages, selection, stars, itemsWith, onOpen, onDialog: open, onDelete: remove });
  const props: ItemsProps = {
    ...{ label, filter, pages, cabinet, selection, stars, contextMenu, onOpen },
    columns: chosen,
    onSort: (sort) => change({ sort }),
    onPreload: (reference) => targets.preload({ to: "/r/$reference", reference }),
    onDelete: remove,
    draggedWith: itemsWith,
  };
  return (
    <>
      {view === "gallery" ? (
        <Suspense fallback={null}>
          <Gallery {...props} />
        </Suspense>
      ) : (
        <ReportList {...props} />
      )}
      {menu !== undefined && (
        <LazyMenu anchor={menu.anchor} isOpen={menu.isOpen} onClose={closeMenu} position="bottom-start" width={264}>
          <RowMenu
            items={menu.items}
            stars={stars}
            onDialog={open}
            onDelete={(items) => remove(new Set(items.map(keyOf)))}
          />
        </LazyMenu>
      )}
      {selected.size > 0 && (
        <PartBoundary onDismiss={actions.clear}>
          <BulkBar
            count={selected.size}
            isOver={selection.isOver}
            onDialog={(kind) => open(kind, selection.items)}
            onDelete={() => remove(selected)}
            onClear={() => {
              actions.clear();
              actions.focus();
            }}
          />
        </PartBoundary>
      )}
      <PartBoundary onDismiss={close}>
        {dialog !== undefined && <Dialogs owner={owner} dialog={dialog} onClose={close} />}
      </PartBoundary>
    </>
  );
}

interface OpenMenu {
  anchor: Anchor;
  isOpen: boolean;
  items: readonly Item[];
}

/** Returns the state of the context menu, which applies to one report or to the selection that contains it. */
function useItemMenu(pages: ItemPages, selection: ReturnType<typeof useSelection>) {
  const [menu, setMenu] = useState<OpenMenu>();
  const latest = useRef({ pages, selection });
  latest.current = { pages, selection };

  const itemsWith = useCallback((key: string): readonly Item[] => {
    const now = latest.current;
    if (now.selection.selected.has(key)) return now.selection.items;
    const item = now.pages.items[now.pages.indexes.get(key) ?? -1];
    return item === undefined ? [] : [item];
  }, []);
  const openMenu = useCallback(
    (anchor: Anchor, target: EventTarget) => {
      const key = target instanceof Element ? target.closest<HTMLElement>("[data-key]")?.dataset.key : undefined;
      if (key !== undefined) setMenu({ anchor, isOpen: true, items: itemsWith(key) });
    },
    [itemsWith],
  );
  const closeMenu = useCallback(() => setMenu((before) => before && { ...before, isOpen: false }), []);
  return { itemsWith, menu, openMenu, closeMenu };
}
