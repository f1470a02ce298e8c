import { Command } from "commander";
import { loadRoutes, type ResponseOf } from "../client/lazy-routes.ts";
import type { shareRoute } from "../client/routes.ts";
import type { CliContext } from "./cli-context.ts";
import { collect, connect, type ServerOptions, withExamples, withServerOptions } from "./options.ts";
import type { Output } from "./output.ts";
import { requireOrganization } from "./owners.ts";
import { REPORT_OR_VERSION_HELP, type Reference, referenceTo, wordOf } from "./references.ts";
import type { Session } from "./session.ts";
import { printRows } from "./table.ts";

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

/** Shares reports one after another. Looks all of them up first, so that a misspelled one changes nothing. */
async function shareAll(texts: readonly string[], options: ShareOptions, context: CliContext): Promise<void> {
  const { session, output } = await connect(context, options);
  if (options.org === true) await requireOrganization(session, "--org");
  const found: { reference: Reference; shares: Shares }[] = [];
  for (const text of new Set(texts)) {
    const reference = await referenceTo(session, text);
    found.push({ reference, shares: await readShares(session, reference) });
  }
  const isChange = [options.person, options.remove, options.org].some((option) => option !== undefined);
  for (const { reference, shares } of found) {
    if (isChange) await change(session, reference, options);
    const now = isChange ? await readShares(session, reference) : shares;
    if (options.json) output.out(JSON.stringify(now));
    else print(output, now, found.length > 1 ? wordOf(reference) : undefined);
    if (isChange && !options.json) output.note(`Changed who can read ${wordOf(reference)}.`);
  }
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
