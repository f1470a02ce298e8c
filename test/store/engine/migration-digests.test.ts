import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import type { KyselyPlugin } from "kysely";
import { type Engine, postgresEngine, sqliteEngine } from "../../../src/store/engine/engine.ts";
import { migrate } from "../../../src/store/engine/migrate.ts";
import { migrations } from "../../../src/store/engine/migrations/index.ts";
import { createTestDatabase, describeEachEngine } from "../../support/engines.ts";
import { connectTo } from "../support.ts";

/** Digests of the statements that each migration runs on an empty database. Append one; never change a line that landed. */
const DIGESTS: Readonly<Record<number, Readonly<Record<Engine["name"], string>>>> = {
  1: { sqlite: "6843ba85cc978198", postgres: "253ab8a80b1318a8" },
  2: { sqlite: "ba8977beb30375a5", postgres: "ba8977beb30375a5" },
  3: { sqlite: "3f78196ace4b7f69", postgres: "3f78196ace4b7f69" },
  4: { sqlite: "99d6cacf1f3a494e", postgres: "99d6cacf1f3a494e" },
  5: { sqlite: "7a09bbd2af40c2c8", postgres: "7ae01a496a75064b" },
  6: { sqlite: "ba34917c61458a3e", postgres: "ba34917c61458a3e" },
  7: { sqlite: "836e47df12e7c0d8", postgres: "836e47df12e7c0d8" },
  8: { sqlite: "7916eccf1da312c4", postgres: "7916eccf1da312c4" },
  9: { sqlite: "5b3564806372f20e", postgres: "5b3564806372f20e" },
  10: { sqlite: "37b03a6261386663", postgres: "3bc686d393362dda" },
  11: { sqlite: "e10b5bab718753f2", postgres: "e10b5bab718753f2" },
  12: { sqlite: "745c6656708aa438", postgres: "745c6656708aa438" },
  13: { sqlite: "f2fba16e81e10d8c", postgres: "f2fba16e81e10d8c" },
  14: { sqlite: "8ddf32768026f308", postgres: "a5867ec757fed252" },
  15: { sqlite: "c731b63ff2c656b7", postgres: "c731b63ff2c656b7" },
  16: { sqlite: "e951036c629ebf17", postgres: "7efa6379f3ed1acd" },
  17: { sqlite: "4a9ea5275a921bfd", postgres: "d33b5da82b7b89ae" },
  18: { sqlite: "6896a4741016c10b", postgres: "6896a4741016c10b" },
  19: { sqlite: "f1fa98ccca895907", postgres: "ecaccf16b1f28d46" },
  20: { sqlite: "6923c34c24fe39bb", postgres: "6923c34c24fe39bb" },
  21: { sqlite: "051592c4441fa688", postgres: "051592c4441fa688" },
  22: { sqlite: "d8a60ad947c26814", postgres: "d8a60ad947c26814" },
  23: { sqlite: "99958ff14c4b010e", postgres: "99958ff14c4b010e" },
  24: { sqlite: "c9b1bb98747aba4e", postgres: "71e7e438767095cb" },
  25: { sqlite: "5f418865bedb3176", postgres: "5f418865bedb3176" },
  26: { sqlite: "101af9d08ee768af", postgres: "101af9d08ee768af" },
  27: { sqlite: "0f00a52e07d39548", postgres: "0f00a52e07d39548" },
  28: { sqlite: "31fc08eadbcf1516", postgres: "31fc08eadbcf1516" },
  29: { sqlite: "2da71a86debe6eda", postgres: "2da71a86debe6eda" },
  30: { sqlite: "f87ea000b08c2ec4", postgres: "f87ea000b08c2ec4" },
};

describeEachEngine("released migrations", (engineName) => {
  const engine = engineName === "sqlite" ? sqliteEngine : postgresEngine;

  test("run the statements that they were released with", async () => {
    const database = await createTestDatabase(engineName);
    const rows = connectTo<unknown>(database);
    const digests: Record<number, string> = {};
    for (const { number, up, ...migration } of migrations) {
      const hash = createHash("sha256");
      const recorder: KyselyPlugin = {
        transformQuery({ node, queryId }) {
          hash.update(`${rows.getExecutor().compileQuery(node, queryId).sql}\n`);
          return node;
        },
        transformResult: async ({ result }) => result,
      };
      const recorded = (connection: Parameters<typeof up>[0]) => up(connection.withPlugin(recorder), engine);
      await migrate(rows, engine, [
        ...migrations.filter((earlier) => earlier.number < number),
        { ...migration, number, up: recorded },
      ]);
      digests[number] = hash.digest("hex").slice(0, 16);
    }
    await rows.destroy();
    await database.remove();
    const released = Object.entries(DIGESTS).map(([number, digest]) => [number, digest[engineName]]);
    expect(digests).toEqual(Object.fromEntries(released));
  });
});
