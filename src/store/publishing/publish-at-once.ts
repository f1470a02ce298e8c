import { type Compilable, type Expression, ExpressionWrapper, type OperationNodeSource, sql } from "kysely";
import type { Cause } from "../../domain/model/audit.ts";
import type { Publication, Published } from "../../domain/publishing/ports.ts";
import { foldText } from "../../domain/search/search-text.ts";
import { type EntryRow, insertEntries, selectEntry, toEntryRow } from "../audit/rows.ts";
import { gramList, gramsOfCode } from "../engine/grams.ts";
import { prepared, type Source } from "../engine/prepared.ts";
import type { Database } from "../engine/schema.ts";
import { publishDetails, publishEvent } from "./records.ts";
import { insertRequestKey, type RequestKeyRow, toRequestKeyRow } from "./request-keys.ts";
import {
  type ClaimedReport,
  hasDisplayTitle,
  insertReport,
  mayPublishTo,
  nextVersion,
  type PublicationRow,
  selectRetired,
  takeFromQuota,
  toPublicationRow,
  toPublished,
  versionRow,
} from "./rows.ts";

/** The input of the statement, as one JSON document. */
interface Given extends PublicationRow {
  allows_revisions: boolean;
  item_grams: string;
  folded_code: string;
  code_grams: string;
  /** Null for a request without a key. */
  request_key: RequestKeyRow | null;
  audit: EntryRow;
}

type Types<Row> = Readonly<Record<keyof Row, "text" | "bigint" | "boolean" | "json">>;

const GIVEN_TYPES: Types<Given> = {
  code: "text",
  name: "text",
  title: "text",
  note: "text",
  storage: "text",
  sample: "text",
  workspace_id: "text",
  user_id: "text",
  visibility: "text",
  now: "bigint",
  size: "bigint",
  most_stored_bytes: "bigint",
  files: "text",
  stand_ins: "text",
  warnings: "json",
  kept_warnings: "text",
  kept_with_visibility: "json",
  may_govern: "boolean",
  search_text: "text",
  sort_title: "text",
  sort_name: "text",
  allows_revisions: "boolean",
  item_grams: "text",
  folded_code: "text",
  code_grams: "text",
  request_key: "json",
  audit: "json",
};

const REQUEST_KEY_TYPES: Types<RequestKeyRow> = {
  user_id: "text",
  workspace_id: "text",
  key: "text",
  fingerprint: "text",
  expires_at: "bigint",
};

/**
 * Runs the transaction of `publish` as one statement made of the same parts, which takes one round trip to the database
 * instead of ten. Returns undefined if it has published nothing: `publish` then finds the reason, or does what this
 * doesn't do, such as filing by title.
 */
export async function publishAtOnce(
  database: Database,
  publication: Publication,
  cause: Cause,
): Promise<Published | undefined> {
  const { folder, expectedCode, addressed } = publication;
  if (folder !== undefined || expectedCode !== undefined || addressed !== undefined) return undefined;
  const run = publication.request === undefined ? publishWithoutKey : publishWithKey;
  try {
    const [report] = await run(database, JSON.stringify(toGiven(publication, cause)));
    return report && toPublished(publication, report);
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}

function toGiven(publication: Publication, cause: Cause): Given {
  const { code, workspaceId, request } = publication;
  const row = toPublicationRow(publication);
  return {
    ...row,
    allows_revisions: publication.allowsRevisions,
    item_grams: gramList(workspaceId, row.search_text),
    folded_code: foldText(code),
    code_grams: gramsOfCode(workspaceId, code),
    request_key: request === undefined ? null : toRequestKeyRow(request),
    audit: toEntryRow(publishEvent(publication), cause),
  };
}

/** Returns the columns of the only row of a part of the statement. */
const columnsOf =
  <Row>(part: string): Source<Row> =>
  <Column extends keyof Row & string>(column: Column) =>
    sql<Row[Column]>`(select ${sql.ref(column)} from ${sql.table(part)})`;

const given = columnsOf<Given>("given");
/** The report once it is claimed. */
const claimed = columnsOf<ClaimedReport & { display_title: string | null }>("claimed");
/** The report if the publish is allowed; otherwise nulls, which the tables refuse, and with them the whole statement. */
const accepted = columnsOf<ClaimedReport>("accepted");

const fromJson = (json: string | Expression<unknown>, types: Readonly<Record<string, string>>) => {
  const columns = Object.entries(types).map(([column, type]) => sql`${sql.ref(column)} ${sql.raw(type)}`);
  return sql`select * from json_to_record(${json}) as given (${sql.join(columns)})`;
};

const published = {
  code: given("code"),
  itemId: claimed("id"),
  versionNo: claimed("last_version_no"),
  visibility: claimed("visibility"),
  createdAt: given("now"),
  warnings: given("warnings"),
  isFiledElsewhere: sql.lit(false),
} satisfies { [Name in keyof Published]: Published[Name] | Expression<Published[Name]> };

const publishedJson = sql<string>`cast(json_build_object(
  ${sql.join(Object.entries(published).flatMap(([name, value]) => [sql.lit(name), value]))}) as text)`;

const auditDetails = publishDetails({ versionNo: accepted("last_version_no"), visibility: accepted("visibility") });

/** The columns of the audit entry that are known only now. */
const foundForAudit: Partial<Record<keyof EntryRow, Expression<unknown>>> = {
  subject_id: sql`${accepted("id")}`,
  details: sql`json_build_object(${sql.join(Object.entries(auditDetails).flatMap(([name, value]) => [sql.lit(name), value]))})`,
};

const auditEntry = selectEntry((column) => foundForAudit[column] ?? sql`${given("audit")} ->> ${sql.lit(column)}`);

const part = (query: OperationNodeSource) => new ExpressionWrapper(query.toOperationNode());

const claimReport = (database: Database) =>
  insertReport(database, given).onConflict((taken) =>
    taken
      .column("name")
      .doUpdateSet({
        ...nextVersion(given),
        search_text: unlessTitled("search_text"),
        sort_title: unlessTitled("sort_title"),
      })
      .where(mayPublishTo(given)),
  );

const unlessTitled = (column: "search_text" | "sort_title") =>
  sql<string>`case when ${hasDisplayTitle} then ${sql.ref(`items.${column}`)} else ${given(column)} end`;

/** The warnings to keep, which depend on the report's visibility if an upload to an existing report names another one. */
const keptWarnings = sql<string | null>`case
  when ${accepted("last_version_no")} = 1 or ${given("kept_with_visibility")} is null then ${given("kept_warnings")}
  else ${given("kept_with_visibility")} ->> ${accepted("visibility")} end`;

const takeRequestKey = (database: Database) =>
  insertRequestKey(database, columnsOf<RequestKeyRow>("request_key"), publishedJson, given("now"));

function buildStatement(database: Database, json: string, hasKey: boolean): Compilable<ClaimedReport> {
  const request = hasKey
    ? sql`request_key as (${fromJson(sql`${given("request_key")}`, REQUEST_KEY_TYPES)}), request as (${part(takeRequestKey(database))}),`
    : sql``;
  const statement = sql<ClaimedReport>`
    with given as (
      ${fromJson(json, GIVEN_TYPES)}
    ), claimed as (
      ${part(claimReport(database))}
    ), charged as (
      ${part(takeFromQuota(database, given).where(sql<boolean>`exists (select from claimed)`))}
    ), ${request} accepted as (
      select id, last_version_no, visibility, storage from claimed
      where exists (select from charged)
        and ${hasKey ? sql`exists (select from request)` : sql`true`}
        and (last_version_no = 1 or ${given("allows_revisions")})
        and not exists (${selectRetired(database, given)})
    ), version as (
      ${part(database.insertInto("versions").values(versionRow(given, accepted, keptWarnings)))}
    ), recorded as (
      ${insertEntries(auditEntry)}
    ), search_code as (
      insert into search_codes (item_id, code, folded)
      values (${accepted("id")}, ${given("code")}, ${given("folded_code")})
      returning id
    ), code_in_index as (
      insert into code_grams (rowid, grams) select id, ${given("code_grams")} from search_code
    ), report_in_index as (
      insert into item_grams (rowid, grams) select ${accepted("id")}, ${given("item_grams")}
      where ${claimed("display_title")} is null
      on conflict (rowid) do update set grams = excluded.grams where item_grams.grams <> excluded.grams
    )
    select id, last_version_no, visibility, storage from accepted`;
  return { compile: () => statement.compile(database) };
}

const publishWithoutKey = prepared((database, json: string) => buildStatement(database, json, false));
const publishWithKey = prepared((database, json: string) => buildStatement(database, json, true));

const NOT_NULL_VIOLATION = "23502";

// Not by the driver's class, because that would load the driver beside SQLite too.
const isRefusal = (error: unknown) => error instanceof Error && "code" in error && error.code === NOT_NULL_VIOLATION;
