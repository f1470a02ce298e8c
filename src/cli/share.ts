import { Command } from "commander";
import { loadRoutes } from "../client/lazy-routes.ts";
import type { CliContext } from "./cli-context.ts";
import { type Connection, collect, connect, type ServerOptions, withExamples, withServerOptions } from "./options.ts";
import { findCode, isSingleVersion, parseReference, type Reference, wordOf } from "./references.ts";
import { counted } from "./text.ts";
import { keepUndo } from "./undo.ts";

interface ShareOptions extends ServerOptions {
  person?: string[];
  remove?: string[];
  /** True for all organizations. */
  org?: string | true;
}

export function shareCommand(context: CliContext): Command {
  const command = withServerOptions(
    new Command("share")
      .description("Share reports, or single versions, with people or an organization. Prints who can read them.")
      .argument("<names...>", "name of a report, name@3 for its version 3 only, the code of a version, or a link")
      .option("--person <email>", "let this person read it (repeatable)", collect)
      .option("--remove <email>", "stop sharing it with this person (repeatable)", collect)
      .option("--org [slug]", "let members of this organization read it (default: all of your organizations)"),
  );
  command.action(async (texts: string[], options: ShareOptions) => {
    const connection = await connect(context, options);
    const [versions, reports] = [texts.filter(isSingleVersion), texts.filter((text) => !isSingleVersion(text))];
    const references = [...new Set(reports.map((text) => wordOf(parseReference(text))))].map((name) => ({ name }));
    const hint = await shareTogether(references, options, connection);
    for (const text of versions)
      await changeVersion({ code: await findCode(connection.session, text) }, options, connection);
    for (const text of texts) await show(text, options, connection);
    if (isChange(options) && !options.json) connection.output.note(`Changed who can read ${texts.join(", ")}.${hint}`);
  });
  return withExamples(
    command,
    "vitrine share weekly-sales --person grace@example.org",
    "vitrine share weekly-sales monthly-sales --org acme",
    "vitrine share weekly-sales --remove grace@example.org",
    "vitrine visibility weekly-sales private",
  );
}

const isChange = ({ person, remove, org }: ShareOptions) =>
  [person, remove, org].some((option) => option !== undefined);

/** Shares reports, all or none. Returns a sentence about how to undo it. */
async function shareTogether(
  references: readonly { name: string }[],
  options: ShareOptions,
  connection: Connection,
): Promise<string> {
  if (!isChange(options) || references.length === 0) return "";
  const { person, remove, org } = options;
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

async function show(text: string, options: ShareOptions, { session, output }: Connection): Promise<void> {
  const reference = isSingleVersion(text) ? { code: await findCode(session, text) } : parseReference(text);
  const { shareRoute } = await loadRoutes.people();
  const shares = await session.call(shareRoute, { query: reference });
  if (options.json) return output.out(JSON.stringify(shares));
  const organization = shares.org === null ? "" : ` (${shares.org.slug})`;
  output.out(`visibility\t${shares.visibility}${organization}`);
  for (const { email } of shares.people) output.out(`person\t${email}`);
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
