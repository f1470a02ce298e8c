import { Command } from "commander";
import { loadRoutes } from "../client/lazy-routes.ts";
import type { CliContext } from "./cli-context.ts";
import { type Connection, collect, connect, type ServerOptions, withExamples, withServerOptions } from "./options.ts";
import { findCode, isSingleVersion, parseReference, type Reference, wordOf } from "./references.ts";
import type { Session } from "./session.ts";

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
    for (const text of texts) await share(text, options, connection);
  });
  return withExamples(
    command,
    "vitrine share weekly-sales --person grace@example.org",
    "vitrine share weekly-sales monthly-sales --org acme",
    "vitrine share weekly-sales --remove grace@example.org",
    "vitrine visibility weekly-sales private",
  );
}

async function share(text: string, options: ShareOptions, { session, output }: Connection): Promise<void> {
  const reference = isSingleVersion(text) ? { code: await findCode(session, text) } : parseReference(text);
  await change(session, reference, options);
  const { shareRoute } = await loadRoutes.people();
  const shares = await session.call(shareRoute, { query: reference });
  if (options.json) return output.out(JSON.stringify(shares));
  const organization = shares.org === null ? "" : ` (${shares.org.slug})`;
  output.out(`visibility\t${shares.visibility}${organization}`);
  for (const { email } of shares.people) output.out(`person\t${email}`);
  if (options.person !== undefined || options.remove !== undefined || options.org !== undefined) {
    output.note(`Changed who can read ${wordOf(reference)}.`);
  }
}

async function change(session: Session, reference: Reference, { person, remove, org }: ShareOptions): Promise<void> {
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
