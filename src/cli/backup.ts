import { Command } from "commander";
import { listenForStop } from "./copying.ts";
import { filled, withDataHelp } from "./options.ts";
import { CommandError, EXIT_CODES, type Output } from "./output.ts";
import { createProgress } from "./progress.ts";
import { counted, inUnits } from "./text.ts";

/** Backs up, restores and verifies installations, without a running server. */
export interface Backups {
  backUp(request: { target: string; keep: number | undefined }, observer: BackupObserver): Promise<BackupSummary>;
  list(source: string): Promise<BackupList>;
  restore(
    request: { source: string; backup: string; skipsDamaged: boolean },
    observer: BackupObserver,
  ): Promise<RestoreSummary>;
  verify(
    request: { source: string | undefined; backup: string; share: number },
    observer: VerifyObserver,
  ): Promise<VerifySummary>;
}

interface ObjectTally {
  objects: number;
  bytes: number;
}

export interface BackupObserver {
  watchRows(rows: number, total: number): void;
  /** Called when `share` of the work is done, from 0 to 1. */
  watchObjects(tally: Readonly<ObjectTally>, share: number): void;
  note(sentence: string): void;
  /** Returns whether the person who runs the command has stopped it. */
  isStopped(): boolean;
}

export interface VerifyObserver extends BackupObserver {
  report(problem: { part: string; message: string }): void;
}

interface ObjectProblem {
  code: string;
  problem: string;
}

export interface BackupSummary {
  id: string;
  createdAt: string;
  objects: number;
  bytes: number;
  copiedBytes: number;
  problems: readonly ObjectProblem[];
  removed: readonly string[];
}

export interface BackupList {
  backups: readonly {
    id: string;
    createdAt: string;
    version: string;
    objects: number;
    bytes: number;
    damaged: number;
  }[];
  unfinished: readonly string[];
  damaged: readonly { id: string; problem: string }[];
}

export interface RestoreSummary {
  id: string;
  createdAt: string;
  objects: number;
  bytes: number;
  /** Whether the secret is neither in the backup nor a setting. */
  needsSecret: boolean;
  problems: readonly ObjectProblem[];
}

export interface VerifySummary {
  /** The id of the verified backup, or null for an installation. */
  backup: string | null;
  /** The number of objects whose bytes were compared. */
  objects: number;
  bytes: number;
}

/** Creates an observer that shows progress. Call `end` when the work has ended. */
export function observe(output: Output, verb: string) {
  const progress = createProgress(output);
  const observer: BackupObserver = {
    watchRows: (rows, total) =>
      progress.show("Copying the database", total === 0 ? 1 : rows / total, `${rows} of ${counted(total, "row")}`),
    watchObjects: ({ objects, bytes }, share) =>
      progress.show(verb, share, `${counted(objects, "object")}, ${inUnits(bytes)}`),
    note: progress.note,
    isStopped: listenForStop().isStopped,
  };
  return { observer, end: progress.end };
}

export function backupCommand(backups: Backups, output: Output): Command {
  const command = new Command("backup")
    .description("Back up the database and the published files. Only new files are copied after the first backup.")
    .argument("<target>", "a directory, or s3://BUCKET/PREFIX?endpoint=…; all backups share its files")
    .option("--keep <count>", "keep this many of the newest backups and remove older ones (default: keep all)")
    .option("--json", "print the result as JSON")
    .addHelpText("after", filled(BACKUP_HELP))
    .action((target: string, options: { keep?: string; json?: boolean }) => backUp(target, options, backups, output));
  return withDataHelp(
    command,
    "vitrine backup /mnt/backups/vitrine --keep 14",
    'vitrine backup "s3://backups/vitrine?endpoint=https://s3.example.org"',
  );
}

const BACKUP_HELP = `
A backup contains everything that was confirmed before it began. Run the same
command again to continue after an interruption. It also contains the data
directory's secret, unless you set VITRINE_SECRET, so store it as safely as the
server's data. To back up to S3 with credentials other than the server's, put
TO_ before their names, such as TO_AWS_ACCESS_KEY_ID.`;

async function backUp(
  target: string,
  { keep, json }: { keep?: string; json?: boolean },
  backups: Backups,
  output: Output,
): Promise<void> {
  const { observer, end } = observe(output, "Copying files");
  const result = await backups.backUp({ target, keep: readKeep(keep) }, observer).finally(end);
  const { id, objects, bytes, copiedBytes, problems, removed } = result;
  for (const { code, problem } of problems) output.note(`${code}: ${problem}.`);
  if (json) output.out(JSON.stringify(result));
  else {
    output.note(
      `Backup ${id}: ${counted(objects, "object")}, ${inUnits(bytes)}, of which ${inUnits(copiedBytes)} new.`,
    );
    if (removed.length > 0) output.note(`Removed ${counted(removed.length, "older backup")}.`);
  }
  if (problems.length === 0) return;
  throw new CommandError(
    `The backup lacks ${counted(problems.length, "object")} that ${problems.length === 1 ? "is" : "are"} missing or damaged in the installation. See the lines above.`,
  );
}

function readKeep(keep: string | undefined): number | undefined {
  if (keep === undefined) return undefined;
  if (/^[1-9]\d{0,5}$/.test(keep)) return Number(keep);
  throw new CommandError(`"${keep}" isn't a valid value of --keep. It must be a positive number.`, EXIT_CODES.usage);
}
