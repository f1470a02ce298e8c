import { authorizeShareItems, mayControlItem } from "../model/access.ts";
import { newId } from "../model/codes.ts";
import type { Caller, Item, Visibility } from "../model/entities.ts";
import type { Events } from "../model/events.ts";
import { forbidden, invalid } from "../model/failure.ts";
import { PEOPLE_PER_REPORT, SHARE_PAIRS_PER_CALL } from "../model/limits.ts";
import type { Clock, Random } from "../model/ports.ts";
import { type NamedItems, noSuchItem, resolveItems } from "../reports/item-batches.ts";
import type { Reference } from "../reports/item-references.ts";
import type { ItemFinder } from "../reports/ports.ts";
import { chooseAmong } from "./organization.ts";
import { normalizeEmails, type PeopleSharing } from "./people.ts";
import type { SharedItem, SharingStore } from "./ports.ts";

interface Dependencies {
  store: { sharing: Pick<SharingStore, "shareItems">; reports: ItemFinder };
  events: Pick<Events, "publish">;
  clock: Clock;
  random: Random;
}

const NOTHING: Pick<SharedItem, "codes" | "people"> & { before?: undefined } = {
  codes: [],
  people: { added: [], removed: [], userIds: [] },
};

/** What changes for one report. */
export interface SharingChange {
  reference: Reference;
  /** Undefined to keep it. */
  visibility: Visibility | undefined;
  /** The slug of the only organization; undefined for all. */
  org: string | undefined;
  add: readonly string[];
  remove: readonly string[];
}

/** Creates the service that shares many reports at once. Each call changes all of them or none. */
export function createItemSharing({ store, events, clock, random }: Dependencies, people: PeopleSharing) {
  /**
   * Changes who can read reports, and mails each new person once. Returns the changes that undo it, undefined if there are
   * none or they can't restore all. Throws `NotFound`, `Forbidden` or `Invalid` for the first invalid entry.
   */
  async function share(
    caller: Caller,
    changes: readonly SharingChange[],
    mails: number,
  ): Promise<{ undo: SharingChange[] | undefined; newPeople: number }> {
    checkPairs(changes);
    const references = changes.map(({ reference }) => reference);
    const named = await resolveItems(store.reports, caller, references);
    checkUnique(named);
    const authorized = authorizeShareItems(caller, named.items);
    if (authorized === undefined) throw notTheirs(caller, named);
    const outcome = await store.sharing.shareItems({
      batch: authorized.batch,
      changes: changes.flatMap((change, position) => {
        const subject = authorized.subjects[position];
        return subject === undefined ? [] : [{ ...subject, ...planned(caller, subject.item, change) }];
      }),
      sharerId: caller.userId,
      limit: PEOPLE_PER_REPORT,
      now: clock.now(),
    });
    if ("missing" in outcome) {
      throw noSuchItem(
        references,
        named.items.findIndex(({ id }) => id === outcome.missing),
      );
    }
    const { shared, isExact } = outcome;
    for (const [position, { item, whole }] of authorized.subjects.entries()) {
      const { codes, people: changed } = shared[position] ?? NOTHING;
      people.publish(whole, changed);
      if (codes.length > 0) events.publish({ kind: "versionsChanged", codes });
      if (codes.length > 0) events.publish({ kind: "itemChanged", itemId: item.id, workspaceId: item.workspaceId });
    }
    const newPeople = countReports(shared);
    people.mailMany(caller, newPeople, mails);
    return { undo: isExact ? undoOf(caller, changes, shared) : undefined, newPeople: newPeople.size };
  }

  const planned = (caller: Caller, item: Item, { visibility, org, add, remove }: SharingChange) => {
    const [adding, removing] = [normalizeEmails(add), normalizeEmails(remove)];
    return {
      audience: visibility && {
        visibility,
        organizationId: visibility === "org" ? chooseAmong(caller, org)(item) : null,
      },
      add: adding.filter((email) => !removing.includes(email)).map((email) => ({ id: newId(random, "shr"), email })),
      remove: removing,
    };
  };

  return { share };
}

export type ItemSharing = ReturnType<typeof createItemSharing>;

/** Throws `Invalid` if one transaction would have to write too many pairs of report and person. */
function checkPairs(changes: readonly SharingChange[]): void {
  const pairs = changes.reduce((sum, { add, remove }) => sum + add.length + remove.length, 0);
  if (pairs <= SHARE_PAIRS_PER_CALL) return;
  throw invalid(
    `items have ${pairs} addresses in add and remove. The limit is ${SHARE_PAIRS_PER_CALL}. Send fewer reports or people.`,
  );
}

/** Throws `Invalid` if two entries are about one report: they might contradict each other. */
function checkUnique({ items }: NamedItems): void {
  const again = items.findIndex(({ id }, position) => items.findIndex((item) => item.id === id) < position);
  if (again === -1) return;
  const first = items.findIndex(({ id }) => id === items[again]?.id);
  throw invalid(`items[${again}] is the same report as items[${first}]. Send one entry per report.`);
}

function notTheirs(caller: Caller, { items }: NamedItems) {
  const position = items.findIndex((item) => !mayControlItem(caller, item));
  return forbidden(
    `You can't share items[${position}]. Ask the person who published it, or an owner or admin of the workspace.`,
  );
}

/** Counts the reports that each person got access to. */
function countReports(shared: readonly SharedItem[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const email of shared.flatMap(({ people }) => people.added)) counts.set(email, (counts.get(email) ?? 0) + 1);
  return counts;
}

/** Returns the changes that restore what was; undefined if nothing changed. */
function undoOf(caller: Caller, changes: readonly SharingChange[], shared: readonly SharedItem[]) {
  const undo = changes.flatMap(({ reference, visibility: wanted }, position): SharingChange[] => {
    const { before, people } = shared[position] ?? NOTHING;
    if (wanted === undefined && people.added.length + people.removed.length === 0) return [];
    const visibility = wanted && before?.visibility;
    const only = caller.memberships.find(({ id }) => id === before?.organizationId);
    const org = visibility === "org" ? only?.slug : undefined;
    return [{ reference, visibility, org, add: people.removed, remove: people.added }];
  });
  return undo.length === 0 ? undefined : undo;
}
