import { describe, expect, test } from "bun:test";
import { Kysely, sql } from "kysely";
import type { PerformRead } from "../../../src/store/engine/calls.ts";
import { createLanes } from "../../../src/store/engine/lanes.ts";
import type { ReadTimes } from "../../../src/store/engine/pace.ts";
import { dialectOver } from "../../../src/store/engine/postgres/guarded-connections.ts";
import { createLongReads } from "../../../src/store/engine/postgres/long-reads.ts";
import { openPool } from "../../../src/store/engine/postgres/pool.ts";
import type { Schema } from "../../../src/store/engine/schema.ts";
import { openPostgres } from "../../../src/store/open-postgres.ts";
import { openSqlite } from "../../../src/store/open-sqlite.ts";
import { createTestDatabase, describeEachEngine } from "../../support/engines.ts";
import { postgresUnavailable } from "../../support/postgres.ts";
import { describeIf } from "../../support/skip.ts";
import { until } from "../../support/until.ts";
import { use } from "../../support/use.ts";
import { buildSearch } from "../search/build-search.ts";
import { addOwner, buildPublication, failureOf, openTestStore } from "../support.ts";

/** No time at all: less than any read takes. */
const NONE = -1;

describeEachEngine("a search", (engine) => {
  const shared = use(() => openTestStore(engine));

  /** Searches through another store on the same database. */
  async function searchWithin(readTimes: ReadTimes) {
    const { workspaceId, userId, caller } = await addOwner(shared);
    await shared.store.publishing.publish(buildPublication({ userId, workspaceId }, { title: "Weekly sales" }));
    const { databaseUrl, dataDir } = shared.database;
    const store = await (databaseUrl === undefined
      ? openSqlite(dataDir, { readTimes })
      : openPostgres(databaseUrl, { readTimes }));
    const wanted = buildSearch({
      workspaceId,
      reader: { userId: caller.userId, role: "owner" },
      words: ["weekly", "sales"],
    });
    return { found: store.search.search(wanted), close: store.close };
  }

  test("that leaves the quick lane finds the same in the slow one", async () => {
    const { found, close } = await searchWithin({ quick: NONE, slow: 60_000 });
    expect((await found).items.map(({ title }) => title)).toEqual(["Weekly sales"]);
    await close();
  });

  test("that is too slow even there is refused, and says when to try again", async () => {
    const { found, close } = await searchWithin({ quick: NONE, slow: NONE });
    expect(await failureOf(found)).toMatchObject({ kind: "Unavailable", retryAfter: 10 });
    await close();
  });
});

describe("a read that was slow", () => {
  const QUICK = 25;

  /** Records the lanes in which reads of given amounts of work run. */
  function createRecorder() {
    const lanes: string[] = [];
    let work = 0;
    const read = createLanes({
      quick: QUICK,
      attempt: async (lane, _name, input) => {
        lanes.push(lane);
        if (lane === "quick" && work > QUICK) return { isDone: false };
        return { isDone: true, output: input, work };
      },
    });
    /** Returns the lanes of a read that takes some milliseconds. */
    async function lanesOf(milliseconds: number, input: unknown, name = "search"): Promise<string[]> {
      lanes.length = 0;
      work = milliseconds;
      expect(await read(name, input, "quick")).toBe(input);
      return [...lanes];
    }
    return { lanesOf };
  }

  test("begins in the slow lane, until it was quick there", async () => {
    const { lanesOf } = createRecorder();
    const wanted = { words: ["sales"] };
    expect(await lanesOf(40, wanted)).toEqual(["quick", "slow"]);
    expect(await lanesOf(40, wanted)).toEqual(["slow"]);
    expect(await lanesOf(20, wanted)).toEqual(["slow"]);
    expect(await lanesOf(20, wanted)).toEqual(["quick"]);
  });

  test("sends no other read to the slow lane", async () => {
    const { lanesOf } = createRecorder();
    await lanesOf(40, { words: ["sales"] });
    expect(await lanesOf(20, { words: ["forecast"] })).toEqual(["quick"]);
    expect(await lanesOf(20, { words: ["sales"] }, "other")).toEqual(["quick"]);
  });

  test("is forgotten after many others", async () => {
    const { lanesOf } = createRecorder();
    for (let count = 0; count <= 1_000; count++) await lanesOf(40, { count });
    expect(await lanesOf(40, { count: 1 })).toEqual(["slow"]);
    expect(await lanesOf(40, { count: 0 })).toEqual(["quick", "slow"]);
  });
});

describeIf("long reads on postgres", postgresUnavailable(), () => {
  async function withReads(
    { connections, times }: { connections: number; times: ReadTimes },
    performRead: PerformRead,
    act: (reads: ReturnType<typeof createLongReads>, database: Kysely<Schema>) => Promise<void>,
  ): Promise<void> {
    const { databaseUrl = "", remove } = await createTestDatabase("postgres");
    const database = new Kysely<Schema>({ dialect: dialectOver(openPool(databaseUrl, { max: connections })) });
    const reads = createLongReads(database, { connections, times, statement: 0, performRead });
    await act(reads, database).finally(() => database.destroy());
    await remove();
  }

  test("that take too long are cancelled in both lanes, and their connections go on", async () => {
    let attempts = 0;
    const sleep: PerformRead = async (connection) => {
      attempts++;
      await sql`select pg_sleep(600)`.execute(connection);
    };
    await withReads({ connections: 2, times: { quick: 1, slow: 20 } }, sleep, async ({ read }, database) => {
      expect(await failureOf(read("any", {}, "quick"))).toMatchObject({ kind: "Unavailable", retryAfter: 10 });
      expect(attempts).toBe(2);
      const { rows } = await sql`show statement_timeout`.execute(database);
      expect(rows).toEqual([{ statement_timeout: "0" }]);
    });
  });

  describe("of one workspace", () => {
    test("leave connections to other workspaces and to everything else", async () => {
      const held = Promise.withResolvers<void>();
      const running: string[] = [];
      const hold: PerformRead = async (_connection, _engine, name) => {
        running.push(name);
        await held.promise;
      };
      const times = { quick: 60_000, slow: 60_000 };
      await withReads({ connections: 10, times }, hold, async ({ read }, database) => {
        const many = Array.from({ length: 20 }, () => read("many", { workspaceId: "wsp_a" }, "quick"));
        const other = read("other", { workspaceId: "wsp_b" }, "quick");
        await until(() => running.length >= 5);
        expect((await sql`select 1 as one`.execute(database)).rows).toEqual([{ one: 1 }]);
        expect(running.toSorted()).toEqual(["many", "many", "many", "many", "other"]);
        held.resolve();
        await Promise.all([...many, other]);
      });
    });
  });
});
