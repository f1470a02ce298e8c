import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { Client } from "pg";
import { postgresUnavailable, sharedPostgres, startPostgres } from "./postgres.ts";
import { describeIf } from "./skip.ts";
import { until } from "./until.ts";

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

describeIf("PostgreSQL for tests", postgresUnavailable(), () => {
  test("the shared server is one and makes empty databases", async () => {
    const server = await sharedPostgres();
    expect(await sharedPostgres()).toBe(server);
    const [first, second] = await Promise.all([server.createDatabase(), server.createDatabase()]);
    await query(first, "create table things (id int)");
    expect(await query(second, "select to_regclass('things') as found")).toEqual([{ found: null }]);
    expect(await query(first, "show fsync")).toEqual([{ fsync: "off" }]);
    expect(await query(first, "select lower('ÄÖ') as lower")).toEqual([{ lower: "äö" }]);
  });

  test("a database is dropped under its users", async () => {
    const server = await sharedPostgres();
    const url = await server.createDatabase();
    const client = new Client({ connectionString: url }).on("error", () => {});
    await client.connect();
    await server.dropDatabase(url);
    await expect(query(url, "select 1")).rejects.toThrow("does not exist");
  });

  test("a database is copied from a template", async () => {
    const server = await sharedPostgres();
    const template = await server.createDatabase();
    await query(template, "create table things as select 1 as id");
    const copy = await server.createDatabase({ template });
    expect(copy).not.toBe(template);
    expect(await query(copy, "select id from things")).toEqual([{ id: 1 }]);
  });

  test.each(["fast", "immediate"] as const)(
    "a durable server keeps its data over a stop (%s) and a start",
    async (mode) => {
      await using server = await startPostgres({ durable: true, settings: { max_connections: "20" } });
      const url = await server.createDatabase();
      await query(url, "create table things as select 7 as id");
      await server.stop(mode);
      await expect(query(url, "select 1")).rejects.toThrow();
      await server.start();
      expect(await query(url, "select id from things")).toEqual([{ id: 7 }]);
      expect(
        await query(url, "select current_setting('fsync') as fsync, current_setting('max_connections') as max"),
      ).toEqual([{ fsync: "on", max: "20" }]);
    },
  );

  test("removing a server deletes its directory", async () => {
    const server = await startPostgres();
    expect(existsSync(server.directory)).toBe(true);
    await server.remove();
    await server.remove();
    expect(existsSync(server.directory)).toBe(false);
  });

  test.each(["SIGKILL", "SIGTERM"] as const)("a server ends with the process that started it (%s)", async (signal) => {
    const program = `
      const { startPostgres } = await import("${import.meta.dir}/postgres.ts");
      const server = await startPostgres();
      console.log(JSON.stringify({ url: server.url("postgres"), directory: server.directory }));
      setInterval(() => {}, 1000);`;
    const owner = Bun.spawn([process.execPath, "-e", program], { stdout: "pipe", stderr: "inherit" });
    const { value } = await owner.stdout.getReader().read();
    const { url, directory } = JSON.parse(new TextDecoder().decode(value));
    expect(await query(url, "select 1 as one")).toEqual([{ one: 1 }]);
    owner.kill(signal);
    await owner.exited;
    await until(() => !existsSync(directory));
    await expect(query(url, "select 1")).rejects.toThrow();
  });
});
