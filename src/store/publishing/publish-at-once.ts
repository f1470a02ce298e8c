import { type Compilable, sql } from "kysely";
import pg from "pg";
import type { Visibility } from "../../domain/model/entities.ts";
import type { Publication, Published } from "../../domain/publishing/ports.ts";
import { foldText } from "../../domain/search/search-text.ts";
import { gramList, gramsOfCode } from "../engine/grams.ts";
import { prepared } from "../engine/prepared.ts";
import type { Database } from "../engine/schema.ts";
import { encodeFiles } from "../model/rows.ts";
import { searchColumns } from "../search/index-item.ts";

/** What the statement is given, by the names that it has for it. */
interface Given {
  code: string;
  name: string | null;
  title: string;
  workspace_id: string;
  user_id: string;
  visibility: Visibility;
  now: number;
  size: number;
  /** Bytes that the workspace may hold before this. */
  most: number;
  files: string;
  stand_ins: string | null;
  warnings: readonly string[];
  may_govern: boolean;
  allows_revisions: boolean;
  search_text: string;
  sort_title: string;
  sort_name: string;
  item_grams: string;
  folded_code: string;
  code_grams: string;
  key: string | null;
  key_user_id: string | null;
  key_workspace_id: string | null;
  fingerprint: string | null;
  expires_at: number | null;
}

type Row = Pick<Published, "itemId" | "versionNo" | "visibility">;

/**
 * Publishes in one statement, which is one way to the database and back where the transaction of `publish` takes ten.
 * Returns undefined when it has not published, and left everything as it was: `publish` then says why, or does what
 * this does not, such as filing by title.
 */
export async function publishAtOnce(database: Database, publication: Publication): Promise<Published | undefined> {
  if (publication.folder !== undefined || publication.expectedCode !== undefined) return undefined;
  try {
    const [row] = await insertAll(database, JSON.stringify(give(publication)));
    const { code, now: createdAt, warnings } = publication;
    return row && { code, ...row, createdAt, warnings, isFiledElsewhere: false };
  } catch (error) {
    if (isVersionWithoutItem(error)) return undefined;
    throw error;
  }
}

/** What a publication says, as `publish` would write it. */
function give(publication: Publication): Given {
  const { code, name = null, title, workspaceId, request } = publication;
  const columns = searchColumns({ name, title });
  return {
    code,
    name,
    title,
    workspace_id: workspaceId,
    user_id: publication.userId,
    visibility: publication.visibility,
    now: publication.now,
    size: publication.size,
    most: publication.quota - publication.size,
    files: encodeFiles(publication.files),
    stand_ins: publication.standIns === undefined ? null : encodeFiles(publication.standIns),
    warnings: publication.warnings,
    may_govern: publication.mayGovern,
    allows_revisions: publication.allowsRevisions,
    ...columns,
    item_grams: gramList(workspaceId, columns.search_text),
    folded_code: foldText(code),
    code_grams: gramsOfCode(workspaceId, code),
    key: request?.key ?? null,
    key_user_id: request?.userId ?? null,
    key_workspace_id: request?.workspaceId ?? null,
    fingerprint: request?.fingerprint ?? null,
    expires_at: request?.expiresAt ?? null,
  };
}

/**
 * Takes what it changes in the order of `publish`: item, workspace, request key. A version of no item, which the table
 * refuses and with it the whole statement, is what comes of a name that is another's, a plan without revisions, a full
 * quota, a code or a key given out before.
 */
const insertAll = prepared((database, given: string): Compilable<Row> => {
  const statement = sql<Row>`
    with given as (
      select * from json_to_record(${given}) as given (
        code text, name text, title text, workspace_id text, user_id text, visibility text, now bigint, size bigint,
        most bigint, files text, stand_ins text, warnings json, may_govern boolean, allows_revisions boolean,
        search_text text, sort_title text, sort_name text, item_grams text, folded_code text, code_grams text,
        key text, key_user_id text, key_workspace_id text, fingerprint text, expires_at bigint)
    ), item as (
      insert into items (
        workspace_id, creator_id, name, visibility, current_code, last_version_no, created_at, updated_at, title,
        current_creator_id, current_visibility, search_text, sort_title, sort_name, folder_id, folder_changed_at)
      select
        given.workspace_id, user_id, name, visibility, code, 1, now, now, title,
        user_id, visibility, search_text, sort_title, sort_name, default_folder_id,
        case when default_folder_id is not null then now end
      from given join workspaces on workspaces.id = given.workspace_id
      on conflict (name) do update set
        current_code = excluded.current_code, last_version_no = items.last_version_no + 1,
        updated_at = excluded.updated_at, title = excluded.title, current_creator_id = excluded.creator_id,
        current_visibility = items.visibility, search_text = excluded.search_text, sort_title = excluded.sort_title
      where items.workspace_id = excluded.workspace_id and (select allows_revisions from given)
        and ((select may_govern from given) or items.creator_id = excluded.creator_id or (items.visibility <> 'private'
          and (items.current_visibility <> 'private' or items.current_creator_id = excluded.creator_id)))
      returning id, last_version_no, visibility
    ), workspace as (
      update workspaces set stored_bytes = stored_bytes + (select size from given)
      where id = (select workspace_id from given, item) and stored_bytes <= (select most from given)
      returning id
    ), request as (
      insert into request_keys (user_id, workspace_id, key, fingerprint, published, expires_at)
      select key_user_id, key_workspace_id, key, fingerprint, json_build_object(
        'code', code, 'itemId', item.id, 'versionNo', item.last_version_no, 'visibility', item.visibility,
        'createdAt', now, 'warnings', warnings, 'isFiledElsewhere', false), expires_at
      from given, item, workspace where key is not null
      on conflict (user_id, workspace_id, key) do update set
        fingerprint = excluded.fingerprint, published = excluded.published, expires_at = excluded.expires_at
      where request_keys.expires_at <= (select now from given)
      returning key
    ), version as (
      insert into versions (
        code, creator_id, version_no, title, visibility, size, files, stand_ins, created_at, item_id)
      select
        code, user_id, item.last_version_no, title, coalesce(item.visibility, given.visibility), size, files, stand_ins,
        now, item.id
      from given left join item on exists (select from workspace)
        and (key is null or exists (select from request))
        and not exists (select from retired_codes where retired_codes.code = given.code)
    ), searched_code as (
      insert into search_codes (item_id, code, folded) select item.id, code, folded_code from given, item
      returning id
    ), code_in_index as (
      insert into code_grams (rowid, grams) select id, code_grams from given, searched_code
    ), item_in_index as (
      insert into item_grams (rowid, grams) select id, item_grams from given, item
      on conflict (rowid) do update set grams = excluded.grams where item_grams.grams <> excluded.grams
    )
    select id as "itemId", last_version_no as "versionNo", visibility from item`;
  return { compile: () => statement.compile(database) };
});

const NOT_NULL_VIOLATION = "23502";

const isVersionWithoutItem = (error: unknown) =>
  error instanceof pg.DatabaseError && error.code === NOT_NULL_VIOLATION && error.table === "versions";
