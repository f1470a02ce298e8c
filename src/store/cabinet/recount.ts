import { expressionBuilder, sql } from "kysely";
import type { Schema } from "../engine/schema.ts";
import { readableItemBy } from "../model/readable.ts";

const { ref, not } = expressionBuilder<Schema, "users">();

/** A member who has made nothing. */
const SOMEONE = "members";

const byMembers = readableItemBy({ userId: SOMEONE, governs: false });
const byUser = readableItemBy({ userId: ref("users.id"), governs: false });

/** Selects the slugs of workspaces whose kept counts differ from what counting their items by the reading rule gives. */
export const selectMiscounted = sql<{ subject: string }>`
  with recursive above (workspace_id, item_id, tag_id) as (
    select workspace_id, item_id, tag_id from item_tags
    union
    select above.workspace_id, above.item_id, tags.parent_id
    from above join tags on tags.id = above.tag_id where tags.parent_id is not null
  ), readers as (
    select id, workspace_id, folder_id, 'owners' as reader from items where ${readableItemBy({ userId: SOMEONE, governs: true })}
    union all
    select id, workspace_id, folder_id, 'members' from items where ${byMembers}
    union all
    select items.id, workspace_id, folder_id, users.id from items
      join users on users.id = items.creator_id or users.id = items.current_creator_id
    where ${byUser} and ${not(byMembers)}
  ), counted as (
    select workspace_id, reader, 'folder' as kind, coalesce(folder_id, '') as place, 1 as count from readers
    union all
    select item_tags.workspace_id, reader, 'tag', tag_id, 1 from item_tags join readers on readers.id = item_tags.item_id
    union all
    select above.workspace_id, reader, 'subtree', tag_id, 1 from above join readers on readers.id = above.item_id
    union all
    select tagged.workspace_id, reader, 'tagged', '', 1
    from (select distinct workspace_id, item_id from item_tags) as tagged join readers on readers.id = tagged.item_id
    union all
    select workspace_id, reader, kind, place, -count from current_item_counts where kind <> 'change'
  ), wrong as (
    select workspace_id from counted group by workspace_id, reader, kind, place having sum(count) <> 0
  )
  select distinct coalesce(workspaces.slug, wrong.workspace_id) as subject
  from wrong left join workspaces on workspaces.id = wrong.workspace_id
  order by subject`;
