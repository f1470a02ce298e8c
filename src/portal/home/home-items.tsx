import { Menu } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, type SyntheticEvent, useCallback, useRef, useState } from "react";
import { loadPart } from "../shared/missing-part.ts";
import { useRemovals } from "../shared/removals.tsx";
import { ErrorState, isMissing } from "../shared/states.tsx";
import type { ItemsProps } from "./items-props.ts";
import { ReportList } from "./list/report-list.tsx";
import { WaitingList } from "./list/waiting-rows.tsx";
import { MissingPlace, NothingFound } from "./nothing.tsx";
import { BulkBar } from "./selection/bulk-bar.tsx";
import { Dialogs, useDialog } from "./selection/dialogs.tsx";
import { RowMenu } from "./selection/row-menu.tsx";
import { useSelection } from "./selection/use-selection.ts";
import { type Item, keyOf } from "./slots.ts";
import { TITLE_ID } from "./title.ts";
import { noFilter } from "./toolbar/chips.tsx";
import type { Cabinet } from "./use-cabinet.ts";
import { type Home, isWhole } from "./use-home.ts";
import type { ItemPages } from "./use-item-pages.ts";

const EmptyWorkspace = lazy(async () => ({
  default: (await loadPart(import("./empty-workspace.tsx"))).EmptyWorkspace,
}));
const Gallery = lazy(async () => ({ default: (await loadPart(import("./gallery/gallery.tsx"))).Gallery }));

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
  const clear = () => home.change(noFilter);
  if (pages.status === "failed") {
    if (isMissing(pages.error) && !isWhole(home.filter)) return <MissingPlace onClear={clear} />;
    return <ErrorState error={pages.error} onRetry={pages.retry} />;
  }
  if (pages.status === "pending") return <WaitingList isCompact={isCompact ?? false} />;
  if (pages.items.length === 0 && !pages.hasMore) {
    if (isWhole(home.filter)) {
      return (
        <Suspense fallback={null}>
          <EmptyWorkspace owner={home.owner} />
        </Suspense>
      );
    }
    return <NothingFound q={home.filter.q} onClear={clear} />;
  }
  return <Reports {...props} />;
}

function Reports({ home, label, pages, cabinet }: HomeItemsProps) {
  const { owner, filter, view, change } = home;
  const navigate = useNavigate();
  const removals = useRemovals();
  const selection = useSelection(pages);
  const { selected, actions } = selection;
  const { dialog, open, close } = useDialog(actions.focus);
  const { itemsWith, menu, onMenu, setMenuOpen } = useItemMenu(pages, selection);

  const remove = (keys: ReadonlySet<string>) => {
    actions.leave(keys);
    removals.remove({ owner, references: [...keys] });
    if (keys.size === pages.items.length) document.getElementById(TITLE_ID)?.focus();
  };
  const props: ItemsProps = {
    ...{ label, filter, pages, cabinet, selection, onMenu },
    onSort: (sort) => change({ sort }),
    onOpen: (reference) => void navigate({ to: "/r/$reference", params: { reference } }),
    onDelete: remove,
    draggedWith: itemsWith,
  };
  return (
    <>
      <Menu opened={menu.isOpen} onChange={setMenuOpen} position="bottom-start" width={264}>
        {view === "gallery" ? (
          <Suspense fallback={null}>
            <Gallery {...props} />
          </Suspense>
        ) : (
          <ReportList {...props} />
        )}
        <RowMenu
          owner={owner}
          items={menu.items}
          onDialog={open}
          onDelete={(items) => remove(new Set(items.map(keyOf)))}
        />
      </Menu>
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
      <Dialogs owner={owner} dialog={dialog} onClose={close} />
    </>
  );
}

/** Returns the state of the context menu, which applies to one report or to the selection that contains it. */
function useItemMenu(pages: ItemPages, selection: ReturnType<typeof useSelection>) {
  const [isOpen, setMenuOpen] = useState(false);
  const [items, setItems] = useState<readonly Item[]>([]);
  const latest = useRef({ pages, selection });
  latest.current = { pages, selection };

  const itemsWith = useCallback((key: string): readonly Item[] => {
    const now = latest.current;
    if (now.selection.selected.has(key)) return now.selection.items;
    const item = now.pages.items[now.pages.indexes.get(key) ?? -1];
    return item === undefined ? [] : [item];
  }, []);
  const onMenu = useCallback(
    ({ target }: SyntheticEvent) => {
      const key = target instanceof Element ? target.closest<HTMLElement>("[data-key]")?.dataset.key : undefined;
      if (key !== undefined) setItems(itemsWith(key));
    },
    [itemsWith],
  );
  return { itemsWith, menu: { isOpen, items }, onMenu, setMenuOpen };
}
