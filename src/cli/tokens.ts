import { Command } from "commander";
import type { Administer, ListedToken } from "./administration.ts";
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
  tokens
    .command("create")
    .description("Make a token and print it; it is not shown again.")
    .requiredOption("--user <user>", "slug of the user it speaks for")
    .option("--workspace <slug>", "workspace into which it uploads (default: the user's own)")
    .requiredOption("--scopes <scopes>", "comma-separated: reports:read, reports:write, reports:delete")
    .option("--name <name>", "what it is for")
    .option("--expires <duration>", "such as 90d or 12h (default: never)")
    .action(async ({ user, workspace, scopes, name, expires }: CreateOptions) => {
      const wanted = {
        userSlug: user,
        workspaceSlug: workspace,
        scopes: scopes.split(",").map((scope) => scope.trim()),
        name,
        expires,
      };
      const { id, token } = await administer((administration) => administration.createToken(wanted));
      output.note(`Created the token ${id}. Keep it safe; it is not shown again.`);
      output.out(token);
    });
  tokens
    .command("list")
    .description("List a user's tokens, without their secrets.")
    .requiredOption("--user <user>", "slug of the user")
    .action(async ({ user }: { user: string }) => {
      const listed = await administer((administration) => administration.listTokens(user));
      if (listed.length === 0) output.note(`${user} has no tokens.`);
      else for (const line of asTable(listed)) output.out(line);
    });
  tokens
    .command("revoke <id>")
    .description("End a token at once.")
    .requiredOption("--user <user>", "slug of the user it speaks for")
    .action(async (id: string, { user }: { user: string }) => {
      await administer((administration) => administration.revokeToken(user, id));
      output.note(`Revoked the token ${id}.`);
    });
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
