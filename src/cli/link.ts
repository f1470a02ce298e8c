import { Command } from "commander";
import { loadRoutes } from "../client/lazy-routes.ts";
import type { GuestLinkEntry } from "../client/routes.ts";
import { timeCell } from "./administering.ts";
import type { CliContext } from "./cli-context.ts";
import { readGiven } from "./login.ts";
import { collect, connect, printResult, type ServerOptions, withExamples, withServerOptions } from "./options.ts";
import { CommandError, EXIT_CODES, type Output } from "./output.ts";
import { parseReference, REPORT_HELP, REPORT_OR_VERSION_HELP, referenceTo } from "./references.ts";
import { printTable } from "./table.ts";
import { parseTime } from "./times.ts";

interface CreateOptions extends ServerOptions {
  label?: string;
  expires?: string;
  password?: string;
  email?: string[];
  embed?: string[];
  comments?: true;
  preview?: true;
}

interface UpdateOptions extends ServerOptions {
  label?: string;
  expires?: string;
  comments?: boolean;
  preview?: boolean;
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
      .argument("<report>", REPORT_OR_VERSION_HELP)
      .option("--label <text>", "what the link is for")
      .option(
        "--expires <time>",
        "duration such as 30d or 12h, or a date such as 2026-12-31, until its end in UTC (default: never)",
      )
      .option("--password <password>", "password that guests have to enter, or - to read it from standard input")
      .option("--email <address>", "only for this address, which guests prove with a code (repeatable)", collect)
      .option("--embed <origin>", "let this site embed the link, such as https://www.notion.so (repeatable)", collect)
      .option("--comments", "let guests read and write comments")
      .option("--preview", "let chats and wikis show the report's title where the link is posted"),
  );
  create.action((text: string, options: CreateOptions) => createLink(text, options, context));
  const list = withServerOptions(
    link
      .command("list")
      .description("List guest links of a report or of a workspace. The links themselves are not shown.")
      .argument("[report]", `${REPORT_HELP} (default: the whole workspace)`)
      .option("--owner <slug>", "workspace (default: that of the access token)"),
  );
  list.action((text: string | undefined, options: ListOptions) => listLinks(text, options, context));
  const update = withServerOptions(
    link
      .command("update")
      .description(
        "Change a guest link's label or expiry, whether guests comment, or its preview. To change limits, create another link.",
      )
      .argument("<id>", "ID from vitrine link list")
      .option("--label <text>", "what the link is for, or an empty text for no label")
      .option(
        "--expires <time>",
        "duration from now such as 30d or 12h, a date such as 2026-12-31 (until its end in UTC), or never",
      )
      .option("--comments", "let guests read and write comments")
      .option("--no-comments", "don't let guests read or write comments")
      .option("--preview", "let chats and wikis show the report's title where the link is posted")
      .option("--no-preview", "show no title where the link is posted"),
  );
  update.action((id: string, options: UpdateOptions) => updateLink(id, options, context));
  const revoke = withServerOptions(
    link
      .command("revoke")
      .description("Revoke a guest link immediately, also for guests who have it open.")
      .argument("<id>", "ID from vitrine link list"),
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
  const { label, expires, email: emails, embed: embed_origins, comments, preview } = options;
  const expires_at = expires === undefined ? undefined : expiryOf(expires);
  const password = options.password === undefined ? undefined : await readGiven(options.password);
  const { session, output } = await connect(context, options);
  const reference = await referenceTo(session, text);
  const { createGuestLinkRoute } = await loadRoutes.guestLinks();
  const body = { ...reference, label, expires_at, password, emails, embed_origins, comments, preview };
  const answer = await session.call(createGuestLinkRoute, { body });
  if (options.json) {
    output.out(JSON.stringify(answer));
    return;
  }
  output.note(`Created guest link ${answer.id}. Copy it now; it is shown only once.`);
  output.out(answer.url);
}

/** Returns when a link expires, as the server reads it: a date without a time lasts until its end. Throws `CommandError`. */
function expiryOf(text: string): string {
  const time = parseTime("--expires", text, "after now");
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? text : new Date(time).toISOString();
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

const termsOf = ({ has_password, emails, embed_origins, comments, preview }: GuestLinkEntry): string[] => [
  ...(comments ? ["comments"] : []),
  ...(preview ? ["preview"] : []),
  ...(has_password ? ["password"] : []),
  ...emails,
  ...embed_origins,
];

async function updateLink(
  id: string,
  { label, expires, comments, preview, ...options }: UpdateOptions,
  context: CliContext,
): Promise<void> {
  if ([label, expires, comments, preview].every((option) => option === undefined)) {
    throw new CommandError("Pass --label, --expires, --[no-]comments or --[no-]preview.", EXIT_CODES.usage);
  }
  const expires_at = expires === undefined ? undefined : expires === "never" ? null : expiryOf(expires);
  const { session, output } = await connect(context, options);
  const { updateGuestLinkRoute } = await loadRoutes.guestLinks();
  const body = { id, label: label === "" ? null : label, expires_at, comments, preview };
  const answer = await session.call(updateGuestLinkRoute, { body });
  printResult(output, options, answer, `Changed guest link ${id}.`);
}

async function revokeLink(id: string, options: ServerOptions, context: CliContext): Promise<void> {
  const { session, output } = await connect(context, options);
  const { revokeGuestLinkRoute } = await loadRoutes.guestLinks();
  const answer = await session.call(revokeGuestLinkRoute, { body: { id } });
  printResult(output, options, answer, `Revoked guest link ${id}.`);
}
