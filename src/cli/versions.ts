import { Command } from "commander";
import { loadRoutes, type ResponseOf } from "../client/lazy-routes.ts";
import type { ItemVersionEntry, itemVersionsRoute as versionsRoute } from "../client/routes.ts";
import { begin, type ServerOptions, withExamples, withServerOptions } from "./options.ts";
import { inUnits } from "./progress.ts";
import { findItem, parseReference } from "./references.ts";
import type { Session } from "./session.ts";
import type { Surroundings } from "./surroundings.ts";
import { printTable } from "./table.ts";
import { shortTime } from "./text.ts";

const PAGE = 200;

export function versionsCommand(surroundings: Surroundings): Command {
  const command = withServerOptions(
    new Command("versions")
      .description("List the versions of a group, newest first; a star marks the one its live link shows.")
      .argument("<name>", "a group's name or live link"),
  );
  command.action((text: string, options: ServerOptions) => list(text, options, surroundings));
  return withExamples(command, "vitrine versions weekly-sales");
}

async function list(text: string, options: ServerOptions, surroundings: Surroundings): Promise<void> {
  const { session, output } = await begin(surroundings, options);
  const [versions, item] = await Promise.all([readVersions(session, text), findItem(session, text)]);
  if (options.json) return output.out(JSON.stringify({ versions, next_before: null }));
  const rows = versions.map(({ version_no, code, title, visibility, created_at, size }) => [
    `${version_no}${code === item.code ? "*" : ""}`,
    code,
    title,
    visibility,
    inUnits(size),
    output.isOutTerminal ? shortTime(created_at) : created_at,
  ]);
  printTable(output, ["VERSION", "CODE", "TITLE", "VISIBILITY", "SIZE", "CREATED"], rows);
}

async function readVersions(session: Session, text: string): Promise<ItemVersionEntry[]> {
  const { itemVersionsRoute } = await loadRoutes.details();
  const versions: ItemVersionEntry[] = [];
  let before: number | null = null;
  do {
    const query = { ...parseReference(text), limit: PAGE, ...(before === null ? {} : { before }) };
    const page: ResponseOf<typeof versionsRoute> = await session.call(itemVersionsRoute, { query });
    versions.push(...page.versions);
    before = page.next_before;
  } while (before !== null);
  return versions;
}
