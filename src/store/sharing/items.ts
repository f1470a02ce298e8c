import type { ChangedPeople, ItemShare, ItemsShare, SharedItems } from "../../domain/sharing/ports.ts";
import { claimItems } from "../cabinet/batches.ts";
import type { Database } from "../engine/schema.ts";
import { setItemVisibility } from "../reports/items.ts";
import { changePeople } from "./people.ts";

/** The outcome if no person is added or removed. */
export const NO_CHANGED_PEOPLE: ChangedPeople = { added: [], removed: [], userIds: [] };

/** Changes who can read several reports, all or none. Throws `Invalid` if too many people could read one of them. */
export async function shareItems(database: Database, sharing: ItemsShare): Promise<SharedItems> {
  const { batch, changes, now } = sharing;
  const { claimed, missing } = await claimItems(database, batch);
  if (missing !== undefined) return { missing };
  const changing = changes.flatMap(({ item, audience }) => (audience === undefined ? [] : [item.id]));
  const isExact = !(await haveOwnVisibilities(database, changing));
  const shared = [];
  for (const [position, change] of changes.entries()) {
    const row = claimed.get(change.item.id);
    const before = {
      visibility: row?.visibility ?? change.item.visibility,
      organizationId: row?.organization_id ?? null,
    };
    const people = await changePeopleOf(database, sharing, change, `items[${position}]`);
    const { item, audience } = change;
    const codes = audience === undefined ? [] : await setItemVisibility(database, { item, ...audience, now });
    shared.push({ before, codes, people });
  }
  return { shared, isExact };
}

function changePeopleOf(
  database: Database,
  { sharerId, limit, now }: ItemsShare,
  { whole: subject, add, remove }: ItemShare,
  label: string,
): Promise<ChangedPeople> {
  if (add.length + remove.length === 0) return Promise.resolve(NO_CHANGED_PEOPLE);
  return changePeople(database, { subject, sharerId, add, remove, limit, now }, label);
}

/** Returns whether a version of these reports has other readers than its report. */
async function haveOwnVisibilities(database: Database, itemIds: readonly number[]): Promise<boolean> {
  if (itemIds.length === 0) return false;
  const row = await database
    .selectFrom("items")
    .innerJoin("versions", "versions.item_id", "items.id")
    .select("versions.code")
    .where("items.id", "in", itemIds)
    .where((where) =>
      where.or([
        where("versions.visibility", "<>", where.ref("items.visibility")),
        where("versions.organization_id", "is not", null),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
