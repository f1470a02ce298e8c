import { Command } from "commander";
import { existingTags, findOrCreateTags, readTaxonomy } from "../client/labels.ts";
import { loadRoutes } from "../client/lazy-routes.ts";
import type { CliContext } from "./cli-context.ts";
import { collect, connect, printResult, type ServerOptions, withExamples, withServerOptions } from "./options.ts";
import { CommandError, EXIT_CODES } from "./output.ts";
import { findItem, REPORT_HELP, reportOf } from "./references.ts";
import type { Session } from "./session.ts";
import { counted } from "./text.ts";
import { keepUndo } from "./undo.ts";

interface TagOptions extends ServerOptions {
  add?: string[];
  remove?: string[];
  set?: string[];
  clear?: boolean;
}

export function tagCommand(context: CliContext): Command {
  const command = withServerOptions(
    new Command("tag")
      .description("Add, remove or replace tags of reports. If one fails, none is changed.")
      .argument("<reports...>", REPORT_HELP)
      .option("--add <title>", "add this tag, which is created if needed (repeatable)", collect)
      .option("--remove <title>", "remove this tag (repeatable)", collect)
      .option("--set <title>", "replace all tags with this one (repeatable)", collect)
      .option("--clear", "remove all tags"),
  );
  command.action((names: string[], options: TagOptions) => tag(names, options, context));
  return withExamples(
    command,
    "vitrine tag weekly-sales --add weekly --add Region/North",
    "vitrine tag weekly-sales --clear",
  );
}

async function tag(names: readonly string[], options: TagOptions, context: CliContext): Promise<void> {
  const { add, remove, set, clear } = options;
  if ([add, remove, set, clear].filter((option) => option !== undefined).length !== 1) {
    throw new CommandError("Pass exactly one of --add, --remove, --set and --clear.", EXIT_CODES.usage);
  }
  const connection = await connect(context, options);
  const { session, output } = connection;
  const { owner_slug } = await findItem(session, names[0] ?? "");
  const change = await changeOf(session, owner_slug, options);
  const { tagItemsRoute } = await loadRoutes.items();
  const items = await Promise.all(names.map((name) => reportOf(session, name)));
  const body = { items, ...change };
  const answer = await session.call(tagItemsRoute, { body }, { isRepeatable: true });
  const what = `Updated the tags of ${counted(answer.updated, "report")}`;
  const hint = await keepUndo(connection, { call: "tag", bodies: answer.undo, what });
  printResult(output, options, answer, `${what}.${hint}`);
}

async function changeOf(session: Session, owner: string, { add, remove, set }: TagOptions) {
  if (add) return { add: await findOrCreateTags(session, owner, add) };
  if (set) return { set: await findOrCreateTags(session, owner, set) };
  if (!remove) return { set: [] };
  return { remove: existingTags(await readTaxonomy(session, owner), remove) };
}
