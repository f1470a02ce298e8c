import { Command } from "commander";
import { loadRoutes } from "../client/lazy-routes.ts";
import type { CliContext } from "./cli-context.ts";
import { connect, type ServerOptions, withExamples, withServerOptions } from "./options.ts";
import type { Session } from "./session.ts";
import { printTable } from "./table.ts";
import { inUnits, plain } from "./text.ts";

export function whoamiCommand(context: CliContext): Command {
  const command = withServerOptions(new Command("whoami").description("Show the signed-in user and their workspaces."));
  command.action((options: ServerOptions) => whoami(options, context));
  return withExamples(command, "vitrine whoami");
}

const sourceOf = ({ profile }: Session) =>
  profile === undefined ? "access token from VITRINE_TOKEN" : `profile ${profile}`;

async function whoami(options: ServerOptions, context: CliContext): Promise<void> {
  const { session, output } = await connect(context, options);
  const { accountRoute } = await loadRoutes.account();
  const account = await session.call(accountRoute);
  const server = { url: session.baseUrl, profile: session.profile ?? null };
  if (options.json) return output.out(JSON.stringify({ ...account, server }));
  const { user, workspace, workspaces } = account;
  output.note(`${plain(user.slug)} (${plain(user.email)}) at ${session.baseUrl}, ${sourceOf(session)}`);
  const rows = workspaces.map(({ slug, role, plan, stored_bytes, quota_bytes }) => [
    slug,
    role,
    plan,
    `${inUnits(stored_bytes)} of ${inUnits(quota_bytes)}`,
  ]);
  printTable(output, ["WORKSPACE", "ROLE", "PLAN", "STORED"], rows);
  if (workspaces.length > 1)
    output.note(`New reports go to ${plain(workspace ?? user.slug)}, unless you pass --owner.`);
}
