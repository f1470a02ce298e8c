import { expect, test } from "bun:test";
import fc from "fast-check";
import { type RawBuilder, sql } from "kysely";
import { type Reader, VISIBILITIES } from "../../../src/domain/model/entities.ts";
import { describeEachEngine } from "../../support/engines.ts";
import { postgresUnavailable } from "../../support/postgres.ts";
import { runsOf } from "../../support/runs.ts";
import { describeIf } from "../../support/skip.ts";
import { use } from "../../support/use.ts";
import { addOwner, buildPublication, openTestStore } from "../support.ts";
import { findWrongCounts } from "./item-counts.ts";

const RUNS = { sqlite: 100, postgres: 40 };

const ITEMS = 6;
const anyItems = fc.uniqueArray(fc.nat({ max: ITEMS - 1 }), { minLength: 1, maxLength: 4 });
const two = fc.nat({ max: 1 });
const three = fc.nat({ max: 2 });
const anyVisibility = fc.constantFrom(...VISIBILITIES);

/** A statement as any release might run it, on several rows at once. */
const anyStatement = fc.oneof(
  fc.record({
    kind: fc.constant("insert" as const),
    items: anyItems,
    workspace: two,
    creator: three,
    currentCreator: three,
    visibility: anyVisibility,
    currentVisibility: anyVisibility,
    folder: fc.option(two),
  }),
  fc.record({ kind: fc.constant("delete" as const), items: anyItems }),
  fc.record({
    kind: fc.constant("share" as const),
    items: anyItems,
    creator: three,
    currentCreator: three,
    visibility: anyVisibility,
    currentVisibility: anyVisibility,
  }),
  fc.record({ kind: fc.constant("file" as const), items: anyItems, folder: fc.option(two) }),
  fc.record({ kind: fc.constant("move" as const), items: anyItems, workspace: two }),
  fc.record({ kind: fc.constant("rename" as const), items: anyItems }),
  fc.record({ kind: fc.constant("tag" as const), items: anyItems, tags: fc.uniqueArray(three, { minLength: 1 }) }),
  fc.record({ kind: fc.constant("untag" as const), items: anyItems, tags: fc.uniqueArray(three, { minLength: 1 }) }),
  // Never below itself.
  fc
    .record({ kind: fc.constant("move tag" as const), tag: fc.integer({ min: 1, max: 2 }), above: fc.option(three) })
    .filter(({ tag, above }) => above === null || above < tag),
  fc.record({ kind: fc.constant("level tags" as const), tags: fc.uniqueArray(three, { minLength: 1 }) }),
  fc.record({ kind: fc.constant("delete tag" as const), tag: three }),
  fc.record({ kind: fc.constant("delete folder" as const), folder: two }),
);

type Statement = typeof anyStatement extends fc.Arbitrary<infer Drawn> ? Drawn : never;

describeEachEngine("the kept counts", (engine) => {
  const shared = use(() => openTestStore(engine));

  /** Creates two workspaces of three users. Returns the statements that build a workspace's folders and tags. */
  async function createWorld() {
    const run = crypto.randomUUID().slice(0, 8);
    const { rows } = shared;
    const id = (kind: string, number: number | null) => (number === null ? null : `${kind}_${run}_${number}`);
    const users = [0, 1, 2].map((number) => id("usr", number) ?? "");
    const workspaces = [0, 1].map((number) => id("wsp", number) ?? "");
    for (const user of users) {
      await sql`insert into users (id, email, created_at) values (${user}, ${`${user}@example.org`}, 1)`.execute(rows);
    }
    for (const workspace of workspaces) {
      await sql`insert into workspaces (id, slug, kind, plan, created_at)
        values (${workspace}, ${workspace}, 'org', 'pro', 1)`.execute(rows);
    }
    /** Creates what earlier statements have deleted. The second tag and the third are below the first. */
    async function furnish() {
      for (const folder of [0, 1]) {
        await sql`insert into folders (id, workspace_id, title, created_at)
          values (${id("fld", folder)}, ${workspaces[0]}, 'F', 1) on conflict do nothing`.execute(rows);
      }
      for (const tag of [0, 1, 2]) {
        await sql`insert into tags (id, workspace_id, parent_id, title, created_at)
          values (${id("tag", tag)}, ${workspaces[0]}, ${tag === 0 ? null : id("tag", 0)}, 'T', 1)
          on conflict do nothing`.execute(rows);
      }
    }
    const named = (items: readonly number[]) => sql.join(items.map((item) => id("item", item)));
    const chosen = (items: readonly number[]) => sql`(select id from items where name in (${named(items)}))`;
    const chosenTags = (tags: readonly number[]) => sql.join(tags.map((tag) => id("tag", tag)));

    function statementOf(drawn: Statement): RawBuilder<unknown> {
      switch (drawn.kind) {
        case "insert": {
          const { workspace, creator, visibility, currentCreator, currentVisibility, folder } = drawn;
          const values = drawn.items.map(
            (item) => sql`(${workspaces[workspace]}, ${users[creator]}, ${id("item", item)}, ${visibility}, 'code', 1,
              ${id("fld", folder)}, ${users[currentCreator]}, ${currentVisibility}, 1, 1)`,
          );
          return sql`insert into items (workspace_id, creator_id, name, visibility, current_code, last_version_no,
              folder_id, current_creator_id, current_visibility, created_at, updated_at)
            values ${sql.join(values)}
            on conflict (name) do update set updated_at = 2, current_visibility = items.visibility,
              current_creator_id = excluded.current_creator_id`;
        }
        case "delete":
          return sql`delete from items where name in (${named(drawn.items)})`;
        case "share":
          return sql`update items set creator_id = ${users[drawn.creator]}, visibility = ${drawn.visibility},
            current_creator_id = ${users[drawn.currentCreator]}, current_visibility = ${drawn.currentVisibility}
            where name in (${named(drawn.items)})`;
        case "file":
          return sql`update items set folder_id = ${id("fld", drawn.folder)} where name in (${named(drawn.items)})`;
        case "move":
          return sql`update items set workspace_id = ${workspaces[drawn.workspace]} where name in (${named(drawn.items)})`;
        case "rename":
          return sql`update items set title = 'Other' where name in (${named(drawn.items)})`;
        case "tag":
          return sql`insert into item_tags (item_id, tag_id, workspace_id)
            select items.id, tags.id, tags.workspace_id from items cross join tags
            where items.name in (${named(drawn.items)}) and tags.id in (${chosenTags(drawn.tags)})
            on conflict do nothing`;
        case "untag":
          return sql`delete from item_tags
            where item_id in ${chosen(drawn.items)} and tag_id in (${chosenTags(drawn.tags)})`;
        case "move tag":
          return sql`update tags set parent_id = ${id("tag", drawn.above)} where id = ${id("tag", drawn.tag)}`;
        case "level tags":
          return sql`update tags set parent_id = null where id in (${chosenTags(drawn.tags)})`;
        case "delete tag":
          return sql`delete from tags where id = ${id("tag", drawn.tag)}`;
        case "delete folder":
          return sql`delete from folders where id = ${id("fld", drawn.folder)}`;
      }
    }
    const readers: readonly Reader[] = [
      { userId: users[0] ?? "", role: "owner" },
      ...users.map((userId) => ({ userId, role: "member" as const })),
    ];
    /** Returns the taxonomies of all readers in both workspaces, with the numbers of changes. */
    const readAll = () =>
      Promise.all(
        workspaces.flatMap((workspaceId) =>
          readers.map((reader) => shared.store.cabinet.readTaxonomy({ workspaceId, reader })),
        ),
      );
    return { furnish, readAll, run: (drawn: Statement) => statementOf(drawn).execute(rows) };
  }

  test("are right after any statements, also of other releases", async () => {
    const property = fc.asyncProperty(fc.array(anyStatement, { maxLength: 40, size: "max" }), async (statements) => {
      const world = await createWorld();
      let before = await world.readAll();
      for (const statement of statements) {
        await world.furnish();
        await world.run(statement);
        expect(await findWrongCounts(shared.rows)).toEqual([]);
        const after = await world.readAll();
        // A remembered taxonomy is compared by this number alone.
        for (const [position, taxonomy] of after.entries()) {
          const known = before[position];
          expect(taxonomy.changes).toBeGreaterThanOrEqual(known?.changes ?? 0);
          if (taxonomy.changes === known?.changes) expect(taxonomy).toEqual(known);
        }
        before = after;
      }
    });
    await fc.assert(property, { numRuns: runsOf(RUNS[engine]) });
  });

  test("ignore a transaction that is rolled back", async () => {
    const owner = await addOwner(shared);
    await shared.store.publishing.publish(buildPublication(owner, { name: `kept-${owner.slug}` }));
    const undone = shared.rows.transaction().execute(async (rows) => {
      await rows.deleteFrom("versions").execute();
      await rows.deleteFrom("items").execute();
      expect(await findWrongCounts(rows)).toEqual([]);
      throw new Error("undone");
    });
    expect(await undone.catch((error) => error.message)).toBe("undone");
    expect(await findWrongCounts(shared.rows)).toEqual([]);
  });
});

describeIf("the kept counts on postgres", postgresUnavailable(), () => {
  const shared = use(() => openTestStore("postgres"));

  const notes = async () => (await sql`select 1 from item_count_changes`.execute(shared.rows)).rows.length;

  test("never make one transaction wait for another", async () => {
    const { store, rows } = shared;
    const owner = await addOwner(shared);
    const publish = () => store.publishing.publish(buildPublication(owner));
    const { itemId } = await publish();
    await rows.transaction().execute(async (transaction) => {
      await transaction.updateTable("items").set({ visibility: "public" }).where("id", "=", itemId).execute();
      await transaction.updateTable("items").set({ current_visibility: "org" }).where("id", "=", itemId).execute();
      // These would wait for the transaction if it had locked their counts.
      await publish();
      await publish();
      expect(await findWrongCounts(rows)).toEqual([]);
      expect(await findWrongCounts(transaction)).toEqual([]);
      expect(await notes()).toBeGreaterThan(0);
    });
    expect(await findWrongCounts(rows)).toEqual([]);
    await publish();
    expect([await notes(), await findWrongCounts(rows)]).toEqual([0, []]);
  });
});
