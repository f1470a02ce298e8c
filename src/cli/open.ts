import { Command } from "commander";
import { loadRoutes } from "../client/lazy-routes.ts";
import { openInBrowser } from "./browser.ts";
import type { CliContext } from "./cli-context.ts";
import { connect, type ServerOptions, withExamples, withServerOptions } from "./options.ts";
import { findCode, findItem, isSingleVersion } from "./references.ts";
import type { Session } from "./session.ts";

export function openCommand(context: CliContext): Command {
  const command = withServerOptions(
    new Command("open")
      .description("Open a report in the browser and print its link.")
      .argument("<report>", "name for the live link, name@3 for version 3, the code of a version, or a link"),
  );
  command.action((text: string, options: ServerOptions) => open(text, options, context));
  return withExamples(command, "vitrine open weekly-sales", "vitrine open weekly-sales@2");
}

async function open(text: string, options: ServerOptions, context: CliContext): Promise<void> {
  const { session, output } = await connect(context, options);
  const address = await findLink(session, text);
  output.out(options.json ? JSON.stringify({ url: address }) : address);
  if (!openInBrowser(context, address)) output.note("No browser found to open the link.");
}

async function findLink(session: Session, text: string): Promise<string> {
  if (!isSingleVersion(text)) {
    const item = await findItem(session, text);
    return item.live_url ?? item.url;
  }
  const { reportRoute } = await loadRoutes.details();
  return (await session.call(reportRoute, { query: { code: await findCode(session, text) } })).url;
}
