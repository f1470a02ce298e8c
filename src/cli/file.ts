import { Command, Option } from "commander";
import { loadRoutes } from "../client/lazy-routes.ts";
import { findOrMakeFolder } from "./cabinet-titles.ts";
import { begin, report, type ServerOptions, withExamples, withServerOptions } from "./options.ts";
import { CommandError, EXIT_CODES } from "./output.ts";
import { findItem, parseReference } from "./references.ts";
import type { Surroundings } from "./surroundings.ts";
import { counted } from "./text.ts";

interface FileOptions extends ServerOptions {
  folder?: string;
  unfile?: boolean;
}

export function fileCommand(surroundings: Surroundings): Command {
  const command = withServerOptions(
    new Command("file")
      .description("File groups and reports in a folder, which is made where it is missing; all of them or none.")
      .argument("<names...>", "names or codes")
      .option("--folder <label>", "such as Sales/2026, or 2026 for a folder in no drawer")
      .addOption(new Option("--unfile", "take them out of their folders").conflicts("folder")),
  );
  command.action((names: string[], options: FileOptions) => file(names, options, surroundings));
  return withExamples(
    command,
    "vitrine file weekly-sales monthly-sales --folder Sales/2026",
    "vitrine file weekly-sales --unfile",
  );
}

async function file(names: readonly string[], options: FileOptions, surroundings: Surroundings): Promise<void> {
  const { folder, unfile } = options;
  if (!folder && !unfile) throw new CommandError("Say --folder with a folder, or --unfile.", EXIT_CODES.usage);
  const { session, output } = await begin(surroundings, options);
  const folderId = folder ? await findOrMakeFolder(session, await ownerOf(names[0] ?? ""), folder) : null;
  const { fileItemsRoute } = await loadRoutes.items();
  const body = { items: names.map(parseReference), folder_id: folderId };
  const answer = await session.call(fileItemsRoute, { body }, { isRepeatable: true });
  const where = folder ? `in ${folder}` : "nowhere";
  report(output, options, answer, `Filed ${counted(answer.updated, "report")} ${where}.`);

  async function ownerOf(name: string): Promise<string> {
    return (await findItem(session, name)).owner_slug;
  }
}
