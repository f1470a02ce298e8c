import { Command } from "commander";
import { loadRoutes } from "../client/lazy-routes.ts";
import { openInBrowser } from "./browser.ts";
import { begin, type ServerOptions, withExamples, withServerOptions } from "./options.ts";
import { findCode, findItem, isOfOneVersion } from "./references.ts";
import type { Session } from "./session.ts";
import type { Surroundings } from "./surroundings.ts";

export function openCommand(surroundings: Surroundings): Command {
  const command = withServerOptions(
    new Command("open")
      .description("Open a report in the browser, and print its link.")
      .argument("<name or code>", "a name for its live link, name@3 for its third version, or a code"),
  );
  command.action((text: string, options: ServerOptions) => open(text, options, surroundings));
  return withExamples(command, "vitrine open weekly-sales", "vitrine open weekly-sales@2");
}

async function open(text: string, options: ServerOptions, surroundings: Surroundings): Promise<void> {
  const { session, output } = await begin(surroundings, options);
  const address = await findLink(session, text);
  output.out(options.json ? JSON.stringify({ url: address }) : address);
  if (!openInBrowser(surroundings, address)) output.note("There is no browser to open here.");
}

async function findLink(session: Session, text: string): Promise<string> {
  if (!isOfOneVersion(text)) {
    const item = await findItem(session, text);
    return item.live_url ?? item.url;
  }
  const { reportRoute } = await loadRoutes.details();
  return (await session.call(reportRoute, { query: { code: await findCode(session, text) } })).url;
}
