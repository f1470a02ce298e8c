/** Numbers the readers that an item can count for. */
export const READERS = "(select 1 as number union all select 2 union all select 3) as readers";

/** Everyone in the workspace if they may read the item, otherwise its creator. */
const firstReader = (item: string) => `case
  when ${item}.visibility <> 'private' and ${item}.current_visibility <> 'private' then 'members'
  else ${item}.creator_id end`;

/** The creator of the current version, if they may read the item and aren't counted yet. */
const secondReader = (item: string) => `case
  when ${item}.visibility <> 'private' and ${item}.current_visibility = 'private'
    and ${item}.current_creator_id not in ('', ${item}.creator_id)
  then ${item}.current_creator_id end`;

/** Returns one of the readers of an item by its number, or null. */
export const readerOf = (item: string) => `case readers.number
  when 1 then 'owners' when 2 then ${firstReader(item)} else ${secondReader(item)} end`;

/** The columns of a count. */
export const COLUMNS = "workspace_id, reader, kind, place, count";

/** Adds to a count that exists. */
export const ADD = `on conflict (workspace_id, reader, kind, place) do update set count = item_counts.count + excluded.count`;

/** Returns the condition that an item counts for other readers after a change. */
export const hasOtherReaders = (before: string, after: string) => `${firstReader(before)} <> ${firstReader(after)}
  or ${secondReader(before)} is distinct from ${secondReader(after)}`;

/** Returns the condition that an item is in another workspace or folder after a change. */
export const hasOtherPlace = (before: string, after: string) => `${before}.workspace_id <> ${after}.workspace_id
  or ${before}.folder_id is distinct from ${after}.folder_id`;
