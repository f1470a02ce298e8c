import { Command } from "commander";
import type { Administer, ListedToken } from "./administration.ts";
import { withDataHelp } from "./options.ts";
import type { Output } from "./output.ts";

interface CreateOptions {
  user: string;
  workspace?: string;
  scopes: string;
  name?: string;
  expires?: string;
}

export function tokensCommand(administer: Administer, output: Output): Command {
  const tokens = new Command("tokens").description("Manage access tokens.");
  const create = tokens
    .command("create")
    .description("Create an access token and print it. It is shown only once.")
    .requiredOption("--user <user>", "slug of the user")
    .option("--workspace <slug>", "workspace to publish to (default: the user's own)")
    .requiredOption("--scopes <scopes>", "comma-separated: reports:read, reports:write, reports:delete")
    .option("--name <name>", "name to recognize the token by")
    .option("--expires <duration>", "time until the token expires, such as 90d or 12h (default: never)")
    .action(async ({ user, workspace, scopes, name, expires }: CreateOptions) => {
      const request = {
        userSlug: user,
        workspaceSlug: workspace,
        scopes: scopes.split(",").map((scope) => scope.trim()),
        name,
        expires,
      };
      const { id, token } = await administer((administration) => administration.createToken(request));
      output.note(`Created token ${id}. Copy it now; it is shown only once.`);
      output.out(token);
    });
  const list = tokens
    .command("list")
    .description("List a user's access tokens. The tokens themselves are not shown.")
    .requiredOption("--user <user>", "slug of the user")
    .action(async ({ user }: { user: string }) => {
      const listed = await administer((administration) => administration.listTokens(user));
      if (listed.length === 0) output.note(`${user} has no access tokens.`);
      else for (const line of asTable(listed)) output.out(line);
    });
  const revoke = tokens
    .command("revoke")
    .argument("<id>", "id from vitrine tokens list")
    .description("Revoke an access token immediately.")
    .requiredOption("--user <user>", "slug of the user")
    .action(async (id: string, { user }: { user: string }) => {
      await administer((administration) => administration.revokeToken(user, id));
      output.note(`Revoked token ${id}.`);
    });
  withDataHelp(
    create,
    "vitrine tokens create --user ada --scopes reports:read,reports:write",
    "vitrine tokens create --user ada --workspace acme --scopes reports:write --name CI --expires 90d",
  );
  withDataHelp(list, "vitrine tokens list --user ada");
  withDataHelp(revoke, "vitrine tokens revoke tok_5Z0cAmupNetP0lZJ --user ada");
  return tokens;
}

function asTable(tokens: readonly ListedToken[]): string[] {
  const day = (time: number | null, absent: string) =>
    time === null ? absent : new Date(time).toISOString().slice(0, 10);
  const rows = [
    ["ID", "NAME", "WORKSPACE", "SCOPES", "CREATED", "EXPIRES", "LAST USED"],
    ...tokens.map((token) => [
      token.id,
      token.name,
      token.workspaceSlug,
      token.scopes.join(","),
      day(token.createdAt, "-"),
      day(token.expiresAt, "never"),
      day(token.lastUsedAt, "never"),
    ]),
  ];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
