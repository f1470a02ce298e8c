import { Database } from "bun:sqlite";
import { join } from "node:path";
import { Client } from "pg";
import { encodeMessage, type ReplicaMessage } from "../../src/events/payload.ts";
import type { TestDatabase } from "./engines.ts";

/** Runs a statement in a service's database, for changes that no operation of the service makes. */
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
    await tellReplicas(client);
  } finally {
    await client.end();
  }
}

/** Milliseconds in which a server acknowledges a message; there may be no server. */
const PATIENCE = 300;

/** Makes servers forget what they have cached. */
async function tellReplicas(client: Client): Promise<void> {
  const from = crypto.randomUUID();
  const heard = new Promise<void>((resolve) => {
    client.on("notification", ({ payload = "" }) => {
      if (payload.includes(`"to":"${from}"`)) resolve();
    });
  });
  const say = (message: ReplicaMessage) => client.query("select pg_notify('vitrine', $1)", [encodeMessage(message)]);
  await client.query("listen vitrine");
  await say({ type: "event", from, number: 1, event: { kind: "missed" } });
  await Promise.race([heard, Bun.sleep(PATIENCE)]);
  await say({ type: "leave", from });
}
