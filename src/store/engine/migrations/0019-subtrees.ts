import { COLUMNS, READERS, readerOf } from "./0016-item-readers.ts";

/** Selects each item with the tags of pairs and all tags above them, once each. */
export const withTagsAbove = (pairs: string, tags = "tags") => `
  with recursive above (workspace_id, item_id, tag_id) as (
    select workspace_id, item_id, tag_id from (${pairs}) as pairs
    union
    select above.workspace_id, above.item_id, parents.parent_id
    from above join ${tags} as parents on parents.id = above.tag_id where parents.parent_id is not null
  ) select workspace_id, item_id, tag_id from above`;

/** Selects a tag and all tags below it. */
export const withTagsBelow = (tags: string) => `
  with recursive below (id) as (
    select id from (${tags}) as tops
    union
    select tags.id from below join tags on tags.parent_id = below.id
  ) select id from below`;

/** Selects the changes of counts from items with tags, each with the number by which it changes. */
export const countedSubtrees = (changed: string) => `
  select workspace_id, reader, 'subtree', place, sum(number) from (
    select changed.workspace_id, ${readerOf("items")} as reader, changed.tag_id as place, changed.number
    from (${changed}) as changed join items on items.id = changed.item_id cross join ${READERS}) as counted
  where reader is not null group by workspace_id, reader, place having sum(number) <> 0`;

/** Fills the counts. */
export const fillSubtrees = `insert into item_counts (${COLUMNS}) ${countedSubtrees(`
  select workspace_id, item_id, tag_id, 1 as number
  from (${withTagsAbove("select workspace_id, item_id, tag_id from item_tags")}) as every`)}`;
