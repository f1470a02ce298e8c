import { Command, Option } from "commander";
import type { Administer, Plan } from "./administration.ts";
import { withDataHelp } from "./options.ts";
import { CommandError, type Output } from "./output.ts";

interface CreateOptions {
  email: string;
  slug: string;
  name?: string;
  plan?: Plan;
  password?: string;
}

export const planOption = () =>
  new Option("--plan <plan>", "plan of the workspace (default: VITRINE_DEFAULT_PLAN, or pro)").choices(["free", "pro"]);

export function usersCommand(administer: Administer, output: Output): Command {
  const users = new Command("users").description("Manage users.");
  const create = users
    .command("create")
    .description("Create a user, with a workspace of the same slug.")
    .requiredOption("--email <address>", "email address to sign in with")
    .requiredOption("--slug <slug>", "name of the user and the workspace in links, such as ada")
    .option("--name <name>", "display name")
    .addOption(planOption())
    .option("--password <password>", "password (default: ask for it on a terminal; otherwise generate and print one)")
    .action((options: CreateOptions) => createUser(options, administer, output));
  const grant = users
    .command("grant-operator")
    .argument("<user>", "slug of the user")
    .description("Let a user administer this server in the portal.")
    .action(async (user: string) => {
      await administer((administration) => administration.grantOperator(user));
      output.note(`${user} is now an operator. They can administer this server at /-/admin.`);
    });
  const revoke = users
    .command("revoke-operator")
    .argument("<user>", "slug of the user")
    .description("Take the operator role from a user.")
    .action(async (user: string) => {
      await administer((administration) => administration.revokeOperator(user));
      output.note(`${user} is no longer an operator.`);
    });
  withDataHelp(grant, "vitrine users grant-operator ada");
  withDataHelp(revoke, "vitrine users revoke-operator ada");
  withDataHelp(create, "vitrine users create --email ada@example.org --slug ada --name 'Ada Lovelace'");
  return users;
}

async function createUser(options: CreateOptions, administer: Administer, output: Output): Promise<void> {
  const chosen = options.password ?? (process.stdin.isTTY === true ? await askForPassword() : undefined);
  await administer(async (administration) => {
    const password = chosen ?? administration.makePassword();
    await administration.createUser({ ...options, password });
    output.note(`Created user ${options.slug}.`);
    if (chosen === undefined) output.out(password);
  });
}

async function askForPassword(): Promise<string> {
  const { isCancel, password } = await import("@clack/prompts");
  const answer = await password({ message: "Password for the new user (at least 10 characters)" });
  if (isCancel(answer)) throw new CommandError("Cancelled. No user was created.");
  return answer;
}
