import { IconDots, IconFilter } from "@tabler/icons-react";
import { useState } from "react";
import { filterOf } from "../api/filter.ts";
import { FastLink } from "../shared/fast-link.tsx";
import { lazyPart } from "../shared/lazy-part.ts";
import { MenuButton } from "../shared/menu/menu-button.tsx";
import classes from "./cabinet.module.css";
import { useCabinet } from "./context.ts";
import type { SavedFilter } from "./filter-calls.ts";
import { NameField } from "./name-field.tsx";
import { useFilterCalls } from "./use-filter-calls.ts";

const FilterItems = lazyPart(async () => (await import("./parts.ts")).FilterItems);

/** The searches that the user has saved, if there are any. */
export function SavedFilters({ filters }: { filters: readonly SavedFilter[] }) {
  const { owner, here } = useCabinet();
  const calls = useFilterCalls(owner);
  const [renamed, setRenamed] = useState<string>();
  if (filters.length === 0) return null;
  return (
    <div className={classes.section}>
      <div className={classes.head}>
        <h2 id="saved-filters" className={classes.plainHeading}>
          Saved filters
        </h2>
      </div>
      <ul className={classes.top} aria-labelledby="saved-filters">
        {filters.map((saved) => {
          const search = filterOf(saved.query);
          const { view: _, ...current } = here.search ?? {};
          const isCurrent = here.search !== undefined && isSame(search, current);
          return (
            <li key={saved.id}>
              <div className={classes.row} data-current={isCurrent || undefined}>
                {renamed === saved.id ? (
                  <NameField
                    label={`New name of ${saved.title}`}
                    initial={saved.title}
                    onSave={(title) => calls.rename(saved.id, title)}
                    onEnd={() => setRenamed(undefined)}
                  />
                ) : (
                  <>
                    <FastLink
                      target={{ to: "/w/$owner", owner, search }}
                      className={classes.link}
                      aria-current={isCurrent ? "page" : undefined}
                      draggable={false}
                      title={saved.title}
                    >
                      <IconFilter size={16} aria-hidden />
                      <span className={classes.title}>{saved.title}</span>
                    </FastLink>
                    <MenuButton
                      position="bottom-start"
                      width={180}
                      className={classes.more}
                      aria-label={`Actions for ${saved.title}`}
                      face={<IconDots size={16} aria-hidden />}
                    >
                      <FilterItems onRename={() => setRenamed(saved.id)} onDelete={() => calls.remove(saved)} />
                    </MenuButton>
                  </>
                )}
              </div>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** Returns whether two filters show the same, however their properties are ordered. */
function isSame(one: object, other: object): boolean {
  const textOf = (filter: object) => JSON.stringify(Object.entries(filter).toSorted(([a], [b]) => a.localeCompare(b)));
  return textOf(one) === textOf(other);
}
