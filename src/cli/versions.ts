import { Command } from "commander";
import { loadRoutes, type ResponseOf } from "../client/lazy-routes.ts";
import type { ItemVersionEntry, itemVersionsRoute as versionsRoute } from "../client/routes.ts";
import type { CliContext } from "./cli-context.ts";
import { connect, type ServerOptions, withExamples, withServerOptions } from "./options.ts";
import { findItem, parseReference, REPORT_HELP } from "./references.ts";
import type { Session } from "./session.ts";
import { printTable } from "./table.ts";
import { inUnits, shortTime } from "./text.ts";

const PAGE = 200;

export function versionsCommand(context: CliContext): Command {
  const command = withServerOptions(
    new Command("versions")
      .alias("log")
      .description("List the versions of a report, newest first. An asterisk marks the current version.")
      .argument("<report>", REPORT_HELP),
  );
  command.action((text: string, options: ServerOptions) => list(text, options, context));
  return withExamples(command, "vitrine versions weekly-sales");
}

async function list(text: string, options: ServerOptions, context: CliContext): Promise<void> {
  const { session, output } = await connect(context, options);
  const [versions, item] = await Promise.all([readVersions(session, text), findItem(session, text)]);
  if (options.json) return output.out(JSON.stringify({ versions, next_before: null }));
  // Scripts always get the same columns.
  const hasNotes = !output.isOutTerminal || versions.some(({ note }) => note !== null);
  const rows = versions.map(({ version_no, code, title, visibility, created_at, size, note }) => [
    `${version_no}${code === item.code ? "*" : ""}`,
    code,
    title,
    visibility,
    inUnits(size),
    output.isOutTerminal ? shortTime(created_at) : created_at,
    ...(hasNotes ? [note ?? ""] : []),
  ]);
  const header = ["VERSION", "CODE", "TITLE", "VISIBILITY", "SIZE", "CREATED", ...(hasNotes ? ["NOTE"] : [])];
  printTable(output, header, rows);
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
