import { Command, Option } from "commander";
import {
  confirm,
  describeContents,
  JSON_OPTION,
  planOption,
  printJson,
  sizeCell,
  timeCell,
  YES_OPTION,
} from "./administering.ts";
import type { Administer, ListedUser, Plan, ShownUser, UserFilter } from "./administration.ts";
import { filled, withDataHelp } from "./options.ts";
import { CommandError, type Output } from "./output.ts";
import { printTable } from "./table.ts";
import { counted } from "./text.ts";

interface CreateOptions {
  email: string;
  slug: string;
  name?: string;
  plan?: Plan;
  password?: string;
  init?: boolean;
}

export function usersCommand(administer: Administer, output: Output): Command {
  return new Command("users")
    .description("Manage users.")
    .addCommand(createCommand(administer, output))
    .addCommand(listCommand(administer, output))
    .addCommand(showCommand(administer, output))
    .addCommand(disableCommand(administer, output))
    .addCommand(enableCommand(administer, output))
    .addCommand(resetPasswordCommand(administer, output))
    .addCommand(deleteCommand(administer, output))
    .addCommand(grantCommand(administer, output))
    .addCommand(revokeCommand(administer, output));
}

function createCommand(administer: Administer, output: Output): Command {
  const command = new Command("create")
    .description("Create a user, with a workspace of the same slug.")
    .requiredOption("--email <address>", "email address to sign in with")
    .requiredOption("--slug <slug>", "name of the user and the workspace in links, such as ada")
    .option("--name <name>", "display name")
    .addOption(planOption())
    .option("--password <password>", "password (default: ask for it on a terminal; otherwise generate and print one)")
    .option("--init", "create the data directory or the database tables if they don't exist yet")
    .action((options: CreateOptions) => createUser(options, administer, output));
  return withDataHelp(command, "vitrine users create --email ada@example.org --slug ada --name 'Ada Lovelace'");
}

async function createUser(options: CreateOptions, administer: Administer, output: Output): Promise<void> {
  const { init = false, ...user } = options;
  // Before asking for a password, to refuse the wrong directory first.
  if (!init) await administer(async () => undefined);
  const chosen =
    options.password ?? (process.stdin.isTTY === true ? await askForPassword("for the new user") : undefined);
  await administer(
    async (administration) => {
      const password = chosen ?? administration.makePassword();
      await administration.createUser({ ...user, password });
      output.note(`Created user ${options.slug}.`);
      if (chosen === undefined) output.out(password);
    },
    { mayInitialize: init },
  );
}

async function askForPassword(whose: string): Promise<string> {
  const { isCancel, password } = await import("@clack/prompts");
  const answer = await password({ message: `Password ${whose} (at least 10 characters)` });
  if (isCancel(answer)) throw new CommandError("Cancelled. Nothing was changed.");
  return answer;
}

function listCommand(administer: Administer, output: Output): Command {
  const command = new Command("list")
    .description("List users, sorted by slug.")
    .option("--contains <text>", "only users whose slug, name or email address contains this text")
    .addOption(new Option("--state <state>", "only these users").choices(["active", "disabled", "operator"]))
    .option(...JSON_OPTION)
    .action(async ({ json, ...filter }: UserFilter & { json?: boolean }) => {
      const users = await administer((administration) => administration.listUsers(filter));
      if (json) return printJson(output, { users });
      if (users.length === 0) return output.note("No users found.");
      const header = ["USER", "EMAIL", "NAME", "STATE", "PLAN", "STORED", "LAST SEEN", "CREATED"];
      printTable(
        output,
        header,
        users.map((user) => [
          user.slug,
          user.email,
          user.name ?? "-",
          stateOf(user),
          user.plan,
          sizeCell(output, user.storedBytes),
          timeCell(output, user.lastSeenAt),
          timeCell(output, user.createdAt),
        ]),
      );
    });
  return withDataHelp(command, "vitrine users list", "vitrine users list --state disabled --json");
}

const stateOf = ({ isOperator, disabledAt }: ListedUser): string =>
  [disabledAt === null ? "active" : "disabled", ...(isOperator ? ["operator"] : [])].join(", ");

function showCommand(administer: Administer, output: Output): Command {
  const command = new Command("show")
    .description("Show a user with their organizations, sessions and access tokens.")
    .argument("<user>", "slug of the user")
    .option(...JSON_OPTION)
    .action(async (slug: string, { json }: { json?: boolean }) => {
      const user = await administer((administration) => administration.showUser(slug));
      if (json) printJson(output, user);
      else for (const [label, value] of describeUser(user, output)) output.out(`${`${label}:`.padEnd(16)}${value}`);
    });
  return withDataHelp(command, "vitrine users show ada", "vitrine users show ada --json");
}

function describeUser(user: ShownUser, output: Output): [label: string, value: string][] {
  const signIn = [...(user.hasPassword ? ["password"] : []), ...user.issuers];
  const organizations = user.organizations.map(({ slug, role }) => `${slug} (${role})`);
  return [
    ["User", user.slug],
    ["Email", user.email],
    ["Name", user.name ?? "-"],
    ["State", stateOf(user)],
    ["Signs in with", signIn.join(", ") || "-"],
    ["Plan", user.plan],
    ["Reports", describeContents(user)],
    ["Organizations", organizations.join(", ") || "none"],
    ["Sessions", String(user.sessions)],
    ["Access tokens", String(user.tokens)],
    ["Last seen", timeCell(output, user.lastSeenAt)],
    ["Created", timeCell(output, user.createdAt)],
  ];
}

function disableCommand(administer: Administer, output: Output): Command {
  const command = new Command("disable")
    .description(
      "Sign a user out everywhere and refuse their access tokens and sign-ins. Their reports stay as they are.",
    )
    .argument("<user>", "slug of the user")
    .action(async (user: string) => {
      await administer((administration) => administration.disableUser(user));
      output.note(`Disabled ${user}. Their reports and links still work. To undo, run: vitrine users enable ${user}`);
    });
  return withDataHelp(command, "vitrine users disable ada");
}

function enableCommand(administer: Administer, output: Output): Command {
  const command = new Command("enable")
    .description("Let a disabled user sign in again. Their access tokens work again.")
    .argument("<user>", "slug of the user")
    .action(async (user: string) => {
      await administer((administration) => administration.enableUser(user));
      output.note(`Enabled ${user}.`);
    });
  return withDataHelp(command, "vitrine users enable ada");
}

function resetPasswordCommand(administer: Administer, output: Output): Command {
  const command = new Command("reset-password")
    .description("Print a link with which a user sets a new password. It works once and expires in one hour.")
    .argument("<user>", "slug of the user")
    .option("--password <password>", "set this password instead, and end all of the user's sessions")
    .action(async (user: string, { password }: { password?: string }) => {
      if (password === undefined) {
        const link = await administer((administration) => administration.createResetLink(user));
        output.note(`Send this link to ${user}. It works once and expires in one hour.`);
        return output.out(link);
      }
      await administer((administration) => administration.setPassword(user, password));
      output.note(`Changed the password of ${user} and ended their sessions.`);
    });
  return withDataHelp(
    command,
    "vitrine users reset-password ada",
    "vitrine users reset-password ada --password 'a temporary password'",
  );
}

function deleteCommand(administer: Administer, output: Output): Command {
  const command = new Command("delete")
    .description("Permanently delete a user with their own reports. What they published in organizations stays there.")
    .argument("<user>", "slug of the user")
    .option(...YES_OPTION)
    .addHelpText("after", filled(DELETE_HELP))
    .action(async (slug: string, options: { yes?: boolean }) => {
      const user = await administer((administration) => administration.showUser(slug));
      await confirm(`delete user ${slug} (${user.email}) with ${describeContents(user)}`, options);
      const { reports } = await administer((administration) => administration.deleteUser(slug));
      output.note(`Deleted user ${slug} with ${counted(reports, "report")}.`);
    });
  return withDataHelp(command, "vitrine users delete ada", "vitrine users delete ada --yes");
}

const DELETE_HELP = `
To keep the reports, first run vitrine workspaces transfer. The only owner of an
organization can't be deleted. The server deletes the files within a day.`;

function grantCommand(administer: Administer, output: Output): Command {
  const command = new Command("grant-operator")
    .description("Let a user administer this server in the portal.")
    .argument("<user>", "slug of the user")
    .action(async (user: string) => {
      await administer((administration) => administration.grantOperator(user));
      output.note(`${user} is now an operator and can administer this server at /-/admin.`);
    });
  return withDataHelp(command, "vitrine users grant-operator ada");
}

function revokeCommand(administer: Administer, output: Output): Command {
  const command = new Command("revoke-operator")
    .description("Take the operator role from a user.")
    .argument("<user>", "slug of the user")
    .action(async (user: string) => {
      await administer((administration) => administration.revokeOperator(user));
      output.note(`${user} is no longer an operator.`);
    });
  return withDataHelp(command, "vitrine users revoke-operator ada");
}
