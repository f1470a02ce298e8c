import { Command } from "commander";
import { filled, withExamples } from "./options.ts";
import { CommandError, type Output } from "./output.ts";
import { createProgress } from "./progress.ts";
import { counted, inUnits } from "./text.ts";

/** Copies published files and databases, without a running server. */
export interface Copying {
  copyBlobs(places: BlobPlaces, observer: BlobCopyObserver): Promise<BlobTally>;
  copyDatabase(places: DatabasePlaces, observer: DatabaseCopyObserver): Promise<DatabaseCopied>;
}

interface Places {
  from: string;
  to: string;
}

export interface BlobPlaces extends Places {
  /** The database that lists the contents of the objects. */
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

interface CopyObserver {
  note(sentence: string): void;
  /** Returns whether the person who runs the command has stopped it. */
  isStopped(): boolean;
}

export interface BlobCopyObserver extends CopyObserver {
  /** Called when `share` of the work is done, from 0 to 1. */
  watch(tally: Readonly<BlobTally>, share: number): void;
  report(problem: { key: string; message: string }): void;
}

export interface DatabaseCopyObserver extends CopyObserver {
  watch(phase: string, rows: number, total: number): void;
}

interface DatabaseCopied {
  state: "copied" | "alreadyThere" | "interrupted";
  rows: number;
  copied: number;
  tables: Readonly<Record<string, number>>;
}

interface CopyDependencies {
  copying: Copying;
  output: Output;
}

const INTERRUPTED = "Interrupted. Run the same command again to continue.";

const asJson = (command: Command) => command.option("--json", "print the result as JSON");

export function copyBlobsCommand(copying: Copying, output: Output): Command {
  const copy = new Command("copy")
    .description("Copy the published files to another location. Files that are already there are skipped.")
    .requiredOption("--from <place>", "source: a data directory, its blobs directory, or s3://BUCKET/PREFIX?endpoint=…")
    .requiredOption("--to <place>", "target, in the same form; nothing in it is overwritten")
    .option(
      "--database <place>",
      "database to check the files against (default: that of the data directory in --from)",
    );
  asJson(copy).addHelpText("after", filled(BLOBS_HELP));
  withExamples(copy, 'vitrine blobs copy --from vitrine-data --to "s3://reports?endpoint=https://s3.example.org"');
  return copy.action((options: BlobPlaces & { json?: boolean }) => copyBlobs(options, { copying, output }));
}

const BLOBS_HELP = `
Set the S3 credentials with AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and
AWS_SESSION_TOKEN. If the source and the target need different ones, put FROM_
or TO_ before the names, such as TO_AWS_ACCESS_KEY_ID.`;

async function copyBlobs({ json, ...places }: BlobPlaces & { json?: boolean }, { copying, output }: CopyDependencies) {
  const progress = createProgress(output);
  const stop = listenForStop();
  const observer: BlobCopyObserver = {
    watch: ({ objects, bytes }, share) =>
      progress.show("Copying", share, `${counted(objects, "object")}, ${inUnits(bytes)}`),
    report: ({ key, message }) => progress.note(`${key}: ${message}.`),
    note: progress.note,
    isStopped: stop.isStopped,
  };
  const tally = await copying.copyBlobs(places, observer).finally(progress.end);
  if (json) output.out(JSON.stringify({ ...tally, interrupted: stop.isStopped() }));
  else output.note(describeTally(tally));
  if (stop.isStopped()) throw new CommandError(INTERRUPTED);
  const problems = tally.different + tally.damaged + tally.missing;
  if (problems > 0) throw new CommandError(`${counted(problems, "object")} could not be copied. See the lines above.`);
}

function describeTally({ objects, bytes, copied, alreadyThere, different, damaged, missing }: BlobTally): string {
  const counts = [`${copied} copied`, `${alreadyThere} already there`, `${different} different`];
  if (damaged > 0) counts.push(`${damaged} damaged`);
  if (missing > 0) counts.push(`${missing} missing`);
  return `${counted(objects, "object")}, ${inUnits(bytes)}: ${counts.join(", ")}.`;
}

export function databaseCommand(copying: Copying, output: Output): Command {
  const database = new Command("db").description("Copy the database.");
  const copy = database
    .command("copy")
    .description("Copy the database into an empty one and compare the two.")
    .requiredOption("--from <place>", "source: a data directory, its SQLite file, or postgres://…")
    .requiredOption("--to <place>", "target, in the same form; empty, or with an unfinished copy")
    .option("--while-served", "copy even though a server is using the source");
  asJson(copy).addHelpText("after", filled(DATABASE_HELP));
  withExamples(copy, "vitrine db copy --from vitrine-data --to postgres://vitrine@db.example.org/vitrine");
  copy.action((options: DatabasePlaces & { json?: boolean }) => copyDatabase(options, { copying, output }));
  return database;
}

const DATABASE_HELP = `
A server does not start on the target until the copy is complete. Run the same
command again to continue an interrupted copy. If the address contains no
password, PGPASSWORD is used.`;

async function copyDatabase(
  { json, ...places }: DatabasePlaces & { json?: boolean },
  { copying, output }: CopyDependencies,
) {
  const progress = createProgress(output);
  const observer: DatabaseCopyObserver = {
    watch: (phase, rows, total) =>
      progress.show(phase, total === 0 ? 1 : rows / total, `${rows} of ${counted(total, "row")}`),
    note: progress.note,
    isStopped: listenForStop().isStopped,
  };
  const copied = await copying.copyDatabase(places, observer).finally(progress.end);
  if (json) output.out(JSON.stringify(copied));
  else if (copied.state !== "interrupted") output.note(describeCopy(copied));
  if (copied.state === "interrupted") throw new CommandError(INTERRUPTED);
}

function describeCopy({ state, rows, copied, tables }: DatabaseCopied): string {
  const all = `${counted(rows, "row")} in ${counted(Object.keys(tables).length, "table")}`;
  if (state === "alreadyThere") return `${all}: already copied.`;
  return `${all}: ${copied} copied. Source and target are identical.`;
}

/** Lets the first Ctrl-C stop the work cleanly. A second one ends the process at once. */
export function listenForStop() {
  let isStopped = false;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      isStopped = true;
    });
  }
  return { isStopped: () => isStopped };
}
