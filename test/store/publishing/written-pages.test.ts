import { Database as Connection } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { uniqueName } from "../../support/service.ts";
import { use } from "../../support/use.ts";
import { addOwner, buildPublication, openTestStore } from "../support.ts";

const WAL_HEADER = 32;
const FRAME_HEADER = 24;
const PUBLISHES = 20;

/** A publish changes this many pages at most, on average. Each page costs two writes to the log. */
const NEW_REPORT_PAGES = 36;
const NEXT_VERSION_PAGES = 24;

describe("a publish on sqlite", () => {
  const shared = use(() => openTestStore("sqlite"));

  /** Opens the database beside the store. */
  const connect = () => new Connection(join(shared.database.dataDir, "vitrine.db"), { readwrite: true });

  /** Returns the pages that each run adds to the write-ahead log (sqlite.org/fileformat2), on average. */
  async function pagesOf(run: (number: number) => Promise<unknown>): Promise<number> {
    using connection = connect();
    connection.run("pragma wal_checkpoint(truncate)");
    for (let number = 0; number < PUBLISHES; number++) await run(number);
    const log = await readFile(join(shared.database.dataDir, "vitrine.db-wal"));
    return (log.length - WAL_HEADER) / (FRAME_HEADER + log.readUInt32BE(8)) / PUBLISHES;
  }

  /** Returns what the index of names and titles has yet to learn. */
  function readIndexChanges() {
    using connection = connect();
    return connection.query("select * from search_changes order by id").all();
  }

  test("changes few pages", async () => {
    const owner = await addOwner(shared);
    const { publish } = shared.store.publishing;
    const name = uniqueName();
    for (let number = 0; number < 100; number++) await publish(buildPublication(owner, { title: `Report ${number}` }));
    await publish(buildPublication(owner, { name }));
    const ofNew = await pagesOf((number) => publish(buildPublication(owner, { title: `Another ${number}` })));
    const ofNext = await pagesOf(() => publish(buildPublication(owner, { name })));
    expect(ofNew).toBeWithin(1, NEW_REPORT_PAGES);
    expect(ofNext).toBeWithin(1, NEXT_VERSION_PAGES);
  });

  test("of a report whose title stays the same leaves the index of titles alone", async () => {
    const owner = await addOwner(shared);
    const { publish } = shared.store.publishing;
    const name = uniqueName();
    await publish(buildPublication(owner, { name, title: "Weekly figures" }));
    const before = readIndexChanges();
    await publish(buildPublication(owner, { name, title: "Weekly figures" }));
    expect(readIndexChanges()).toEqual(before);
    await publish(buildPublication(owner, { name, title: "Monthly figures" }));
    expect(readIndexChanges()).not.toEqual(before);
  });
});
