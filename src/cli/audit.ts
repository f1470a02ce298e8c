import { Command } from "commander";
import type { Administer } from "./administration.ts";
import type { AuditLine } from "./audit-commands.ts";
import { withDataHelp } from "./options.ts";
import { CommandError, EXIT_CODES, type Output } from "./output.ts";
import { printTable } from "./table.ts";
import { shortTime } from "./text.ts";
import { parseTime } from "./times.ts";

interface AuditOptions {
  workspace?: string;
  actor?: string;
  action?: string;
  item?: string;
  since?: string;
  until?: string;
  limit: string;
  all?: boolean;
  json?: boolean;
}

export function auditCommand(administer: Administer, output: Output): Command {
  const command = new Command("audit")
    .description("Show who changed what, newest first.")
    .option("--workspace <slug>", "only changes in this workspace")
    .option("--actor <slug>", "only changes by this user")
    .option("--action <action>", "only this action, such as report.delete, or its noun, such as token")
    .option("--item <item>", "only this report, by name, or this version, by code")
    .option(
      "--since <time>",
      "only at or after this date or time, such as 2026-03-01 or 2026-03-01T09:30:00Z; 7d means 7 days ago",
    )
    .option("--until <time>", "only before this date or time")
    .option("--limit <count>", "number of entries to show", "50")
    .option("--all", "show all entries")
    .option("--json", "print one JSON object per line")
    .action((options: AuditOptions) => showAudit(administer, output, options));
  return withDataHelp(
    command,
    "vitrine audit --workspace acme --action report.delete",
    "vitrine audit --since 2026-03-01 --all --json > audit.jsonl",
  );
}

async function showAudit(administer: Administer, output: Output, options: AuditOptions): Promise<void> {
  const { workspace, actor, action, item, since, until, all = false, json = false } = options;
  const limit = all ? Number.POSITIVE_INFINITY : readLimit(options.limit);
  const selection = {
    workspace,
    actor,
    action,
    item,
    since: since === undefined ? undefined : parseTime("--since", since, "before now"),
    until: until === undefined ? undefined : parseTime("--until", until, "before now"),
  };
  const shown: string[][] = [];
  await administer(async ({ readAudit }) => {
    let left = limit;
    for await (const page of readAudit(selection)) {
      const lines = page.slice(0, left);
      if (json) for (const line of lines) output.out(JSON.stringify(line));
      else shown.push(...lines.map(cellsOf));
      left -= lines.length;
      if (left === 0) return;
    }
  });
  if (json) return;
  if (shown.length === 0) output.note("No matching entries.");
  else printTable(output, ["TIME", "WHO", "ACTION", "WORKSPACE", "SUBJECT", "DETAILS", "WITH", "ADDRESS"], shown);
}

function cellsOf({ at, actor, action, workspace, subject, details, credential, address }: AuditLine): string[] {
  const { kind, name } = credential;
  const facts = Object.entries(details).map(([fact, value]) => `${fact}: ${String(value)}`);
  return [
    shortTime(at),
    actor ?? "-",
    action,
    workspace ?? "-",
    subject ?? "-",
    facts.join(", ") || "-",
    name === null ? kind : `${kind} ${name}`,
    address ?? "-",
  ];
}

function readLimit(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new CommandError(`"${text}" isn't a valid value of --limit. It must be a positive number.`, EXIT_CODES.usage);
}
