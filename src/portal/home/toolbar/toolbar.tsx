import { useDocumentTitle } from "@mantine/hooks";
import { IconAdjustmentsHorizontal, IconArrowsSort, IconLayoutGrid, IconList } from "@tabler/icons-react";
import { memo, type ReactNode } from "react";
import { describeNumber } from "../../shared/amounts.ts";
import { Hidden } from "../../shared/hidden.tsx";
import { lazyPart } from "../../shared/lazy-part.ts";
import { MenuButton } from "../../shared/menu/menu-button.tsx";
import { useWorkspace } from "../../shared/use-account.ts";
import { SORTS, sortOf } from "../list/columns.ts";
import { TITLE_ID } from "../title.ts";
import type { Cabinet } from "../use-cabinet.ts";
import type { Home, View } from "../use-home.ts";
import { FilterButton } from "./filter-button.tsx";
import styles from "./toolbar.module.css";

const SortItems = lazyPart(async () => (await import("./toolbar-items.tsx")).SortItems);
const ColumnItems = lazyPart(async () => (await import("./toolbar-items.tsx")).ColumnItems);

interface ToolbarProps {
  home: Home;
  cabinet: Cabinet;
  title: string | undefined;
  count: number | undefined;
}

/** Title of the list, with its filter, sort order and view. */
export const Toolbar = memo(function Toolbar({ home, cabinet, title, count }: ToolbarProps) {
  const { owner, filter, view, change, setView } = home;
  const isOrganization = useWorkspace(owner)?.kind === "org";
  const isOwn = filter.place !== undefined;
  const sort = sortOf(filter);
  useDocumentTitle(title === undefined ? "Vitrine" : `${title} · Vitrine`);
  return (
    <div className={styles.toolbar}>
      <div className={styles.heading}>
        <h1 id={TITLE_ID} tabIndex={-1} className={styles.title}>
          {title ?? (
            <>
              <Hidden>Reports</Hidden>
              <span className={styles.bone} />
            </>
          )}
        </h1>
        {count !== undefined && (
          <span className={styles.count}>
            {describeNumber(count)}
            <Hidden> reports</Hidden>
          </span>
        )}
      </div>
      <div className={styles.controls}>
        {!isOwn && <FilterButton home={home} cabinet={cabinet} isOrganization={isOrganization} />}
        {!isOwn && (
          <MenuButton
            position="bottom-end"
            className={styles.button}
            face={
              <>
                <IconArrowsSort size={16} aria-hidden />
                <Hidden>Sort: </Hidden>
                <span className={styles.word}>
                  {SORTS.find(({ value }) => value === sort)?.label.split(",")[0] ?? "Updated"}
                </span>
              </>
            }
          >
            <SortItems value={sort} onChange={(chosen) => change({ sort: chosen })} />
          </MenuButton>
        )}
        {view === "list" && (
          <MenuButton
            position="bottom-end"
            className={`${styles.button} ${styles.columns}`}
            aria-label="Columns"
            title="Columns"
            face={<IconAdjustmentsHorizontal size={16} aria-hidden />}
          >
            <ColumnItems isOrganization={isOrganization} />
          </MenuButton>
        )}
        <ViewSwitch view={view} onChange={setView} />
      </div>
    </div>
  );
});

interface ViewSwitchProps {
  view: View;
  onChange(view: View): void;
}

const ViewSwitch = ({ view, onChange }: ViewSwitchProps) => (
  <div role="radiogroup" aria-label="View" className={styles.views}>
    <ViewChoice value="list" label="List" icon={<IconList size={16} aria-hidden />} {...{ view, onChange }} />
    <ViewChoice
      value="gallery"
      label="Gallery"
      icon={<IconLayoutGrid size={16} aria-hidden />}
      {...{ view, onChange }}
    />
  </div>
);

interface ViewChoiceProps extends ViewSwitchProps {
  value: View;
  label: string;
  icon: ReactNode;
}

const ViewChoice = ({ value, label, icon, view, onChange }: ViewChoiceProps) => (
  <label className={styles.view} title={label}>
    <input type="radio" name="view" value={value} checked={view === value} onChange={() => onChange(value)} />
    {icon}
    <Hidden>{label}</Hidden>
  </label>
);
