import { Command } from "commander";
import { loadRoutes, type ResponseOf } from "../client/lazy-routes.ts";
import type { shareRoute } from "../client/routes.ts";
import type { CliContext } from "./cli-context.ts";
import { type Connection, collect, connect, type ServerOptions, withExamples, withServerOptions } from "./options.ts";
import type { Output } from "./output.ts";
import { requireOrganization } from "./owners.ts";
import { REPORT_OR_VERSION_HELP, type Reference, referenceTo, wordOf } from "./references.ts";
import type { Session } from "./session.ts";
import { printRows } from "./table.ts";
import { counted } from "./text.ts";
import { keepUndo } from "./undo.ts";

interface ShareOptions extends ServerOptions {
  person?: string[];
  remove?: string[];
  /** True for all organizations. */
  org?: string | true;
}

type Shares = ResponseOf<typeof shareRoute>;

export function shareCommand(context: CliContext): Command {
  const command = withServerOptions(
    new Command("share")
      .description("Share reports, or single versions, with people or an organization. Prints who can read them.")
      .argument("<reports...>", REPORT_OR_VERSION_HELP)
      .option("--person <email>", "let this person read it (repeatable)", collect)
      .option("--remove <email>", "stop sharing it with this person (repeatable)", collect)
      .option("--org [slug]", "let members of this organization read it (default: all of your organizations)"),
  );
  command.action((texts: string[], options: ShareOptions) => shareAll(texts, options, context));
  return withExamples(
    command,
    "vitrine share weekly-sales --person grace@example.org",
    "vitrine share weekly-sales monthly-sales --org acme",
    "vitrine share weekly-sales --remove grace@example.org",
    "vitrine visibility weekly-sales private",
  );
}

/** Shares named reports together, all or none, and single versions one after another. Looks all of them up first. */
async function shareAll(texts: readonly string[], options: ShareOptions, context: CliContext): Promise<void> {
  const connection = await connect(context, options);
  const { session, output } = connection;
  if (options.org === true) await requireOrganization(session, "--org");
  const references = new Map<string, Reference>();
  for (const text of texts) {
    const reference = await referenceTo(session, text);
    references.set(wordOf(reference), reference);
  }
  const found: { reference: Reference; shares: Shares }[] = [];
  for (const reference of references.values()) {
    found.push({ reference, shares: await readShares(session, reference) });
  }
  const isChange = [options.person, options.remove, options.org].some((option) => option !== undefined);
  const hint = isChange ? await change(connection, found, options) : "";
  for (const { reference, shares } of found) {
    const now = isChange ? await readShares(session, reference) : shares;
    if (options.json) output.out(JSON.stringify(now));
    else print(output, now, found.length > 1 ? wordOf(reference) : undefined);
  }
  if (isChange && !options.json) output.note(`Changed who can read ${[...references.keys()].join(", ")}.${hint}`);
}

/** Returns a sentence about how to undo the change. */
async function change(connection: Connection, found: readonly { reference: Reference }[], options: ShareOptions) {
  const references = found.map(({ reference }) => reference);
  const hint = await shareTogether(
    references.flatMap((reference) => ("name" in reference ? [reference] : [])),
    options,
    connection,
  );
  for (const reference of references) if ("code" in reference) await changeVersion(reference, options, connection);
  return hint;
}

async function shareTogether(
  references: readonly { name: string }[],
  { person, remove, org }: ShareOptions,
  connection: Connection,
): Promise<string> {
  if (references.length === 0) return "";
  const change = {
    ...(person && { add: person }),
    ...(remove && { remove }),
    ...(org !== undefined && { visibility: "org" as const }),
    ...(typeof org === "string" && { org }),
  };
  const { shareItemsRoute } = await loadRoutes.itemSharing();
  const body = { items: references.map((reference) => ({ ...reference, ...change })) };
  const { undo } = await connection.session.call(shareItemsRoute, { body }, { isRepeatable: true });
  const what = `Changed who can read ${counted(references.length, "report")}`;
  return keepUndo(connection, { call: "share", bodies: undo === null ? [] : [undo], what });
}

async function readShares(session: Session, reference: Reference): Promise<Shares> {
  const { shareRoute } = await loadRoutes.people();
  return session.call(shareRoute, { query: reference });
}

function print(output: Output, { visibility, org, people }: Shares, report: string | undefined): void {
  printRows(output, [
    ...(report === undefined ? [] : [["report", report]]),
    ["visibility", visibility + (org === null ? "" : ` (${org.slug})`)],
    ...people.map(({ email }) => ["person", email]),
  ]);
}

async function changeVersion(
  reference: Reference,
  { person, remove, org }: ShareOptions,
  { session }: Connection,
): Promise<void> {
  if (person !== undefined || remove !== undefined) {
    const { shareWithPeopleRoute } = await loadRoutes.people();
    const body = { ...reference, add: person ?? [], remove: remove ?? [] };
    await session.call(shareWithPeopleRoute, { body }, { isRepeatable: true });
  }
  if (org === undefined) return;
  const { shareWithOrganizationRoute } = await loadRoutes.organizationSharing();
  const body = { ...reference, ...(org === true ? {} : { org }), shared: true };
  await session.call(shareWithOrganizationRoute, { body }, { isRepeatable: true });
}
