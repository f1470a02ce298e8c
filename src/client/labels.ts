import type { CallInput } from "./client.ts";
import { loadRoutes, type ResponseOf, type Route } from "./lazy-routes.ts";
import type { taxonomyRoute } from "./routes.ts";

/** A label of a drawer, folder or tag that means none or several of them. */
export class LabelError extends Error {
  override readonly name = "LabelError";
}

/** Calls the API with the rights of the caller. */
interface Calls {
  call<R extends Route>(route: R, input?: CallInput<R>): Promise<ResponseOf<R>>;
}

export type Taxonomy = ResponseOf<typeof taxonomyRoute>;
type Folder = Taxonomy["folders"][number];
type Tag = Taxonomy["tags"][number];

/** Titles to list when none is the requested one. */
const SUGGESTIONS = 20;

/** Reads the drawers, folders and tags of a workspace. */
export async function readTaxonomy(client: Calls, owner: string): Promise<Taxonomy> {
  const { taxonomyRoute } = await loadRoutes.cabinet();
  return client.call(taxonomyRoute, { query: { owner } });
}

const fold = (title: string) => title.normalize().toLowerCase().trim();

/** Returns `Drawer/Folder`, or `Folder` at the root. */
export function folderLabel({ drawers }: Pick<Taxonomy, "drawers">, { title, drawer_id: drawerId }: Folder): string {
  const drawer = drawers.find(({ id }) => id === drawerId);
  return drawer === undefined ? title : `${drawer.title}/${title}`;
}

/** Returns `Parent/Child`, or the title at the top level. */
export function tagLabel(taxonomy: Pick<Taxonomy, "tags">, { title, parent_id: parentId }: Tag): string {
  const parent = taxonomy.tags.find(({ id }) => id === parentId);
  return parent === undefined ? title : `${tagLabel(taxonomy, parent)}/${title}`;
}

/** Returns the entry with this id, path or title, ignoring case. Throws `LabelError` if several have it. */
function pick<Entry extends { id: string; title: string }>(
  entries: readonly Entry[],
  labelOf: (entry: Entry) => string,
  label: string,
): Entry | undefined {
  const requested = fold(label);
  const found = [
    entries.filter(({ id }) => id === label),
    entries.filter((entry) => fold(labelOf(entry)) === requested),
    entries.filter(({ title }) => fold(title) === requested),
  ].find(({ length }) => length > 0);
  if (found === undefined || found.length === 1) return found?.[0];
  const paths = found.map((entry) => JSON.stringify(`${labelOf(entry)} (${entry.id})`)).toSorted();
  throw new LabelError(`"${label}" is ambiguous: ${paths.join(", ")}. Pass the path or the id.`);
}

/** What labels are looked up in. */
type Labels = Pick<Taxonomy, "owner" | "drawers" | "folders" | "tags">;

export const findFolder = (taxonomy: Taxonomy, label: string): Folder | undefined =>
  pick(taxonomy.folders, (folder) => folderLabel(taxonomy, folder), label);

export const findDrawer = ({ drawers }: Taxonomy, label: string) => pick(drawers, ({ title }) => title, label);

export const findTag = (taxonomy: Taxonomy, label: string): Tag | undefined =>
  pick(taxonomy.tags, (tag) => tagLabel(taxonomy, tag), label);

/** Returns an error that lists the labels to choose from. */
export function noSuch(kind: "folder" | "tag", taxonomy: Labels, label: string): LabelError {
  const labels =
    kind === "tag"
      ? taxonomy.tags.map((tag) => tagLabel(taxonomy, tag))
      : taxonomy.folders.map((folder) => folderLabel(taxonomy, folder));
  const some = labels.slice(0, SUGGESTIONS).map((one) => JSON.stringify(one));
  const list = some.length === 0 ? `There are no ${kind}s.` : `Available ${kind}s: ${some.join(", ")}.`;
  return new LabelError(`No ${kind} ${JSON.stringify(label)} in ${taxonomy.owner}. ${list}`);
}

interface Entry {
  id: string;
  title: string;
  isNew: boolean;
}

/** Where a label files reports: in a folder that exists, or in one to create. */
export interface FolderPlan {
  folder: Folder | undefined;
  title: string;
  /** Undefined at the root. */
  drawer: { title: string; isNew: boolean } | undefined;
}

/** Returns where a label files reports. Throws `LabelError`. */
export function planFolder(taxonomy: Taxonomy, label: string): FolderPlan {
  const folder = findFolder(taxonomy, label);
  if (folder !== undefined) {
    const found = taxonomy.drawers.find(({ id }) => id === folder.drawer_id);
    return { folder, title: folder.title, drawer: found && { title: found.title, isNew: false } };
  }
  if (/^fld_\w+$/.test(label)) throw noSuch("folder", taxonomy, label);
  const slash = label.indexOf("/");
  const title = label.slice(slash + 1).trim();
  if (slash < 0) return { folder, title, drawer: undefined };
  const requested = label.slice(0, slash).trim();
  const found = findDrawer(taxonomy, requested);
  return { folder, title, drawer: { title: found?.title ?? requested, isNew: found === undefined } };
}

/** Returns the folder with this label, and creates it and its drawer if they don't exist. */
export async function findOrCreateFolder(client: Calls, owner: string, label: string): Promise<Entry> {
  const taxonomy = await readTaxonomy(client, owner);
  const { folder, title, drawer: planned } = planFolder(taxonomy, label);
  if (folder !== undefined) return { id: folder.id, title: folderLabel(taxonomy, folder), isNew: false };
  const { createFolderRoute } = await loadRoutes.cabinet();
  if (planned === undefined)
    return { ...(await client.call(createFolderRoute, { body: { owner, title } })), isNew: true };
  const drawer = await findOrCreateDrawer(client, taxonomy, planned.title);
  const { id } = await client.call(createFolderRoute, { body: { owner, title, drawer_id: drawer.id } });
  return { id, title: `${drawer.title}/${title}`, isNew: true };
}

/** Returns the drawer with this title, and creates it if it doesn't exist. */
export async function findOrCreateDrawer(client: Calls, taxonomy: Taxonomy, label: string): Promise<Entry> {
  const found = findDrawer(taxonomy, label);
  if (found !== undefined) return { ...found, isNew: false };
  const { owner } = taxonomy;
  const { createDrawerRoute } = await loadRoutes.cabinet();
  return { ...(await client.call(createDrawerRoute, { body: { owner, title: label.trim() } })), isNew: true };
}

/** Returns the tag with this label, and creates it and its parents if they don't exist. */
export async function findOrCreateTag(client: Calls, taxonomy: Taxonomy, label: string): Promise<Entry> {
  const found = findTag(taxonomy, label);
  if (found !== undefined) return { id: found.id, title: tagLabel(taxonomy, found), isNew: false };
  if (/^tag_\w+$/.test(label)) throw noSuch("tag", taxonomy, label);
  const slash = label.lastIndexOf("/");
  const parent = slash < 0 ? undefined : await findOrCreateTag(client, taxonomy, label.slice(0, slash));
  const { owner } = taxonomy;
  const title = label.slice(slash + 1).trim();
  const body = parent === undefined ? { owner, title } : { owner, title, parent_id: parent.id };
  const { createTagRoute } = await loadRoutes.tags();
  const { id } = await client.call(createTagRoute, { body });
  return { id, title: parent === undefined ? title : `${parent.title}/${title}`, isNew: true };
}

/** Returns the ids of tags by their labels, and creates those that don't exist. */
export async function findOrCreateTags(client: Calls, owner: string, labels: readonly string[]): Promise<string[]> {
  const ids = new Set<string>();
  for (const label of labels) {
    // Read again, because the tag before may have created parents of this one.
    ids.add((await findOrCreateTag(client, await readTaxonomy(client, owner), label)).id);
  }
  return [...ids];
}

/** Returns the ids of existing tags. Throws `LabelError`. */
export function existingTags(taxonomy: Taxonomy, labels: readonly string[]): string[] {
  return labels.map((label) => {
    const found = findTag(taxonomy, label);
    if (found === undefined) throw noSuch("tag", taxonomy, label);
    return found.id;
  });
}
