import { Command } from "commander";
import { loadRoutes } from "../client/lazy-routes.ts";
import type { GuestLinkEntry } from "../client/routes.ts";
import { timeCell } from "./administering.ts";
import type { CliContext } from "./cli-context.ts";
import { readGiven } from "./login.ts";
import { collect, connect, printResult, type ServerOptions, withExamples, withServerOptions } from "./options.ts";
import { CommandError, EXIT_CODES, type Output } from "./output.ts";
import { findCode, isSingleVersion, parseReference } from "./references.ts";
import { printTable } from "./table.ts";

interface CreateOptions extends ServerOptions {
  label?: string;
  expires?: string;
  password?: string;
  email?: string[];
  embed?: string[];
  comments?: true;
}

interface UpdateOptions extends ServerOptions {
  label?: string;
  expires?: string;
  comments?: boolean;
}

interface ListOptions extends ServerOptions {
  owner?: string;
}

/** Creates the command for links with which people without an account read a report. */
export function linkCommand(context: CliContext): Command {
  const link = new Command("link").description("Share reports with people who have no account.");
  const create = withServerOptions(
    link
      .command("create")
      .description("Create a guest link and print it. It is shown only once.")
      .argument("<name or code>", "name of a report, name@3 for its version 3 only, or the code of a version")
      .option("--label <text>", "what the link is for")
      .option(
        "--expires <time>",
        "duration such as 30d or 12h, or a date such as 2026-12-31, until its end in UTC (default: never)",
      )
      .option("--password <password>", "password that guests have to enter, or - to read it from standard input")
      .option("--email <address>", "only for this address, which guests prove with a code (repeatable)", collect)
      .option("--embed <origin>", "let this site embed the link, such as https://www.notion.so (repeatable)", collect)
      .option("--comments", "let guests read and write comments"),
  );
  create.action((text: string, options: CreateOptions) => createLink(text, options, context));
  const list = withServerOptions(
    link
      .command("list")
      .description("List guest links of a report or of a workspace. The links themselves are not shown.")
      .argument("[name or code]", "name of a report, or the code of a version (default: the whole workspace)")
      .option("--owner <slug>", "workspace (default: the one of the access token)"),
  );
  list.action((text: string | undefined, options: ListOptions) => listLinks(text, options, context));
  const update = withServerOptions(
    link
      .command("update")
      .description(
        "Change a guest link's label or expiry, or whether guests comment. To change limits, create another link.",
      )
      .argument("<id>", "id from vitrine link list")
      .option("--label <text>", "what the link is for, or an empty text for no label")
      .option(
        "--expires <time>",
        "duration from now such as 30d or 12h, a date such as 2026-12-31 (until its end in UTC), or never",
      )
      .option("--comments", "let guests read and write comments")
      .option("--no-comments", "don't let them"),
  );
  update.action((id: string, options: UpdateOptions) => updateLink(id, options, context));
  const revoke = withServerOptions(
    link
      .command("revoke")
      .description("Revoke a guest link immediately, also for guests who have it open.")
      .argument("<id>", "id from vitrine link list"),
  );
  revoke.action((id: string, options: ServerOptions) => revokeLink(id, options, context));
  withExamples(
    create,
    "vitrine link create weekly-sales --label Board --expires 30d",
    "vitrine link create weekly-sales --comments",
    "vitrine link create weekly-sales@3 --embed https://www.notion.so",
    "vitrine link create weekly-sales --password - < password.txt",
  );
  withExamples(list, "vitrine link list weekly-sales", "vitrine link list --owner acme --json");
  withExamples(
    update,
    "vitrine link update lnk_Q3ZzD1mB0kXa7TgH --expires 30d",
    'vitrine link update lnk_Q3ZzD1mB0kXa7TgH --expires never --label "Board meeting"',
  );
  withExamples(revoke, "vitrine link revoke lnk_Q3ZzD1mB0kXa7TgH");
  return link;
}

async function createLink(text: string, options: CreateOptions, context: CliContext): Promise<void> {
  const { label, expires, email: emails, embed: embed_origins, comments } = options;
  const expires_at = expires === undefined ? undefined : timeOf(expires, Date.now());
  const password = options.password === undefined ? undefined : await readGiven(options.password);
  const { session, output } = await connect(context, options);
  const reference = isSingleVersion(text) ? { code: await findCode(session, text) } : parseReference(text);
  const { createGuestLinkRoute } = await loadRoutes.guestLinks();
  const body = { ...reference, label, expires_at, password, emails, embed_origins, comments };
  const answer = await session.call(createGuestLinkRoute, { body });
  if (options.json) {
    output.out(JSON.stringify(answer));
    return;
  }
  output.note(`Created guest link ${answer.id}. Copy it now; it is shown only once.`);
  output.out(answer.url);
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Returns the time that a duration or date means. Throws `CommandError`. */
function timeOf(text: string, now: number): string {
  const [, count, unit = ""] = /^([1-9]\d{0,4})([mhd])$/.exec(text) ?? [];
  if (count !== undefined) return new Date(now + Number(count) * (UNITS[unit] ?? 0)).toISOString();
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  // The server knows when a date without a time ends.
  if (!Number.isNaN(time)) return text.length === "2026-12-31".length ? text : new Date(time).toISOString();
  throw new CommandError(
    `--expires must be a duration such as 30d or 12h, or a date such as 2026-12-31, not "${text}".`,
    EXIT_CODES.usage,
  );
}

async function listLinks(text: string | undefined, options: ListOptions, context: CliContext): Promise<void> {
  if (text !== undefined && options.owner !== undefined) {
    throw new CommandError("Pass a report or --owner, not both.", EXIT_CODES.usage);
  }
  const { session, output } = await connect(context, options);
  const { guestLinksRoute } = await loadRoutes.guestLinks();
  const query = text === undefined ? { owner: options.owner } : parseReference(text);
  const { links } = await session.call(guestLinksRoute, { query });
  if (options.json) output.out(JSON.stringify({ links }));
  else if (links.length === 0) output.note("There are no guest links.");
  else printLinks(output, links);
}

function printLinks(output: Output, links: readonly GuestLinkEntry[]): void {
  printTable(
    output,
    ["ID", "REPORT", "LABEL", "TERMS", "EXPIRES", "OPENED", "LAST OPENED"],
    links.map((link) => [
      link.id,
      link.name === null ? (link.code ?? "") : link.name + (link.code === null ? "" : ` (${link.code})`),
      link.label ?? "",
      termsOf(link).join(", "),
      timeCell(output, timeIn(link.expires_at)),
      String(link.uses),
      timeCell(output, timeIn(link.last_used_at)),
    ]),
  );
}

const timeIn = (time: string | null): number | null => (time === null ? null : Date.parse(time));

const termsOf = ({ has_password, emails, embed_origins, comments }: GuestLinkEntry): string[] => [
  ...(comments ? ["comments"] : []),
  ...(has_password ? ["password"] : []),
  ...emails,
  ...embed_origins,
];

async function updateLink(
  id: string,
  { label, expires, comments, ...options }: UpdateOptions,
  context: CliContext,
): Promise<void> {
  if (label === undefined && expires === undefined && comments === undefined) {
    throw new CommandError("Pass --label, --expires, --comments or --no-comments.", EXIT_CODES.usage);
  }
  const expires_at = expires === undefined ? undefined : expires === "never" ? null : timeOf(expires, Date.now());
  const { session, output } = await connect(context, options);
  const { updateGuestLinkRoute } = await loadRoutes.guestLinks();
  const body = { id, label: label === "" ? null : label, expires_at, comments };
  const answer = await session.call(updateGuestLinkRoute, { body });
  printResult(output, options, answer, `Changed guest link ${id}.`);
}

async function revokeLink(id: string, options: ServerOptions, context: CliContext): Promise<void> {
  const { session, output } = await connect(context, options);
  const { revokeGuestLinkRoute } = await loadRoutes.guestLinks();
  const answer = await session.call(revokeGuestLinkRoute, { body: { id } });
  printResult(output, options, answer, `Revoked guest link ${id}.`);
}
