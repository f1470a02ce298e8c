import { VISIBILITIES, type Visibility } from "../../../src/domain/model/entities.ts";
import type { Search } from "../../../src/domain/search/ports.ts";
import { foldText, sortText } from "../../../src/domain/search/search-text.ts";
import { addOwner, buildPublication, type Owner, type TestStore } from "../support.ts";

/** Returns a generator of numbers that are the same each time (mulberry32). */
export function createRandom(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const pick = <Value>(values: readonly [Value, ...Value[]]): Value =>
    values[Math.floor(next() * values.length)] ?? values[0];
  return { next, pick };
}

export const WORDS = [
  "Weekly",
  "sales",
  "Report",
  "Übersicht",
  "GRÖSSE",
  "Straße",
  "İstanbul",
  "ΟΔΟΣ",
  "Москва",
  "报告分析",
  "売上",
  "レポート",
  "100%",
  "snake_case",
  '"quoted"',
  "a*b",
  "OR",
  "ﬁne",
  "e\u0301te\u0301",
  "😀",
] as const;

/** An item that a search may find. */
export interface Known {
  id: number;
  name: string | null;
  title: string;
  codes: string[];
  visibility: Visibility;
  folder: { id: string; text: string; drawerId: string | null } | null;
  tags: { id: string; title: string; ancestors: string[] }[];
  /** The slug of the user who published it first. */
  author: string;
  createdAt: number;
  updatedAt: number;
}

type Folder = NonNullable<Known["folder"]>;
type Tag = Known["tags"][number];
type Random = ReturnType<typeof createRandom>;

/** Creates a workspace with drawers, folders, tags and items inside and outside them. */
export async function furnish(shared: TestStore, owner: Owner, random: Random, count: number): Promise<Known[]> {
  const prefix = `${shared.database.engine}${owner.slug}`;
  const drawers = ["Finance", "Größe"];
  for (const name of drawers) await addRecord("drawers", prefix + name, name);
  const folders = await addFolders();
  const tags = await addTags();
  const other = await addOwner(shared);
  const authorOf = (number: number) => (number % 3 === 2 ? other : owner);
  const items: Known[] = [];
  for (let number = 0; number < count; number++) items.push(await addItem(number));
  return items;

  async function addRecord(table: "drawers" | "folders" | "tags", id: string, title: string, more: object = {}) {
    const record = { id, workspace_id: owner.workspaceId, title, search_title: foldText(title), created_at: 1 };
    await shared.rows
      .insertInto(table)
      .values({ ...record, ...more })
      .execute();
  }

  async function addFolders(): Promise<Folder[]> {
    const added: Folder[] = [];
    for (const [position, name] of ["Weekly", "2026", "報告", "Ops", "Empty"].entries()) {
      const drawer = [...drawers, null][position % 3] ?? null;
      const drawerId = drawer === null ? null : prefix + drawer;
      const id = `${prefix}f${position}`;
      await addRecord("folders", id, name, { drawer_id: drawerId });
      added.push({ id, text: foldText(`${drawer ?? ""}\n${name}`), drawerId });
    }
    return added;
  }

  async function addTags(): Promise<Tag[]> {
    const added: Tag[] = [];
    for (const [position, title] of ["Draft", "Straße", "重要", "Q3", "Q3-final"].entries()) {
      const parent = position > 2 ? added[position - 1] : undefined;
      const id = `${prefix}t${position}`;
      await addRecord("tags", id, title, { parent_id: parent?.id ?? null });
      added.push({ id, title, ancestors: parent ? [parent.id, ...parent.ancestors] : [] });
    }
    return added;
  }

  async function addItem(number: number): Promise<Known> {
    const { next, pick } = random;
    const name = next() < 0.6 ? `${pick(["weekly", "ops", "x-1"])}-${prefix}-${number}` : undefined;
    const [createdAt, visibility] = [1_000 + Math.floor(number / 3), pick(VISIBILITIES)];
    const known = { name: name ?? null, title: "", codes: [] as string[], visibility, createdAt };
    let id = 0;
    for (let version = 0; version < (name !== undefined && next() < 0.3 ? 3 : 1); version++) {
      known.title = Array.from({ length: 1 + Math.floor(next() * 4) }, () => pick(WORDS)).join(" ");
      const publication = buildPublication(owner, { name, title: known.title, visibility, now: createdAt });
      id = (await shared.store.publishing.publish(publication)).itemId;
      known.codes.push(publication.code);
    }
    const folder = next() < 0.5 ? (folders[Math.floor(next() * folders.length)] ?? null) : null;
    const updatedAt = 5_000 + Math.floor(next() * 60);
    const author = authorOf(number);
    const place = { folder_id: folder?.id ?? null, updated_at: updatedAt, creator_id: author.userId };
    await shared.rows.updateTable("items").set(place).where("id", "=", id).execute();
    const tagged = tags.filter(() => next() < 0.25);
    for (const { id: tag_id } of tagged) {
      const row = { item_id: id, tag_id, workspace_id: owner.workspaceId };
      await shared.rows.insertInto("item_tags").values(row).execute();
    }
    return { ...known, id, folder, tags: tagged, author: author.slug, updatedAt };
  }
}

/** Returns what a search has to find, by checking every item. */
export function lookAtEverything(items: readonly Known[], search: Search): number[] {
  const found = items.filter(
    (item) =>
      search.words.every((word) => hasWord(item, word)) &&
      isInPlace(item, search) &&
      hasTags(item, search) &&
      (search.authors === undefined || search.authors.includes(item.author)) &&
      (search.since === undefined || item.updatedAt >= search.since) &&
      (search.until === undefined || item.updatedAt < search.until) &&
      (search.visibility === undefined || item.visibility === search.visibility),
  );
  return found.toSorted((one, other) => compare(one, other, search)).map(({ id }) => id);
}

const hasWord = ({ name, title, codes, tags, folder }: Known, word: string) =>
  [name ?? "", title, ...codes, ...tags.map((tag) => tag.title)]
    .map(foldText)
    .concat(folder?.text ?? "")
    .some((text) => text.includes(word));

function isInPlace({ folder }: Known, { place }: Search): boolean {
  if (place === undefined) return true;
  if (place === null) return folder === null;
  return "folderId" in place ? folder?.id === place.folderId : folder?.drawerId === place.drawerId;
}

function hasTags({ tags }: Known, { tagIds, withSubtrees, isUntagged }: Search): boolean {
  const reach = tags.flatMap(({ id, ancestors }) => (withSubtrees ? [id, ...ancestors] : [id]));
  return tagIds.every((id) => reach.includes(id)) && !(isUntagged && tags.length > 0);
}

function compare(one: Known, other: Known, { order }: Search): number {
  const keyOf = ({ updatedAt, createdAt, title, name }: Known) =>
    ({ updated: String(updatedAt), created: String(createdAt), title: sortText(title), name: name ?? "~" })[order.by];
  const difference = Buffer.compare(Buffer.from(keyOf(one)), Buffer.from(keyOf(other))) || one.id - other.id;
  return order.isDescending ? -difference : difference;
}
