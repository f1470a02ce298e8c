import { Command } from "commander";
import { copyBlobsCommand, type Moving } from "./moving.ts";
import { onServerData } from "./options.ts";
import { CommandError, EXIT_CODES, type Output } from "./output.ts";
import { counted } from "./text.ts";

/** What the operator's commands do with the published files of a server, straight on its data. */
export interface Upkeep {
  /** Returns a sentence for each of the two places. */
  describeInstallation(): Promise<{ sentences: readonly string[]; isMatch: boolean }>;
  /** Returns the id that both places have from then on. */
  adopt(): Promise<string>;
  findHeld(): Promise<HeldSweep | undefined>;
  /** Deletes the held objects, if there are so many. Returns how many went. */
  confirm(orphans: number): Promise<number>;
}

/** A sweep that waits for an operator. */
export interface HeldSweep {
  orphans: number;
  objects: number;
  /** Some of the objects' keys. */
  keys: readonly string[];
}

interface Parts {
  moving: Moving;
  upkeep: Upkeep;
  output: Output;
}

export function blobsCommand({ moving, upkeep, output }: Parts): Command {
  return new Command("blobs")
    .description("Manage the published files.")
    .addCommand(copyBlobsCommand(moving, output))
    .addCommand(adoptCommand(upkeep, output))
    .addCommand(sweepCommand(upkeep, output));
}

function adoptCommand(upkeep: Upkeep, output: Output): Command {
  const command = new Command("adopt")
    .description("Make the published files belong to the database, after one of them was replaced.")
    .option("-y, --yes", "confirm; without it, only show which installations the two belong to")
    .addHelpText("after", ADOPT_HELP)
    .action(({ yes }: { yes?: boolean }) => adopt(upkeep, output, yes === true));
  return onServerData(command, "vitrine blobs adopt", "vitrine blobs adopt --yes");
}

const ADOPT_HELP = `
A server refuses to start when its database and its published files belong to
different installations: it would delete every file that the database doesn't
know. Adopt them only if you mean to use the two together. Files that no report
refers to are deleted VITRINE_ORPHAN_DAYS later.`;

async function adopt(upkeep: Upkeep, output: Output, isConfirmed: boolean): Promise<void> {
  const { sentences, isMatch } = await upkeep.describeInstallation();
  for (const sentence of sentences) output.note(sentence);
  if (isMatch) return output.note("They belong together. There is nothing to do.");
  if (!isConfirmed) {
    throw new CommandError("Pass --yes to make the published files belong to the database.", EXIT_CODES.usage);
  }
  output.note(`Both belong to installation ${await upkeep.adopt()} now.`);
}

function sweepCommand(upkeep: Upkeep, output: Output): Command {
  const command = new Command("sweep")
    .description("Show whether the deletion of unreferenced files is held, and confirm it.")
    .option("--confirm <count>", "delete the held objects, if there are exactly this many")
    .option("--json", "print the outcome as JSON")
    .addHelpText("after", SWEEP_HELP)
    .action((options: { confirm?: string; json?: boolean }) =>
      options.confirm === undefined
        ? showHeld(upkeep, output, options.json === true)
        : confirm(upkeep, output, options.confirm, options.json === true),
    );
  return onServerData(command, "vitrine blobs sweep", "vitrine blobs sweep --confirm 1234");
}

const SWEEP_HELP = `
Once a day, the server deletes files that no report has referred to for
VITRINE_ORPHAN_DAYS. If that were more than 10 % of at least 100 objects, it
deletes none and waits for you: the database may be incomplete. A confirmation
covers the objects that were held when you gave it, and no others.`;

async function showHeld(upkeep: Upkeep, output: Output, json: boolean): Promise<void> {
  const held = await upkeep.findHeld();
  if (json) return output.out(JSON.stringify({ held: held ?? null }));
  if (held === undefined) return output.note("No sweep is held.");
  const { orphans, objects, keys } = held;
  output.note(`The sweep is held: it would delete ${orphans} of ${counted(objects, "object")}, among them`);
  for (const key of keys) output.note(`  ${key}`);
  output.note(`If no report should have these files, run vitrine blobs sweep --confirm ${orphans}`);
}

async function confirm(upkeep: Upkeep, output: Output, count: string, json: boolean): Promise<void> {
  if (!/^[1-9]\d{0,14}$/.test(count)) {
    throw new CommandError(`--confirm must be the number of held objects, not "${count}".`, EXIT_CODES.usage);
  }
  const removed = await upkeep.confirm(Number(count));
  if (json) output.out(JSON.stringify({ removed }));
  else output.note(`Deleted ${counted(removed, "object")}.`);
}
