import { Command } from "commander";
import { loadRoutes } from "../client/lazy-routes.ts";
import type { ItemDetailEntry, ReportEntry } from "../client/routes.ts";
import type { CliContext } from "./cli-context.ts";
import { connect, type ServerOptions, withExamples, withServerOptions } from "./options.ts";
import type { Output } from "./output.ts";
import { findCode, findItem, isSingleVersion, VERSION_HELP } from "./references.ts";
import { printRows } from "./table.ts";
import { counted, inUnits, shortTime } from "./text.ts";

export function showCommand(context: CliContext): Command {
  const command = withServerOptions(
    new Command("show").description("Show a report, or one version with its files.").argument("<report>", VERSION_HELP),
  );
  command.action((text: string, options: ServerOptions) => show(text, options, context));
  return withExamples(command, "vitrine show weekly-sales", "vitrine show weekly-sales@2");
}

async function show(text: string, options: ServerOptions, context: CliContext): Promise<void> {
  const { session, output } = await connect(context, options);
  if (!isSingleVersion(text)) {
    const item = await findItem(session, text);
    return options.json ? output.out(JSON.stringify(item)) : showItem(output, item);
  }
  const { reportRoute } = await loadRoutes.details();
  const report = await session.call(reportRoute, { query: { code: await findCode(session, text) } });
  return options.json ? output.out(JSON.stringify(report)) : showReport(output, report);
}

function showItem(output: Output, item: ItemDetailEntry): void {
  printFields(output, [
    ["title", item.title],
    ["name", item.name],
    ["link", item.live_url ?? item.url],
    ["code", item.code],
    ["owner", item.owner_slug],
    ["visibility", item.visibility],
    ["storage", storageText(item.storage)],
    ["versions", String(item.version_count)],
    ["folder", item.folder ?? undefined],
    ["tags", item.tags.map(({ title }) => title).join(", ") || undefined],
    ["created", timeText(output, item.created_at)],
    ["updated", timeText(output, item.updated_at)],
  ]);
}

function showReport(output: Output, report: ReportEntry): void {
  printFields(output, [
    ["title", report.title],
    ["name", report.name ?? undefined],
    ["version", String(report.version_no)],
    ["note", report.note ?? undefined],
    ["link", report.url],
    ["code", report.code],
    ["owner", report.owner_slug],
    ["visibility", report.visibility],
    ["storage", storageText(report.storage)],
    ["created", timeText(output, report.created_at)],
    ["size", `${inUnits(report.size)} in ${counted(report.files.length, "file")}`],
    ...report.files.map(({ path, size }): [string, string] => ["file", `${path}  ${inUnits(size)}`]),
    ...report.warnings.map((warning): [string, string] => ["warning", warning]),
  ]);
}

const timeText = (output: Output, instant: string): string => (output.isOutTerminal ? shortTime(instant) : instant);

/** Returns undefined for reports without storage, which are most of them. */
const storageText = (storage: ReportEntry["storage"]): string | undefined => (storage === "none" ? undefined : storage);

function printFields(output: Output, fields: readonly (readonly [string, string | undefined])[]): void {
  printRows(
    output,
    fields.flatMap(([label, value]) => (value === undefined ? [] : [[label, value]])),
  );
}
