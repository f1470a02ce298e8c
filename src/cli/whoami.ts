import { Command } from "commander";
import { loadRoutes } from "../client/lazy-routes.ts";
import { begin, type ServerOptions, withExamples, withServerOptions } from "./options.ts";
import { inUnits } from "./progress.ts";
import type { Surroundings } from "./surroundings.ts";
import { printTable } from "./table.ts";
import { plain } from "./text.ts";

export function whoamiCommand(surroundings: Surroundings): Command {
  const command = withServerOptions(new Command("whoami").description("Show who is signed in, and their workspaces."));
  command.action((options: ServerOptions) => whoami(options, surroundings));
  return withExamples(command, "vitrine whoami");
}

async function whoami(options: ServerOptions, surroundings: Surroundings): Promise<void> {
  const { session, output } = await begin(surroundings, options);
  const { accountRoute } = await loadRoutes.account();
  const account = await session.call(accountRoute);
  if (options.json) return output.out(JSON.stringify(account));
  const { user, workspaces } = account;
  output.note(`${plain(user.slug)} (${plain(user.email)}) at ${session.baseUrl}`);
  const rows = workspaces.map(({ slug, role, plan, stored_bytes, quota_bytes }) => [
    slug,
    role,
    plan,
    `${inUnits(stored_bytes)} of ${inUnits(quota_bytes)}`,
  ]);
  printTable(output, ["WORKSPACE", "ROLE", "PLAN", "STORED"], rows);
}
