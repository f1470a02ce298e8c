import { Command } from "commander";
import { type Backups, observe } from "./backup.ts";
import { filled, withExamples } from "./options.ts";
import type { Output } from "./output.ts";
import { printTable } from "./table.ts";
import { counted, inUnits, shortTime } from "./text.ts";

interface RestoreOptions {
  backup: string;
  list?: boolean;
  skipDamaged?: boolean;
  json?: boolean;
}

export function restoreCommand(backups: Backups, output: Output): Command {
  const command = new Command("restore")
    .description("Restore a backup into an empty place, or list the backups.")
    .argument("<source>", "the target of vitrine backup: a directory, or s3://BUCKET/PREFIX?endpoint=…")
    .option("--backup <id>", "the backup to restore, as --list shows it", "latest")
    .option("--list", "list the backups and change nothing")
    .option("--skip-damaged", "restore everything else if objects of the backup are missing or damaged")
    .option("--json", "print the result as JSON")
    .addHelpText("after", filled(RESTORE_HELP))
    .action((source: string, options: RestoreOptions) =>
      options.list ? list(source, options, backups, output) : restore(source, options, backups, output),
    );
  return withExamples(
    command,
    "vitrine restore /mnt/backups/vitrine --list",
    "VITRINE_DATA_DIR=/var/lib/vitrine vitrine restore /mnt/backups/vitrine",
  );
}

const RESTORE_HELP = `
The settings of the new server say where to: VITRINE_DATA_DIR, and
VITRINE_DATABASE_URL and VITRINE_BLOBS_URL if you use them. All must be empty.
The kind of database and file storage may differ from those of the backup. No
server starts there until the restore is complete. Run the same command again
to continue after an interruption. For S3 credentials other than the server's,
put FROM_ before their names, such as FROM_AWS_ACCESS_KEY_ID.`;

async function list(source: string, { json }: RestoreOptions, backups: Backups, output: Output): Promise<void> {
  const found = await backups.list(source);
  if (json) return output.out(JSON.stringify(found));
  const rows = found.backups.map(({ id, createdAt, version, objects, bytes }) => [
    id,
    shortTime(createdAt),
    version,
    counted(objects, "object"),
    inUnits(bytes),
  ]);
  printTable(output, ["ID", "CREATED", "VITRINE", "OBJECTS", "SIZE"], rows);
  for (const id of found.unfinished) output.note(`${id}: interrupted, so it doesn't count.`);
  for (const { id, problem } of found.damaged) output.note(`${id}: ${problem}`);
  for (const { id, damaged } of found.backups) {
    if (damaged > 0) output.note(`${id}: lacks ${counted(damaged, "object")} that the installation had lost already.`);
  }
}

async function restore(
  source: string,
  { backup, skipDamaged = false, json }: RestoreOptions,
  backups: Backups,
  output: Output,
): Promise<void> {
  const { observer, end } = observe(output, "Restoring files");
  const result = await backups.restore({ source, backup, skipsDamaged: skipDamaged }, observer).finally(end);
  if (json) return output.out(JSON.stringify(result));
  const { id, objects, bytes, needsSecret } = result;
  output.note(`Restored backup ${id}: ${counted(objects, "object")}, ${inUnits(bytes)}.`);
  if (needsSecret)
    output.note("The backup has no secret. Set VITRINE_SECRET to the former value, or people must sign in again.");
}
