import { Command } from "commander";
import { type Copying, copyBlobsCommand } from "./copying.ts";
import { filled, withDataHelp } from "./options.ts";
import { CommandError, EXIT_CODES, type Output } from "./output.ts";
import { counted } from "./text.ts";

/** What operators do with the published files, without a running server. */
export interface BlobMaintenance {
  /** Describes the installation of the database and that of the published files. */
  describeInstallation(): Promise<{ sentences: readonly string[]; isMatch: boolean }>;
  /** Makes the published files belong to the database. Returns the installation id they now share. */
  adopt(): Promise<string>;
  /** Lists damaged objects. With `checkAgain`, first forgets those that are intact by now. */
  listDamaged(options: { checkAgain: boolean }): Promise<{ objects: readonly DamagedObject[]; forgotten: number }>;
  findHeldSweep(): Promise<HeldSweep | undefined>;
  /** Deletes the held objects if there are exactly `orphans` of them. Returns the number deleted. */
  confirmSweep(orphans: number): Promise<number>;
}

/** An object that the scrub found damaged. */
export interface DamagedObject {
  key: string;
  /** The code of the version that it belongs to. */
  code: string;
  problem: string;
  foundAt: number;
}

/** A sweep that is on hold until an operator confirms it. */
export interface HeldSweep {
  orphans: number;
  objects: number;
  /** Examples of the objects to delete. */
  keys: readonly string[];
}

interface BlobsDependencies {
  copying: Copying;
  maintenance: BlobMaintenance;
  output: Output;
}

export function blobsCommand({ copying, maintenance, output }: BlobsDependencies): Command {
  return new Command("blobs")
    .description("Manage published files.")
    .addCommand(copyBlobsCommand(copying, output))
    .addCommand(adoptCommand(maintenance, output))
    .addCommand(damagedCommand(maintenance, output))
    .addCommand(sweepCommand(maintenance, output));
}

function adoptCommand(maintenance: BlobMaintenance, output: Output): Command {
  const command = new Command("adopt")
    .description("Link the published files to the database after you replaced one of them.")
    .option("-y, --yes", "link them; without this option, only show which installations they belong to")
    .addHelpText("after", filled(ADOPT_HELP))
    .action(({ yes }: { yes?: boolean }) => adopt(maintenance, output, yes === true));
  return withDataHelp(command, "vitrine blobs adopt", "vitrine blobs adopt --yes");
}

const ADOPT_HELP = `
The server refuses to start if its database and its published files belong to
different installations, because it would delete every file that the database
does not list. Adopt the files only if you want to use the two together. Files
that no report refers to are deleted after VITRINE_ORPHAN_DAYS.`;

async function adopt(maintenance: BlobMaintenance, output: Output, isConfirmed: boolean): Promise<void> {
  const { sentences, isMatch } = await maintenance.describeInstallation();
  for (const sentence of sentences) output.note(sentence);
  if (isMatch) return output.note("They already belong together. Nothing to change.");
  if (!isConfirmed) {
    throw new CommandError("Pass --yes to link the published files to the database.", EXIT_CODES.usage);
  }
  output.note(`Both now belong to installation ${await maintenance.adopt()}.`);
}

function damagedCommand(maintenance: BlobMaintenance, output: Output): Command {
  const command = new Command("damaged")
    .description("List published files that the server found damaged.")
    .option("--check", "check them again first, and remove intact ones from the list")
    .option("--json", "print the result as JSON")
    .addHelpText("after", filled(DAMAGED_HELP))
    .action(({ check, json }: { check?: boolean; json?: boolean }) =>
      listDamaged(maintenance, output, { checkAgain: check === true, json: json === true }),
    );
  return withDataHelp(command, "vitrine blobs damaged", "vitrine blobs damaged --check --json");
}

const DAMAGED_HELP = `
The server reads every published file once in VITRINE_SCRUB_DAYS and compares
it with what was published. Restore damaged objects from a backup. The server
checks them again every hour.`;

async function listDamaged(
  maintenance: BlobMaintenance,
  output: Output,
  { checkAgain, json }: { checkAgain: boolean; json: boolean },
): Promise<void> {
  const { objects, forgotten } = await maintenance.listDamaged({ checkAgain });
  if (json) {
    const listed = objects.map(({ key, code, problem, foundAt }) => ({
      key,
      code,
      problem,
      found_at: new Date(foundAt).toISOString(),
    }));
    return output.out(JSON.stringify({ objects: listed, forgotten }));
  }
  if (forgotten > 0) output.note(`Removed ${counted(forgotten, "object")} from the list, intact or deleted by now.`);
  if (objects.length === 0) return output.note("No damaged objects are known.");
  for (const { key, problem, foundAt } of objects) {
    output.out(`${key}\t${new Date(foundAt).toISOString()}\t${problem}`);
  }
}

function sweepCommand(maintenance: BlobMaintenance, output: Output): Command {
  const command = new Command("sweep")
    .description("Show or confirm the deletion of unreferenced files that is on hold.")
    .option("--confirm <count>", "delete the objects, if exactly this many are on hold")
    .option("--json", "print the result as JSON")
    .addHelpText("after", filled(SWEEP_HELP))
    .action((options: { confirm?: string; json?: boolean }) =>
      options.confirm === undefined
        ? showHeldSweep(maintenance, output, options.json === true)
        : confirm(maintenance, output, options.confirm, options.json === true),
    );
  return withDataHelp(command, "vitrine blobs sweep", "vitrine blobs sweep --confirm 1234");
}

const SWEEP_HELP = `
Once a day, the server deletes files that no report has referred to for
VITRINE_ORPHAN_DAYS. If they are more than 10 % of at least 100 objects, the
database may be incomplete, so the server deletes nothing and waits for you.
Your confirmation covers only the objects that are on hold when you give it.`;

async function showHeldSweep(maintenance: BlobMaintenance, output: Output, json: boolean): Promise<void> {
  const held = await maintenance.findHeldSweep();
  if (json) return output.out(JSON.stringify({ held: held ?? null }));
  if (held === undefined) return output.note("No deletion is on hold.");
  const { orphans, objects, keys } = held;
  output.note(`The deletion of ${orphans} of ${counted(objects, "object")} is on hold, for example:`);
  for (const key of keys) output.note(`  ${key}`);
  output.note(`If no report needs these files, run: vitrine blobs sweep --confirm ${orphans}`);
}

async function confirm(maintenance: BlobMaintenance, output: Output, count: string, json: boolean): Promise<void> {
  if (!/^[1-9]\d{0,14}$/.test(count)) {
    throw new CommandError(
      `"${count}" isn't a valid number. Pass --confirm the number of objects on hold.`,
      EXIT_CODES.usage,
    );
  }
  const removed = await maintenance.confirmSweep(Number(count));
  if (json) output.out(JSON.stringify({ removed }));
  else output.note(`Deleted ${counted(removed, "object")}.`);
}
