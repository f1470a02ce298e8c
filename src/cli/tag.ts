import { Command } from "commander";
import { loadRoutes } from "../client/lazy-routes.ts";
import { findOrMakeTags, findTag, readTaxonomy } from "./cabinet-titles.ts";
import { begin, collect, report, type ServerOptions, withExamples, withServerOptions } from "./options.ts";
import { CommandError, EXIT_CODES } from "./output.ts";
import { findItem, parseReference } from "./references.ts";
import type { Session } from "./session.ts";
import type { Surroundings } from "./surroundings.ts";
import { counted } from "./text.ts";

interface TagOptions extends ServerOptions {
  add?: string[];
  remove?: string[];
  set?: string[];
  clear?: boolean;
}

export function tagCommand(surroundings: Surroundings): Command {
  const command = withServerOptions(
    new Command("tag")
      .description("Attach tags to groups and reports, detach or replace them; all of them or none.")
      .argument("<names...>", "names or codes")
      .option(
        "--add <title>",
        "attach this tag, which is made where it is missing; may be given several times",
        collect,
      )
      .option("--remove <title>", "detach this tag; may be given several times", collect)
      .option("--set <title>", "leave this tag alone; given several times, these", collect)
      .option("--clear", "detach all tags"),
  );
  command.action((names: string[], options: TagOptions) => tag(names, options, surroundings));
  return withExamples(
    command,
    "vitrine tag weekly-sales --add weekly --add Region/North",
    "vitrine tag weekly-sales --clear",
  );
}

async function tag(names: readonly string[], options: TagOptions, surroundings: Surroundings): Promise<void> {
  const { add, remove, set, clear } = options;
  if ([add, remove, set, clear].filter((wish) => wish !== undefined).length !== 1) {
    throw new CommandError("Say one of --add, --remove, --set and --clear.", EXIT_CODES.usage);
  }
  const { session, output } = await begin(surroundings, options);
  const { owner_slug } = await findItem(session, names[0] ?? "");
  const change = await changeOf(session, owner_slug, options);
  const { tagItemsRoute } = await loadRoutes.items();
  const body = { items: names.map(parseReference), ...change };
  const answer = await session.call(tagItemsRoute, { body }, { isRepeatable: true });
  report(output, options, answer, `Changed the tags of ${counted(answer.updated, "report")}.`);
}

async function changeOf(session: Session, owner: string, { add, remove, set }: TagOptions) {
  if (add) return { add: await findOrMakeTags(session, owner, add) };
  if (set) return { set: await findOrMakeTags(session, owner, set) };
  if (!remove) return { set: [] };
  const taxonomy = await readTaxonomy(session, owner);
  const ids = remove.map((title) => {
    const found = findTag(taxonomy, title);
    if (found === undefined) throw new CommandError(`There is no tag "${title}" in the workspace ${owner}.`);
    return found.id;
  });
  return { remove: ids };
}
