import type { ResponseOf } from "../client/lazy-routes.ts";
import { loadRoutes } from "../client/lazy-routes.ts";
import type { taxonomyRoute } from "../client/routes.ts";
import { CommandError } from "./output.ts";
import type { Session } from "./session.ts";

export type Taxonomy = ResponseOf<typeof taxonomyRoute>;

interface Titled {
  id: string;
  title: string;
}

export async function readTaxonomy(session: Session, owner: string): Promise<Taxonomy> {
  const { taxonomyRoute } = await loadRoutes.cabinet();
  return session.call(taxonomyRoute, { query: { owner } });
}

const fold = (title: string) => title.normalize().toLowerCase().trim();

/** Of several that are called alike nobody knows which is meant. Throws `CommandError` then. */
function only<Item extends Titled>(found: readonly Item[], kind: string, title: string): Item | undefined {
  if (found.length < 2) return found[0];
  throw new CommandError(
    `There are ${found.length} ${kind}s "${title}". Name the one meant with what it is in, as in A/B.`,
  );
}

/** The tag of a title, or of a path such as `Region/North`, whatever its case. */
export function findTag({ tags }: Taxonomy, title: string): Titled | undefined {
  const parents = new Map(tags.map((tag) => [tag.id, tag]));
  const pathOf = (tag: (typeof tags)[number]): string => {
    const parent = tag.parent_id === null ? undefined : parents.get(tag.parent_id);
    return parent === undefined ? fold(tag.title) : `${pathOf(parent)}/${fold(tag.title)}`;
  };
  const wanted = fold(title);
  const exact = tags.filter((tag) => pathOf(tag) === wanted);
  return only(exact.length > 0 ? exact : tags.filter((tag) => fold(tag.title) === wanted), "tag", title);
}

/** The folder of a label, `Drawer/Folder` or `Folder`, whatever its case. */
export function findFolder({ folders, drawers }: Taxonomy, label: string): Titled | undefined {
  const titles = new Map(drawers.map(({ id, title }) => [id, fold(title)]));
  const labelOf = ({ title, drawer_id }: (typeof folders)[number]) =>
    drawer_id === null ? fold(title) : `${titles.get(drawer_id)}/${fold(title)}`;
  const exact = folders.filter((folder) => labelOf(folder) === fold(label));
  return only(exact.length > 0 ? exact : folders.filter(({ title }) => fold(title) === fold(label)), "folder", label);
}

/** Ids of tags by their titles or paths; those that are missing are made, with what they are to be in. */
export async function findOrMakeTags(session: Session, owner: string, titles: readonly string[]): Promise<string[]> {
  let taxonomy = await readTaxonomy(session, owner);
  const ids = new Set<string>();
  for (const title of titles) {
    const found = findTag(taxonomy, title);
    if (found !== undefined) {
      ids.add(found.id);
      continue;
    }
    ids.add(await makeTag(session, taxonomy, title));
    taxonomy = await readTaxonomy(session, owner);
  }
  return [...ids];
}

async function makeTag(session: Session, taxonomy: Taxonomy, path: string): Promise<string> {
  const { createTagRoute } = await loadRoutes.tags();
  const slash = path.lastIndexOf("/");
  const parent = path.slice(0, Math.max(0, slash));
  const parentId =
    parent === "" ? undefined : (findTag(taxonomy, parent)?.id ?? (await makeTag(session, taxonomy, parent)));
  const body = { owner: taxonomy.owner, title: path.slice(slash + 1), parent_id: parentId };
  return (await session.call(createTagRoute, { body })).id;
}

/** Id of the folder of a label; it and its drawer are made where they are missing. */
export async function findOrMakeFolder(session: Session, owner: string, label: string): Promise<string> {
  const taxonomy = await readTaxonomy(session, owner);
  const found = findFolder(taxonomy, label);
  if (found !== undefined) return found.id;
  const { createDrawerRoute, createFolderRoute } = await loadRoutes.cabinet();
  const slash = label.indexOf("/");
  const [drawerTitle, title] = slash < 0 ? [undefined, label] : [label.slice(0, slash), label.slice(slash + 1)];
  if (drawerTitle === undefined) return (await session.call(createFolderRoute, { body: { owner, title } })).id;
  const drawer =
    only(
      taxonomy.drawers.filter((one) => fold(one.title) === fold(drawerTitle)),
      "drawer",
      drawerTitle,
    ) ?? (await session.call(createDrawerRoute, { body: { owner, title: drawerTitle } }));
  return (await session.call(createFolderRoute, { body: { owner, title, drawer_id: drawer.id } })).id;
}
