import { authorizeModifyItem, authorizeModifyItems, authorizeReadVersion } from "./access.ts";
import type { BatchOutcome, TagMode } from "./cabinet-ports.ts";
import type { Events } from "./event-ports.ts";
import { type Failure, invalid, notFound } from "./failure.ts";
import type { Reference } from "./item-references.ts";
import { cutCharacters, TAG_PAIRS_PER_CALL } from "./limits.ts";
import type { Caller } from "./model.ts";
import type { Clock, Store } from "./ports.ts";

interface Parts {
  store: Pick<Store, "batches">;
  events: Events;
  clock: Clock;
}

/** Values are quoted in failures up to this many characters. */
const QUOTED = 100;

const quote = (value: string) => JSON.stringify(cutCharacters(value, QUOTED));

/** Many groups and standalone reports at once: all of them, or nothing is changed. */
export function createItems({ store: { batches }, events, clock }: Parts) {
  /** Files items in a folder of their workspace, or with null nowhere. Returns how many were named. */
  async function setFolder(caller: Caller, references: readonly Reference[], folderId: string | null): Promise<number> {
    const named = await resolveBatch(caller, references);
    const outcome = await batches.fileItems({ batch: named.batch, folderId, now: clock.now() });
    finish(outcome, named, () => `folder_id names no folder: ${quote(folderId ?? "")}.`);
    return named.batch.itemIds.length;
  }

  /** Attaches, detaches or replaces tags. Returns how many items were named. */
  async function setTags(
    caller: Caller,
    references: readonly Reference[],
    { mode, tagIds }: { mode: TagMode; tagIds: readonly string[] },
  ): Promise<number> {
    const uniqueIds = [...new Set(tagIds)];
    const named = await resolveBatch(caller, references);
    checkPairs(named.batch.itemIds.length, mode, uniqueIds.length);
    const outcome = await batches.tagItems({ batch: named.batch, mode, tagIds: uniqueIds });
    finish(outcome, named, (tagId) => `${mode}[${tagIds.indexOf(tagId)}] names no tag: ${quote(tagId)}.`);
    return named.batch.itemIds.length;
  }

  /** The items that references name. Throws `NotFound` or `Invalid` about the first that is wrong. */
  async function resolveBatch(caller: Caller, references: readonly Reference[]) {
    const find = await findAll(caller, references);
    const items = references.map((reference, position) => {
      const item = find(reference);
      if (item === undefined) throw noSuchItem(references, position);
      return item;
    });
    const batch = authorizeModifyItems(caller, items);
    if (batch !== undefined) return { batch, items, references };
    const stray = items.findIndex(({ workspaceId }) => workspaceId !== items[0]?.workspaceId);
    throw invalid(`items[${stray}] is of another workspace than items[0]; a call changes items of one workspace.`);
  }

  /** Reads all that is named in a few queries. */
  async function findAll(caller: Caller, references: readonly Reference[]) {
    const names = references.flatMap((reference) => ("name" in reference ? [reference.name] : []));
    const codes = references.flatMap((reference) => ("code" in reference ? [reference.code] : []));
    const [groups, named, current] = await Promise.all([
      batches.findGroups(names),
      batches.findVersions(codes),
      batches.findItemsOf(codes),
    ]);
    const readable = named.filter((found) => authorizeReadVersion(caller, found) !== undefined);
    const itemIds = new Map(readable.map(({ item, version }) => [version.code, item.id]));
    const byId = new Map(current.map((found) => [found.item.id, found]));
    const byName = new Map(groups.map((found) => [found.item.name, found]));
    return (reference: Reference) =>
      authorizeModifyItem(
        caller,
        "name" in reference ? byName.get(reference.name) : byId.get(itemIds.get(reference.code) ?? 0),
      );
  }

  /** Tells of what has changed, or throws what was missing. */
  function finish(
    outcome: BatchOutcome,
    { batch, items, references }: Awaited<ReturnType<typeof resolveBatch>>,
    describeMissing: (tagId: string) => string,
  ): void {
    switch (outcome.kind) {
      case "noItem": {
        const position = items.findIndex(({ id }) => id === outcome.itemId);
        throw noSuchItem(references, position);
      }
      case "noTag":
        throw notFound(describeMissing(outcome.tagId));
      case "noFolder":
        throw notFound(describeMissing(""));
      case "done":
        for (const itemId of outcome.changedIds) {
          events.publish({ kind: "itemChanged", itemId, workspaceId: batch.workspaceId });
        }
    }
  }

  return { setFolder, setTags };
}

export type Items = ReturnType<typeof createItems>;

/** Throws `Invalid` when one transaction would have to write too many pairs of an item and a tag. */
function checkPairs(items: number, mode: TagMode, tags: number): void {
  if (items * tags <= TAG_PAIRS_PER_CALL) return;
  throw invalid(
    `items and ${mode} make ${items * tags} pairs of a report and a tag; a call may have ${TAG_PAIRS_PER_CALL}. Send fewer items or tags.`,
  );
}

function noSuchItem(references: readonly Reference[], position: number): Failure {
  const reference = references[position];
  if (reference === undefined) return notFound("One of the items is there no longer.");
  return "name" in reference
    ? notFound(`items[${position}] names no group: ${quote(reference.name)}.`)
    : notFound(`items[${position}] names no report: ${quote(reference.code)}.`);
}
