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

/** Reads the drawers, folders and tags of a workspace. */
export async function readTaxonomy(session: Session, owner: string): Promise<Taxonomy> {
  const { taxonomyRoute } = await loadRoutes.cabinet();
  return session.call(taxonomyRoute, { query: { owner } });
}

const fold = (title: string) => title.normalize().toLowerCase().trim();

/** Returns the only match, if any. Throws `CommandError` if the title is ambiguous. */
function onlyMatch<Item extends Titled>(found: readonly Item[], kind: string, title: string): Item | undefined {
  if (found.length < 2) return found[0];
  const next = kind === "drawer" ? "Rename one of them." : `Use a path such as PARENT/${title}.`;
  throw new CommandError(`${found.length} ${kind}s are named "${title}". ${next}`);
}

/** Finds a tag by its title or by a path such as `Region/North`, ignoring case. */
export function findTag({ tags }: Taxonomy, title: string): Titled | undefined {
  const parents = new Map(tags.map((tag) => [tag.id, tag]));
  const pathOf = (tag: (typeof tags)[number]): string => {
    const parent = tag.parent_id === null ? undefined : parents.get(tag.parent_id);
    return parent === undefined ? fold(tag.title) : `${pathOf(parent)}/${fold(tag.title)}`;
  };
  const requested = fold(title);
  const exact = tags.filter((tag) => pathOf(tag) === requested);
  return onlyMatch(exact.length > 0 ? exact : tags.filter((tag) => fold(tag.title) === requested), "tag", title);
}

/** Finds a folder by a label such as `Drawer/Folder` or `Folder`, ignoring case. */
export function findFolder({ folders, drawers }: Taxonomy, label: string): Titled | undefined {
  const titles = new Map(drawers.map(({ id, title }) => [id, fold(title)]));
  const labelOf = ({ title, drawer_id }: (typeof folders)[number]) =>
    drawer_id === null ? fold(title) : `${titles.get(drawer_id)}/${fold(title)}`;
  const exact = folders.filter((folder) => labelOf(folder) === fold(label));
  return onlyMatch(
    exact.length > 0 ? exact : folders.filter(({ title }) => fold(title) === fold(label)),
    "folder",
    label,
  );
}

/** Returns the ids of tags given by titles or paths, and creates the missing ones along with their parents. */
export async function findOrCreateTags(session: Session, owner: string, titles: readonly string[]): Promise<string[]> {
  let taxonomy = await readTaxonomy(session, owner);
  const ids = new Set<string>();
  for (const title of titles) {
    const found = findTag(taxonomy, title);
    if (found !== undefined) {
      ids.add(found.id);
      continue;
    }
    ids.add(await createTag(session, taxonomy, title));
    taxonomy = await readTaxonomy(session, owner);
  }
  return [...ids];
}

async function createTag(session: Session, taxonomy: Taxonomy, path: string): Promise<string> {
  const { createTagRoute } = await loadRoutes.tags();
  const slash = path.lastIndexOf("/");
  const parent = path.slice(0, Math.max(0, slash));
  const parentId =
    parent === "" ? undefined : (findTag(taxonomy, parent)?.id ?? (await createTag(session, taxonomy, parent)));
  const body = { owner: taxonomy.owner, title: path.slice(slash + 1), parent_id: parentId };
  return (await session.call(createTagRoute, { body })).id;
}

/** Returns the id of the folder with this label, and creates it and its drawer if they don't exist. */
export async function findOrCreateFolder(session: Session, owner: string, label: string): Promise<string> {
  const taxonomy = await readTaxonomy(session, owner);
  const found = findFolder(taxonomy, label);
  if (found !== undefined) return found.id;
  const { createDrawerRoute, createFolderRoute } = await loadRoutes.cabinet();
  const slash = label.indexOf("/");
  const [drawerTitle, title] = slash < 0 ? [undefined, label] : [label.slice(0, slash), label.slice(slash + 1)];
  if (drawerTitle === undefined) return (await session.call(createFolderRoute, { body: { owner, title } })).id;
  const drawer =
    onlyMatch(
      taxonomy.drawers.filter((one) => fold(one.title) === fold(drawerTitle)),
      "drawer",
      drawerTitle,
    ) ?? (await session.call(createDrawerRoute, { body: { owner, title: drawerTitle } }));
  return (await session.call(createFolderRoute, { body: { owner, title, drawer_id: drawer.id } })).id;
}
