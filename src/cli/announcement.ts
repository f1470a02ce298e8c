import { join } from "node:path";
import type { Output } from "./output.ts";

/** A server that has just started. */
export interface RunningServer {
  /** The command that runs this program. */
  program: string;
  baseUrl: string;
  contentUrl: string;
  /** Undefined if metrics have no separate port. */
  metricsUrl: string | undefined;
  dataDir: string;
  /** Undefined if the database is SQLite in the data directory. */
  databaseUrl: string | undefined;
  /** Undefined if published files are in the data directory. */
  bucketUrl: string | undefined;
}

/** Prints the addresses of the server and where it keeps its data. */
export function announceServer(output: Output, server: RunningServer): void {
  const { baseUrl, contentUrl, metricsUrl, dataDir, databaseUrl, bucketUrl } = server;
  const external = [databaseUrl && "PostgreSQL", bucketUrl].filter((place) => place !== undefined);
  output.note("Vitrine is running.");
  output.note(`  application  ${baseUrl}`);
  output.note(`  content      ${contentUrl}`);
  if (metricsUrl !== undefined) output.note(`  metrics      ${metricsUrl}`);
  output.note(`  data         ${[...external, dataDir].join(", ")}`);
}

/** Prints how to create the first account. */
export function announceFirstSteps(
  output: Output,
  { program, baseUrl, dataDir, databaseUrl }: RunningServer,
  setUpUrl: string,
): void {
  const sameData = dataDir === join(process.cwd(), "vitrine-data") ? "" : `VITRINE_DATA_DIR=${quote(dataDir)} `;
  const sameServer = baseUrl === "http://localhost:4000" ? "" : `VITRINE_URL=${baseUrl} `;
  const command = quote(program);
  const terminal =
    databaseUrl === undefined ? "another terminal" : "another terminal with the same VITRINE_DATABASE_URL";
  output.note("\nNo accounts yet. Open this link to create the first one. It works once and expires in 24 hours:");
  output.note(`  ${setUpUrl}`);
  output.note(`\nOr, in ${terminal}, create a user and an access token, and publish a report:`);
  output.note(`  ${sameData}${command} users create --email you@example.org --slug you`);
  output.note(
    `  export VITRINE_TOKEN=$(${sameData}${command} tokens create --user you --scopes reports:read,reports:write)`,
  );
  output.note(`  echo '<h1>Hello</h1>' | ${sameServer}${command} publish - --name hello --public`);
}

/** Quotes a word for a POSIX shell. */
const quote = (word: string) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
