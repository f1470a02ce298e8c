import { type RawBuilder, sql } from "kysely";
import type { Problem } from "../../domain/operations/backup/verify.ts";
import { selectMiscounted } from "../cabinet/recount.ts";
import { findWrongIndex } from "../engine/moving/compare.ts";
import type { Differences, ForeignKey } from "../engine/moving/differences.ts";
import { readBatches } from "../engine/moving/rows.ts";
import type { Database } from "../engine/schema.ts";
import { decodeFiles, shownTitle } from "../model/rows.ts";
import { searchColumns } from "../search/index-item.ts";

/** Problems of one kind that are listed. The rest is counted. */
const LISTED = 20;

interface Check {
  part: string;
  /** Selects what is wrong as `subject`. */
  query: RawBuilder<{ subject: string }>;
  describe(subject: string): string;
}

/** The rules between rows that no constraint of the database holds. */
const CHECKS: readonly Check[] = [
  {
    part: "current versions",
    query: sql`
      select items.id as subject from items where not exists (
        select 1 from versions where versions.code = items.current_code and versions.item_id = items.id)`,
    describe: (id) => `The current version of the report ${id} doesn't exist or belongs to another report.`,
  },
  {
    part: "current versions",
    query: sql`
      select items.id as subject from items join versions on versions.code = items.current_code
      where ${shownTitle} <> items.title or versions.creator_id <> items.current_creator_id
        or versions.visibility <> items.current_visibility`,
    describe: (id) => `The report ${id} has another title, creator or visibility than its current version.`,
  },
  {
    part: "versions",
    query: sql`
      select items.id as subject from items join versions on versions.item_id = items.id
      group by items.id, items.last_version_no
      having max(versions.version_no) > items.last_version_no or min(versions.version_no) < 1`,
    describe: (id) => `The report ${id} has versions with numbers that it hasn't counted.`,
  },
  {
    part: "versions",
    query: sql`select code as subject from versions where code in (select code from retired_codes)`,
    describe: (code) => `The version ${code} exists, but its code is marked as deleted.`,
  },
  {
    part: "quotas",
    query: sql`
      select workspaces.slug as subject from workspaces
        left join items on items.workspace_id = workspaces.id
        left join versions on versions.item_id = items.id
      group by workspaces.id, workspaces.slug, workspaces.stored_bytes
      having workspaces.stored_bytes <> coalesce(sum(versions.size), 0)`,
    describe: (slug) => `The workspace ${slug} counts other stored bytes than its versions have.`,
  },
  {
    part: "trash",
    query: sql`
      select workspaces.slug as subject from workspaces
        left join trash_sizes on trash_sizes.workspace_id = workspaces.id
        left join deletions on deletions.workspace_id = workspaces.id and deletions.kind is not null
      group by workspaces.id, workspaces.slug, trash_sizes.bytes, trash_sizes.entries
      having coalesce(trash_sizes.bytes, 0) <> coalesce(sum(deletions.size), 0)
        or coalesce(trash_sizes.entries, 0) <> count(deletions.id)`,
    describe: (slug) => `The trash of the workspace ${slug} counts other bytes or entries than it has.`,
  },
  {
    part: "trash",
    query: sql`
      select deletions.id as subject from deletions
        left join trashed_versions on trashed_versions.deletion_id = deletions.id
      where deletions.kind is not null
      group by deletions.id, deletions.size, deletions.versions
      having deletions.size <> coalesce(sum(trashed_versions.size), 0)
        or deletions.versions <> count(trashed_versions.code)`,
    describe: (id) => `The entry ${id} of the trash counts other bytes or versions than it has.`,
  },
  {
    part: "trash",
    query: sql`
      select code as subject from trashed_versions where not exists (
        select 1 from retired_codes where retired_codes.code = trashed_versions.code
          and retired_codes.deletion_id = trashed_versions.deletion_id)
      union all
      select retired_codes.code as subject from retired_codes
        join deletions on deletions.id = retired_codes.deletion_id
      where deletions.kind is not null and not exists (
        select 1 from trashed_versions where trashed_versions.code = retired_codes.code)`,
    describe: (code) => `The version ${code} is in the trash, but its code isn't kept for it, or the other way round.`,
  },
  {
    part: "counts",
    query: selectMiscounted,
    describe: (slug) => `The workspace ${slug} counts other reports in its folders and tags than it has.`,
  },
  {
    part: "references",
    query: sql`
      select item_tags.item_id as subject from item_tags
        join items on items.id = item_tags.item_id join tags on tags.id = item_tags.tag_id
      where items.workspace_id <> item_tags.workspace_id or tags.workspace_id <> item_tags.workspace_id`,
    describe: (id) => `The report ${id} has a tag of another workspace.`,
  },
  {
    part: "search index",
    query: sql`
      select versions.code as subject from versions where not exists (
        select 1 from search_codes where search_codes.code = versions.code and search_codes.item_id = versions.item_id)
      union all
      select search_codes.code as subject from search_codes where not exists (
        select 1 from versions where versions.code = search_codes.code)`,
    describe: (code) => `Search has a wrong entry, or none, for the code ${code}.`,
  },
];

/** Checks that the rows of a database agree with each other, and its search index with the rows. */
export async function checkDatabase(
  database: Database,
  differences: Differences,
  report: (problem: Problem) => void,
): Promise<void> {
  for (const message of await differences.findCorruption(database)) report({ part: "database", message });
  for (const key of await differences.listReferences(database)) {
    reportSome(await findSubjects(database, brokenReferences(key)), report, {
      part: "references",
      describe: (subject) => `A row of ${key.table} refers to ${subject} in ${key.target}, which doesn't exist.`,
    });
  }
  for (const check of CHECKS) reportSome(await findSubjects(database, check.query), report, check);
  await checkTexts(database, report);
  for (const table of ["versions", "trashed_versions"]) await checkSizes(database, table, report);
  const index = await findWrongIndex(database, differences);
  if (index !== undefined)
    report({ part: "search index", message: `The search index ${index} doesn't match its rows.` });
}

async function findSubjects(database: Database, query: RawBuilder<{ subject: string }>): Promise<string[]> {
  return (await query.execute(database)).rows.map(({ subject }) => String(subject));
}

function reportSome(
  subjects: readonly string[],
  report: (problem: Problem) => void,
  { part, describe }: Pick<Check, "part" | "describe">,
): void {
  for (const subject of subjects.slice(0, LISTED)) report({ part, message: describe(subject) });
  const more = subjects.length - LISTED;
  if (more > 0) report({ part, message: `The same problem exists ${more} more times.` });
}

function brokenReferences({ table, columns, target, targetColumns }: ForeignKey): RawBuilder<{ subject: string }> {
  const own = columns.map((column) => sql.ref(`own.${column}`));
  const isSet = sql.join(
    own.map((column) => sql`${column} is not null`),
    sql` and `,
  );
  const pairs = own.map((column, position) => sql`${column} = ${sql.ref(`other.${targetColumns[position]}`)}`);
  return sql`
    select ${own[0]} as subject from ${sql.table(table)} as own
    where ${isSet} and not exists (select 1 from ${sql.table(target)} as other where ${sql.join(pairs, sql` and `)})`;
}

/** Checks the texts by which reports are found and sorted. */
async function checkTexts(database: Database, report: (problem: Problem) => void): Promise<void> {
  const columns = ["id", "name", "title", "search_text", "sort_title", "sort_name"];
  const wrong: string[] = [];
  for await (const rows of readBatches(database, { from: sql.table("items"), columns, key: ["id"] })) {
    for (const row of rows) {
      const name = row.name === null ? null : String(row.name);
      const expected = Object.entries(searchColumns({ name, title: String(row.title) }));
      if (expected.some(([column, text]) => row[column] !== text)) wrong.push(String(row.id));
    }
  }
  reportSome(wrong, report, {
    part: "search index",
    describe: (id) => `The report ${id} has other search texts than its name and title give.`,
  });
}

/** Checks that the size of each version is that of its files. */
async function checkSizes(database: Database, table: string, report: (problem: Problem) => void): Promise<void> {
  const columns = ["code", "size", "files"];
  const wrong: string[] = [];
  for await (const rows of readBatches(database, { from: sql.table(table), columns, key: ["code"] })) {
    for (const { code, size, files } of rows) {
      const total = decodeFiles(String(files)).reduce((sum, file) => sum + file.size, 0);
      if (total !== size) wrong.push(String(code));
    }
  }
  reportSome(wrong, report, {
    part: "versions",
    describe: (code) => `The version ${code} has another size than its files together.`,
  });
}
