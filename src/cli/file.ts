import { Command, Option } from "commander";
import { findOrCreateFolder } from "../client/labels.ts";
import { loadRoutes } from "../client/lazy-routes.ts";
import type { CliContext } from "./cli-context.ts";
import { connect, printResult, type ServerOptions, withExamples, withServerOptions } from "./options.ts";
import { CommandError, EXIT_CODES } from "./output.ts";
import { findItem, REPORT_HELP, reportOf } from "./references.ts";
import { counted } from "./text.ts";
import { keepUndo } from "./undo.ts";

interface FileOptions extends ServerOptions {
  folder?: string;
  unfile?: boolean;
}

export function fileCommand(context: CliContext): Command {
  const command = withServerOptions(
    new Command("file")
      .description("Move reports to a folder, which is created if needed. If one fails, none is moved.")
      .argument("<reports...>", REPORT_HELP)
      .option("--folder <label>", "folder as DRAWER/FOLDER, or FOLDER if it is not in a drawer")
      .addOption(new Option("--unfile", "remove the reports from their folders").conflicts("folder")),
  );
  command.action((names: string[], options: FileOptions) => file(names, options, context));
  return withExamples(
    command,
    "vitrine file weekly-sales monthly-sales --folder Sales/2026",
    "vitrine file weekly-sales --unfile",
  );
}

async function file(names: readonly string[], options: FileOptions, context: CliContext): Promise<void> {
  const { folder, unfile } = options;
  if (!folder && !unfile) throw new CommandError("Pass --folder with a folder, or --unfile.", EXIT_CODES.usage);
  const connection = await connect(context, options);
  const { session, output } = connection;
  const target = folder ? await findOrCreateFolder(session, await ownerOf(names[0] ?? ""), folder) : undefined;
  const { fileItemsRoute } = await loadRoutes.items();
  const items = await Promise.all(names.map((name) => reportOf(session, name)));
  const body = { items, folder_id: target?.id ?? null };
  const answer = await session.call(fileItemsRoute, { body }, { isRepeatable: true });
  const count = counted(answer.updated, "report");
  const what = target
    ? `Moved ${count} to ${target.title}`
    : `Removed ${count} from ${answer.updated === 1 ? "its folder" : "their folders"}`;
  const hint = await keepUndo(connection, { call: "file", bodies: answer.undo, what });
  printResult(output, options, answer, `${what}.${hint}`);

  async function ownerOf(name: string): Promise<string> {
    return (await findItem(session, name)).owner_slug;
  }
}
