import { expect, test } from "bun:test";
import { Client } from "pg";
import { createTestDatabase } from "../support/engines.ts";
import { postgresUnavailable } from "../support/postgres.ts";
import { describeIf } from "../support/skip.ts";

const CODE = "NoSuchReportHere";
/** More than there are connections. */
const READS = 30;

describeIf("prepared queries on postgres", postgresUnavailable(), () => {
  test("work on when a migration by another copy changes the columns that they read", async () => {
    const database = await createTestDatabase("postgres");
    const store = await database.openStore();
    const admin = new Client({ connectionString: database.databaseUrl });
    await admin.connect();
    const readOften = () => Promise.all(Array.from({ length: READS }, () => store.serve.findVisibility(CODE)));
    const nothing = Array.from({ length: READS }, () => undefined);
    try {
      expect(await readOften()).toEqual(nothing);
      await admin.query("alter table versions alter column visibility type varchar(20)");
      expect(await readOften()).toEqual(nothing);
      expect(await readOften()).toEqual(nothing);
    } finally {
      await admin.end();
      await store.close();
      await database.remove();
    }
  });
});
