import type { Command } from "commander";
import type { Administer } from "./administration.ts";
import type { Backups } from "./backup.ts";
import type { BlobMaintenance } from "./blobs.ts";
import type { CliContext } from "./cli-context.ts";
import type { Copying } from "./copying.ts";
import type { Examine } from "./doctor.ts";
import type { CheckHealth } from "./healthcheck.ts";
import type { ServeMcp } from "./mcp.ts";
import type { Serve, SettingHelp } from "./serve.ts";
import type { DescribeSettings } from "./settings.ts";

/** What commands need from the rest of the program. */
export interface CommandDependencies {
  context: CliContext;
  administer: Administer;
  backups: Backups;
  copying: Copying;
  maintenance: BlobMaintenance;
  serve: Serve;
  checkHealth: CheckHealth;
  serveMcp: ServeMcp;
  settingHelp: () => Promise<readonly SettingHelp[]>;
  describeSettings: DescribeSettings;
  examine: Examine;
}

type Load = (dependencies: CommandDependencies) => Promise<Command>;

/** All commands under their headings, in the order of the help. A command is loaded only when it is needed. */
const SECTIONS: Readonly<Record<string, Readonly<Record<string, Load>>>> = {
  "Sign-in:": {
    login: async ({ context }) => (await import("./login.ts")).loginCommand(context),
    logout: async ({ context }) => (await import("./logout.ts")).logoutCommand(context),
    whoami: async ({ context }) => (await import("./whoami.ts")).whoamiCommand(context),
  },
  "Publish and read:": {
    publish: async ({ context }) => (await import("./publish.ts")).publishCommand(context),
    list: async ({ context }) => (await import("./list.ts")).listCommand(context),
    search: async ({ context }) => (await import("./search.ts")).searchCommand(context),
    show: async ({ context }) => (await import("./show.ts")).showCommand(context),
    versions: async ({ context }) => (await import("./versions.ts")).versionsCommand(context),
    seen: async ({ context }) => (await import("./seen.ts")).seenCommand(context),
    comments: async ({ context }) => (await import("./comments.ts")).commentsCommand(context),
    open: async ({ context }) => (await import("./open.ts")).openCommand(context),
    get: async ({ context }) => (await import("./get.ts")).getCommand(context),
    diff: async ({ context }) => (await import("./diff.ts")).diffCommand(context),
    changes: async ({ context }) => (await import("./changes.ts")).changesCommand(context),
  },
  "Manage reports:": {
    "set-latest": async ({ context }) => (await import("./set-latest.ts")).setLatestCommand(context),
    visibility: async ({ context }) => (await import("./visibility.ts")).visibilityCommand(context),
    link: async ({ context }) => (await import("./link.ts")).linkCommand(context),
    share: async ({ context }) => (await import("./share.ts")).shareCommand(context),
    storage: async ({ context }) => (await import("./storage.ts")).storageCommand(context),
    title: async ({ context }) => (await import("./title.ts")).titleCommand(context),
    rename: async ({ context }) => (await import("./rename.ts")).renameCommand(context),
    file: async ({ context }) => (await import("./file.ts")).fileCommand(context),
    tag: async ({ context }) => (await import("./tag.ts")).tagCommand(context),
    delete: async ({ context }) => (await import("./delete.ts")).deleteCommand(context),
    trash: async ({ context }) => (await import("./trash.ts")).trashCommand(context),
    undo: async ({ context }) => (await import("./undo.ts")).undoCommand(context),
    protect: async ({ context }) => (await import("./protect.ts")).protectCommand(context),
    unprotect: async ({ context }) => (await import("./protect.ts")).unprotectCommand(context),
    retention: async ({ context }) => (await import("./retention.ts")).retentionCommand(context),
  },
  "Agents:": {
    mcp: async ({ context, serveMcp }) => (await import("./mcp.ts")).mcpCommand(context, serveMcp),
  },
  "Server:": {
    serve: async ({ settingHelp, serve }) => (await import("./serve.ts")).serveCommand(await settingHelp(), serve),
    healthcheck: async ({ checkHealth }) => (await import("./healthcheck.ts")).healthcheckCommand(checkHealth),
    settings: async ({ settingHelp, describeSettings, context }) =>
      (await import("./settings.ts")).settingsCommand(await settingHelp(), describeSettings, context.output),
    doctor: async ({ settingHelp, examine, context }) =>
      (await import("./doctor.ts")).doctorCommand(await settingHelp(), examine, context.output),
  },
  "Administration (run where the server's data is):": {
    users: async ({ administer, context }) => (await import("./users.ts")).usersCommand(administer, context.output),
    orgs: async ({ administer, context }) => (await import("./orgs.ts")).orgsCommand(administer, context.output),
    workspaces: async ({ administer, context }) =>
      (await import("./workspaces.ts")).workspacesCommand(administer, context.output),
    tokens: async ({ administer, context }) => (await import("./tokens.ts")).tokensCommand(administer, context.output),
    sessions: async ({ administer, context }) =>
      (await import("./sessions.ts")).sessionsCommand(administer, context.output),
    plans: async ({ administer, context }) => (await import("./plans.ts")).plansCommand(administer, context.output),
    audit: async ({ administer, context }) => (await import("./audit.ts")).auditCommand(administer, context.output),
    blobs: async ({ copying, maintenance, context: { output } }) =>
      (await import("./blobs.ts")).blobsCommand({ copying, maintenance, output }),
    backup: async ({ backups, context }) => (await import("./backup.ts")).backupCommand(backups, context.output),
    restore: async ({ backups, context }) => (await import("./restore.ts")).restoreCommand(backups, context.output),
    verify: async ({ backups, context }) => (await import("./verify.ts")).verifyCommand(backups, context.output),
    db: async ({ copying, context }) => (await import("./copying.ts")).databaseCommand(copying, context.output),
  },
  "Help:": {
    completion: async ({ context }) => (await import("./completion.ts")).completionCommand(context),
    help: async ({ context }) => (await import("./help.ts")).helpCommand(context),
  },
};

/** Commands that describe all the others. */
const NEED_ALL = ["completion", "help"];

const COMMANDS = Object.entries(SECTIONS).flatMap(([heading, loads]) =>
  Object.entries(loads).map(([name, load]) => ({ name, load, heading })),
);

/** Other names of commands, which the commands declare too. */
const ALIASES: Readonly<Record<string, string>> = { ls: "list", log: "versions", rm: "delete", rollback: "set-latest" };

/** Returns the commands that a command line needs: the one it names, or all of them. */
export async function loadCommands(args: readonly string[], dependencies: CommandDependencies): Promise<Command[]> {
  const [word = ""] = args;
  const first = ALIASES[word] ?? word;
  if (["--version", "-v"].includes(first)) return [];
  const isOne = !NEED_ALL.includes(first) && COMMANDS.some(({ name }) => name === first);
  const needed = COMMANDS.filter(({ name }) => !isOne || name === first);
  return Promise.all(needed.map(async ({ load, heading }) => (await load(dependencies)).helpGroup(heading)));
}
