import { Command } from "commander";
import { JSON_OPTION, printJson, timeCell } from "./administering.ts";
import type { Administer, ListedToken } from "./administration.ts";
import { withDataHelp } from "./options.ts";
import type { Output } from "./output.ts";
import { printTable } from "./table.ts";

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
    .description("List the access tokens of a user, or of everyone. The tokens themselves are not shown.")
    .option("--user <user>", "slug of the user (default: all users)")
    .option(...JSON_OPTION)
    .action(async ({ user, json }: { user?: string; json?: boolean }) => {
      const listed = await administer((administration) => administration.listTokens(user));
      if (json) printJson(output, { tokens: listed });
      else if (listed.length > 0) printTokens(output, listed);
      else output.note(user === undefined ? "There are no access tokens." : `${user} has no access tokens.`);
    });
  const revoke = tokens
    .command("revoke")
    .argument("<id>", "ID from vitrine tokens list")
    .description("Revoke an access token immediately.")
    .option("--user <user>", "slug of the user, to revoke only a token of theirs")
    .action(async (id: string, { user }: { user?: string }) => {
      await administer((administration) => administration.revokeToken(user, id));
      output.note(`Revoked token ${id}.`);
    });
  withDataHelp(
    create,
    "vitrine tokens create --user ada --scopes reports:read,reports:write",
    "vitrine tokens create --user ada --workspace acme --scopes reports:write --name CI --expires 90d",
  );
  withDataHelp(list, "vitrine tokens list", "vitrine tokens list --user ada --json");
  withDataHelp(revoke, "vitrine tokens revoke tok_5Z0cAmupNetP0lZJ");
  return tokens;
}

function printTokens(output: Output, tokens: readonly ListedToken[]): void {
  printTable(
    output,
    ["ID", "USER", "NAME", "WORKSPACE", "SCOPES", "CREATED", "EXPIRES", "LAST USED"],
    tokens.map((token) => [
      token.id,
      token.userSlug,
      token.name,
      token.workspaceSlug,
      token.scopes.join(","),
      timeCell(output, token.createdAt),
      timeCell(output, token.expiresAt),
      timeCell(output, token.lastUsedAt),
    ]),
  );
}
