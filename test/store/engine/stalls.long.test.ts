import { afterAll, beforeAll, expect, test } from "bun:test";
import { Client } from "pg";
import { prepareFolder } from "../../../src/domain/model/folders.ts";
import { timeoutsWithin } from "../../../src/store/engine/postgres/pool.ts";
import { openPostgres } from "../../../src/store/open-postgres.ts";
import type { Store } from "../../../src/store/store.ts";
import { cut, lockVersions, lockWorkspaces, silence, silenceBefore, stopServer } from "../../process/stalls.ts";
import { startLine } from "../../replicas/line.ts";
import { type PostgresServer, postgresUnavailable, startPostgres } from "../../support/postgres.ts";
import { createFactories, random } from "../../support/service.ts";
import { describeIf } from "../../support/skip.ts";
import { nextTurn, until } from "../../support/until.ts";
import { buildPublication } from "../support.ts";

const PUBLISHERS = 8;
/** Acknowledged before a disturbance, and again after it. */
const AROUND = 100;
/** Average failures of each publisher before a disturbance ends: a wrongly reused connection is in use by then. */
const FAILURES = 3;
const TIMEOUTS = timeoutsWithin(500);
/** Only this process notices that the database is stuck. */
const ONLY_OURS = { ...TIMEOUTS, statement: 0, idleInTransaction: 0 };

const scenarios = [
  { what: "rows locked longer than any timeout", disturb: lockWorkspaces, timeouts: TIMEOUTS },
  { what: "rows locked longer than our own timeout, the only one", disturb: lockWorkspaces, timeouts: ONLY_OURS },
  { what: "a table locked longer than our own timeout, the only one", disturb: lockVersions, timeouts: ONLY_OURS },
  { what: "a server stopped with SIGSTOP", disturb: stopServer, timeouts: TIMEOUTS },
  { what: "a stopped server, with only Vitrine's own timeouts", disturb: stopServer, timeouts: ONLY_OURS },
  { what: "a network that goes silent and comes back", disturb: silence, timeouts: TIMEOUTS },
  { what: "a network that goes silent, and no timeout but ours", disturb: silence, timeouts: ONLY_OURS },
  { what: "a network that goes silent before a commit", disturb: silenceBefore("commit"), timeouts: ONLY_OURS },
  { what: "a network that is cut", disturb: cut, timeouts: TIMEOUTS },
] as const;

describeIf("publishing on PostgreSQL around a stall", postgresUnavailable(), () => {
  let postgres: PostgresServer;

  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres.remove());

  test.each(scenarios)("$what: no acknowledged version is lost", async ({ what, disturb, timeouts }) => {
    const databaseUrl = await postgres.createDatabase();
    await using line = await startLine(postgres.port);
    const url = new URL(databaseUrl);
    url.port = String(line.port);
    const store = await openPostgres(url.href, { timeouts });
    const admin = new Client({ connectionString: databaseUrl });
    await admin.connect();
    try {
      const publishing = await startPublishing(store);
      await until(async () => publishing.acknowledged.length >= AROUND || undefined);
      const end = await disturb({ postgres, line, admin });
      const failuresBefore = publishing.failures();
      try {
        await until(async () => publishing.failures() >= failuresBefore + PUBLISHERS * FAILURES || undefined);
      } finally {
        // From here on, no commit could rescue by chance what was written inside an open transaction.
        publishing.endTransactions();
        await end();
      }
      const before = publishing.acknowledged.length;
      await until(async () => publishing.acknowledged.length >= before + AROUND || undefined);
      await publishing.stop();
      await store.close();
      const { rows } = await admin.query<{ code: string }>("select code from versions");
      const there = new Set(rows.map(({ code }) => code));
      expect(publishing.acknowledged.length).toBeGreaterThanOrEqual(2 * AROUND);
      expect(publishing.acknowledged.filter((code) => !there.has(code))).toEqual([]);
      expect(await openTransactions(admin)).toBe(0);
      console.log(
        `${what}: ${publishing.acknowledged.length} acknowledged versions present, ${publishing.failures()} refused`,
      );
    } finally {
      await admin.end();
    }
  });
});

/** Publishes continuously from several clients: in one statement and, until stopped, in transactions. */
async function startPublishing(store: Store) {
  const { slug } = await createFactories(store).user();
  const user = await store.people.findUserBySlug(slug);
  if (user === undefined) throw new Error("The user was not stored.");
  const owner = { userId: user.id, workspaceId: user.workspaceId };
  const acknowledged: string[] = [];
  let failures = 0;
  let isOver = false;
  let usesTransactions = true;

  async function run(publisher: number): Promise<void> {
    for (let turn = 0; !isOver; turn++) {
      const folder =
        usesTransactions && turn % 2 === 0
          ? prepareFolder({ drawer: null, folder: `Folder ${publisher}` }, random)
          : undefined;
      const publication = buildPublication(owner, { name: turn % 3 === 0 ? "shared" : undefined, folder });
      try {
        acknowledged.push((await store.publishing.publish(publication)).code);
      } catch {
        failures++;
        // A refusal may come immediately, and the other clients need the processor.
        await nextTurn();
      }
    }
  }

  const publishers = Array.from({ length: PUBLISHERS }, (_, publisher) => run(publisher));
  return {
    acknowledged,
    failures: () => failures,
    endTransactions() {
      usesTransactions = false;
    },
    async stop() {
      isOver = true;
      await Promise.all(publishers);
    },
  };
}

/** Counts open transactions of other connections. */
async function openTransactions(admin: Client): Promise<number> {
  const { rows } = await admin.query<{ count: number }>(`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and state like 'idle in transaction%'`);
  return rows[0]?.count ?? -1;
}
