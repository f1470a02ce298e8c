import { Database } from "bun:sqlite";
import { join } from "node:path";
import { Client } from "pg";
import type { TestDatabase } from "./engines.ts";

/** Runs a statement straight in a service's database: for what no operation of the service does yet. */
export async function executeSql({ databaseUrl, dataDir }: TestDatabase, statement: string): Promise<void> {
  if (databaseUrl === undefined) executeOnSqlite(join(dataDir, "vitrine.db"), statement);
  else await executeOnPostgres(databaseUrl, statement);
}

function executeOnSqlite(path: string, statement: string): void {
  const connection = new Database(path, { readwrite: true });
  try {
    connection.run("pragma busy_timeout = 5000");
    connection.run("pragma foreign_keys = on");
    connection.run(statement);
  } finally {
    connection.close();
  }
}

async function executeOnPostgres(connectionString: string, statement: string): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
