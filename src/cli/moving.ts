import { Command } from "commander";
import { withExamples } from "./options.ts";
import { CommandError, type Output } from "./output.ts";
import { createProgress, inUnits } from "./progress.ts";
import { counted } from "./text.ts";

/** What the two copying commands do, without the server. */
export interface Moving {
  copyBlobs(places: BlobPlaces, watching: BlobWatching): Promise<BlobTally>;
  copyDatabase(places: DatabasePlaces, watching: DatabaseWatching): Promise<DatabaseCopied>;
}

interface Places {
  from: string;
  to: string;
}

export interface BlobPlaces extends Places {
  /** Whose rows say what objects hold. */
  database?: string | undefined;
}

export interface DatabasePlaces extends Places {
  whileServed?: boolean | undefined;
}

interface BlobTally {
  objects: number;
  bytes: number;
  copied: number;
  alreadyThere: number;
  different: number;
  damaged: number;
  missing: number;
}

interface Watching {
  note(sentence: string): void;
  /** Whether whoever started the command wants no more of it. */
  isStopped(): boolean;
}

export interface BlobWatching extends Watching {
  /** `share` of the work is done, from 0 to 1. */
  watch(tally: Readonly<BlobTally>, share: number): void;
  report(problem: { key: string; message: string }): void;
}

export interface DatabaseWatching extends Watching {
  watch(phase: string, rows: number, total: number): void;
}

interface DatabaseCopied {
  state: "copied" | "alreadyThere" | "interrupted";
  rows: number;
  copied: number;
  tables: Readonly<Record<string, number>>;
}

interface Parts {
  moving: Moving;
  output: Output;
}

const INTERRUPTED = "Interrupted. Run the same command again to go on.";

const asJson = (command: Command) => command.option("--json", "print the outcome as JSON");

export function copyBlobsCommand(moving: Moving, output: Output): Command {
  const copy = new Command("copy")
    .description("Copy the published files to another place; what is there already is skipped.")
    .requiredOption("--from <place>", "a data directory, the directory blobs in one, or s3://BUCKET/PREFIX?endpoint=…")
    .requiredOption("--to <place>", "the same; nothing in it is ever written over")
    .option(
      "--database <place>",
      "a database whose rows say what the files have to be (default: that of the data directory --from)",
    );
  asJson(copy).addHelpText("after", BLOBS_HELP);
  withExamples(copy, 'vitrine blobs copy --from vitrine-data --to "s3://reports?endpoint=https://s3.example.org"');
  return copy.action((options: BlobPlaces & { json?: boolean }) => copyBlobs(options, { moving, output }));
}

const BLOBS_HELP = `
Credentials of S3 are those of AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and
AWS_SESSION_TOKEN. Where the two places have different ones, put FROM_ or TO_
before the names, such as TO_AWS_ACCESS_KEY_ID.`;

async function copyBlobs({ json, ...places }: BlobPlaces & { json?: boolean }, { moving, output }: Parts) {
  const progress = createProgress(output);
  const stop = listenForStop();
  const watching: BlobWatching = {
    watch: ({ objects, bytes }, share) =>
      progress.show("Copying", share, `${counted(objects, "object")}, ${inUnits(bytes)}`),
    report: ({ key, message }) => progress.note(`${key}: ${message}.`),
    note: progress.note,
    isStopped: stop.isStopped,
  };
  const tally = await moving.copyBlobs(places, watching).finally(progress.end);
  if (json) output.out(JSON.stringify({ ...tally, interrupted: stop.isStopped() }));
  else output.note(describeTally(tally));
  if (stop.isStopped()) throw new CommandError(INTERRUPTED);
  const problems = tally.different + tally.damaged + tally.missing;
  if (problems > 0) throw new CommandError(`${counted(problems, "object")} could not be copied.`);
}

function describeTally({ objects, bytes, copied, alreadyThere, different, damaged, missing }: BlobTally): string {
  const parts = [`${copied} copied`, `${alreadyThere} already there`, `${different} different`];
  if (damaged > 0) parts.push(`${damaged} damaged`);
  if (missing > 0) parts.push(`${missing} missing`);
  return `${counted(objects, "object")}, ${inUnits(bytes)}: ${parts.join(", ")}.`;
}

export function databaseCommand(moving: Moving, output: Output): Command {
  const database = new Command("db").description("Move the database.");
  const copy = database
    .command("copy")
    .description("Copy the database into an empty one, and compare the two.")
    .requiredOption("--from <place>", "a data directory, the SQLite file in one, or postgres://…")
    .requiredOption("--to <place>", "the same; empty, or with a copy that was begun")
    .option("--while-served", "copy what is there now although a server is using it");
  asJson(copy).addHelpText("after", DATABASE_HELP);
  withExamples(copy, "vitrine db copy --from vitrine-data --to postgres://vitrine@db.example.org/vitrine");
  copy.action((options: DatabasePlaces & { json?: boolean }) => copyDatabase(options, { moving, output }));
  return database;
}

const DATABASE_HELP = `
No server starts on the target before the copy is finished. An interrupted one
goes on where it was. A password that is not in the address is taken from
PGPASSWORD.`;

async function copyDatabase({ json, ...places }: DatabasePlaces & { json?: boolean }, { moving, output }: Parts) {
  const progress = createProgress(output);
  const watching: DatabaseWatching = {
    watch: (phase, rows, total) =>
      progress.show(phase, total === 0 ? 1 : rows / total, `${rows} of ${counted(total, "row")}`),
    note: progress.note,
    isStopped: listenForStop().isStopped,
  };
  const copied = await moving.copyDatabase(places, watching).finally(progress.end);
  if (json) output.out(JSON.stringify(copied));
  else if (copied.state !== "interrupted") output.note(describeCopy(copied));
  if (copied.state === "interrupted") throw new CommandError(INTERRUPTED);
}

function describeCopy({ state, rows, copied, tables }: DatabaseCopied): string {
  const all = `${counted(rows, "row")} in ${counted(Object.keys(tables).length, "table")}`;
  if (state === "alreadyThere") return `${all}: all of them are there already.`;
  return `${all}: ${copied} copied; both sides are the same.`;
}

/** The first Ctrl-C ends the work in good order, a second one at once. */
function listenForStop() {
  let isStopped = false;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      isStopped = true;
    });
  }
  return { isStopped: () => isStopped };
}
