import { Command } from "commander";
import { loadRoutes } from "../client/lazy-routes.ts";
import type { SeenReportEntry } from "../client/routes.ts";
import type { CliContext } from "./cli-context.ts";
import { connect, type ServerOptions, withExamples, withServerOptions } from "./options.ts";
import type { Output } from "./output.ts";
import { parseReference, REPORT_HELP } from "./references.ts";
import { printTable } from "./table.ts";
import { counted, shortTime } from "./text.ts";

export function seenCommand(context: CliContext): Command {
  const command = withServerOptions(
    new Command("seen")
      .description("Show who has seen which version of a report, as far as its workspace records that.")
      .argument("<report>", REPORT_HELP),
  );
  command.action(async (text: string, options: ServerOptions) => {
    const { session, output } = await connect(context, options);
    const { seenRoute } = await loadRoutes.seen();
    const record = await session.call(seenRoute, { query: parseReference(text) });
    if (options.json) return output.out(JSON.stringify(record));
    print(output, record);
  });
  return withExamples(command, "vitrine seen weekly-sales");
}

function print(output: Output, { seen_by, versions, readers, refused }: SeenReportEntry): void {
  if (seen_by === "off") {
    output.note("This workspace doesn't record views. Owners and admins can turn it on in the workspace settings.");
    return;
  }
  const time = (at: string) => (output.isOutTerminal ? shortTime(at) : at);
  if (seen_by === "names") {
    const rows = readers.map(({ slug, version_nos, openings, last_seen_at }) => [
      slug,
      version_nos.join(","),
      String(openings),
      time(last_seen_at),
    ]);
    printTable(output, ["READER", "VERSIONS", "VIEWS", "LAST"], rows);
  } else {
    const rows = versions.map(({ version_no, openings, last_seen_at }) => [
      String(version_no),
      String(openings),
      last_seen_at === null ? "" : time(last_seen_at),
    ]);
    printTable(output, ["VERSION", "VIEWS", "LAST"], rows);
  }
  if (refused !== null) output.note(`${counted(refused.attempts, "refused attempt")}, last ${time(refused.last_at)}.`);
}
