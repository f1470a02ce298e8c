import type { ResponseOf, taxonomyRoute } from "../../../client/routes.ts";

export type Taxonomy = ResponseOf<typeof taxonomyRoute>;

export const SEPARATOR = " / ";

const byText = (one: string, other: string) => one.localeCompare(other, undefined, { numeric: true });

export interface PlacedFolder {
  id: string;
  title: string;
  drawerId: string | null;
  /** Of its drawer, followed by a separator; empty at the root. */
  path: string;
}

/** All folders with the drawers that they are in: first those of none, then drawer by drawer. */
export function placeFolders({ drawers, folders }: Taxonomy): PlacedFolder[] {
  const titles = new Map(drawers.map(({ id, title }) => [id, title]));
  return folders
    .map(({ id, title, drawer_id }) => {
      const drawer = drawer_id === null ? undefined : titles.get(drawer_id);
      return { id, title, drawerId: drawer_id, path: drawer === undefined ? "" : drawer + SEPARATOR };
    })
    .sort((one, other) => byText(one.path, other.path) || byText(one.title, other.title));
}

export interface PlacedTag {
  id: string;
  title: string;
  /** Of the tags above it, each followed by a separator; empty at the top. */
  path: string;
}

/** All tags with those above them, each below its own. */
export function placeTags({ tags }: Taxonomy): PlacedTag[] {
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
  return tags
    .map(({ id, title, parent_id }) => ({ id, title, path: pathOf(parent_id) }))
    .sort((one, other) => byText(one.path + one.title, other.path + other.title));
}
