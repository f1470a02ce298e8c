import type { ResponseOf, taxonomyRoute } from "../../../client/routes.ts";

export type Taxonomy = ResponseOf<typeof taxonomyRoute>;

export const SEPARATOR = " / ";

export interface Placed {
  id: string;
  title: string;
  /** Titles of the ancestors, each followed by a separator. */
  path: string;
}

/** Returns all folders with their drawers. */
export function placeFolders({ drawers, folders }: Taxonomy): Placed[] {
  const titles = new Map(drawers.map(({ id, title }) => [id, title]));
  return folders.map(({ id, title, drawer_id }) => {
    const drawer = drawer_id === null ? undefined : titles.get(drawer_id);
    return { id, title, path: drawer === undefined ? "" : drawer + SEPARATOR };
  });
}

/** Returns all tags with their ancestors. */
export function placeTags({ tags }: Taxonomy): Placed[] {
  const byId = new Map(tags.map((tag) => [tag.id, tag]));
  const paths = new Map<string, string>();
  const pathOf = (parentId: string | null): string => {
    const parent = parentId === null ? undefined : byId.get(parentId);
    if (parent === undefined) return "";
    const known = paths.get(parent.id);
    if (known !== undefined) return known;
    const path = pathOf(parent.parent_id) + parent.title + SEPARATOR;
    paths.set(parent.id, path);
    return path;
  };
  return tags.map(({ id, title, parent_id }) => ({ id, title, path: pathOf(parent_id) }));
}

/** Sorts by path, then title. */
export function inOrder(placed: readonly Placed[]): Placed[] {
  const { compare } = new Intl.Collator(undefined, { numeric: true });
  return [...placed].sort((one, other) => compare(one.path, other.path) || compare(one.title, other.title));
}

/** Sorts every tag before its children. */
export function inTreeOrder(placed: readonly Placed[]): Placed[] {
  const { compare } = new Intl.Collator(undefined, { numeric: true });
  return [...placed].sort((one, other) => compare(one.path + one.title, other.path + other.title));
}
