import type { ItemFilter } from "../api/filter.ts";
import type { Cabinet } from "./use-cabinet.ts";

interface Place {
  /** Undefined while the cabinet is loading. */
  title: string | undefined;
  /** Number of reports, where known without reading them all. */
  count: number | undefined;
}

/** Returns the title and size of the filtered list. */
export function describePlace(filter: ItemFilter, cabinet: Cabinet): Place {
  const { title, count } = placeOf(filter, cabinet);
  const { q, visibility, author, age, since, until, folder, drawer, tags } = filter;
  const isAlone = [q, visibility, author, age, since, until].every((value) => value === undefined);
  const isOne = [folder ?? drawer, ...(tags ?? [])].filter((id) => id !== undefined).length <= 1;
  return { title, count: isAlone && isOne ? count : undefined };
}

const OWN = { recent: "Recent", starred: "Starred" } as const;

function placeOf(filter: ItemFilter, { taxonomy, folders, drawers, tags }: Cabinet): Place {
  if (filter.place !== undefined) return { title: OWN[filter.place], count: undefined };
  const { folder, drawer } = filter;
  if (folder === "none" || drawer === "none") return { title: "Unfiled", count: taxonomy?.unfiled_count };
  const known = (title: string | undefined, other: string) => (taxonomy === undefined ? undefined : (title ?? other));
  if (folder !== undefined) {
    return {
      title: known(folders.get(folder), "Folder"),
      count: taxonomy?.folders.find(({ id }) => id === folder)?.item_count,
    };
  }
  if (drawer !== undefined) {
    return {
      title: known(drawers.get(drawer), "Drawer"),
      count: taxonomy?.drawers.find(({ id }) => id === drawer)?.item_count,
    };
  }
  const [tag] = filter.tags ?? [];
  if (tag === undefined) {
    return { title: "All reports", count: taxonomy?.item_count };
  }
  if (tag === "none") return { title: "Untagged", count: taxonomy?.untagged_count };
  const titles = filter.tags?.map((id) => tags.get(id) ?? "Tag");
  const found = taxonomy?.tags.find(({ id }) => id === tag);
  return {
    title: known(titles?.join(" + "), "Tag"),
    count: filter.within === "tag" ? found?.item_count : found?.subtree_count,
  };
}
