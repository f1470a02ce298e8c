import { join } from "node:path";
import type { Output } from "./output.ts";

/** A server that has just been started. */
export interface RunningServer {
  /** What to type to run this program. */
  program: string;
  baseUrl: string;
  contentUrl: string;
  dataDir: string;
  /** Undefined for SQLite in the data directory. */
  databaseUrl: string | undefined;
  /** Undefined for files in the data directory. */
  bucketUrl: string | undefined;
}

/** Says where the server is to be found. */
export function announceServer(output: Output, server: RunningServer): void {
  const { baseUrl, contentUrl, dataDir, databaseUrl, bucketUrl } = server;
  const elsewhere = [databaseUrl && "PostgreSQL", bucketUrl].filter((place) => place !== undefined);
  output.note("Vitrine is running.");
  output.note(`  application  ${baseUrl}`);
  output.note(`  content      ${contentUrl}`);
  output.note(`  data         ${[...elsewhere, dataDir].join(", ")}`);
}

/** Says what to do while there is no account. */
export function announceFirstSteps(
  output: Output,
  { program, baseUrl, dataDir, databaseUrl }: RunningServer,
  setUpUrl: string,
): void {
  const sameData = dataDir === join(process.cwd(), "vitrine-data") ? "" : `VITRINE_DATA_DIR=${quote(dataDir)} `;
  const sameServer = baseUrl === "http://localhost:4000" ? "" : `VITRINE_URL=${baseUrl} `;
  const typed = quote(program);
  const place = databaseUrl === undefined ? "another terminal" : "another terminal with this VITRINE_DATABASE_URL";
  output.note("\nThere is no account yet. Open this link to make the first one; it works once, for a day:");
  output.note(`  ${setUpUrl}`);
  output.note(`\nOr, in ${place}, make a user and a token, and publish something:`);
  output.note(`  ${sameData}${typed} users create --email you@example.org --slug you`);
  output.note(
    `  export VITRINE_TOKEN=$(${sameData}${typed} tokens create --user you --scopes reports:read,reports:write)`,
  );
  output.note(`  ${sameServer}${typed} publish my-report/ --name my-report --public`);
}

/** A word as a POSIX shell reads it back. */
const quote = (word: string) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
