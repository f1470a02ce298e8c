import type { Command } from "commander";
import type { Administer } from "./administration.ts";
import type { Upkeep } from "./blobs.ts";
import type { ServeMcp } from "./mcp.ts";
import type { Moving } from "./moving.ts";
import type { Serve, SettingHelp } from "./serve.ts";
import type { Surroundings } from "./surroundings.ts";

/** What commands are made of. */
export interface Parts {
  surroundings: Surroundings;
  administer: Administer;
  moving: Moving;
  upkeep: Upkeep;
  serve: Serve;
  serveMcp: ServeMcp;
  settingHelp: () => Promise<readonly SettingHelp[]>;
}

type Load = (parts: Parts) => Promise<Command>;

/** Every command, in the order of the help and under its headings; each is loaded when it is wanted. */
const GROUPS: Readonly<Record<string, Readonly<Record<string, Load>>>> = {
  "Serving:": {
    serve: async ({ settingHelp, serve }) => (await import("./serve.ts")).serveCommand(await settingHelp(), serve),
  },
  "Signing in:": {
    login: async ({ surroundings }) => (await import("./login.ts")).loginCommand(surroundings),
    logout: async ({ surroundings }) => (await import("./logout.ts")).logoutCommand(surroundings),
    whoami: async ({ surroundings }) => (await import("./whoami.ts")).whoamiCommand(surroundings),
  },
  "Publishing and reading:": {
    publish: async ({ surroundings }) => (await import("./publish.ts")).publishCommand(surroundings),
    list: async ({ surroundings }) => (await import("./list.ts")).listCommand(surroundings),
    search: async ({ surroundings }) => (await import("./search.ts")).searchCommand(surroundings),
    show: async ({ surroundings }) => (await import("./show.ts")).showCommand(surroundings),
    versions: async ({ surroundings }) => (await import("./versions.ts")).versionsCommand(surroundings),
    open: async ({ surroundings }) => (await import("./open.ts")).openCommand(surroundings),
    get: async ({ surroundings }) => (await import("./get.ts")).getCommand(surroundings),
    diff: async ({ surroundings }) => (await import("./diff.ts")).diffCommand(surroundings),
  },
  "Changing:": {
    "set-latest": async ({ surroundings }) => (await import("./set-latest.ts")).setLatestCommand(surroundings),
    visibility: async ({ surroundings }) => (await import("./visibility.ts")).visibilityCommand(surroundings),
    rename: async ({ surroundings }) => (await import("./rename.ts")).renameCommand(surroundings),
    file: async ({ surroundings }) => (await import("./file.ts")).fileCommand(surroundings),
    tag: async ({ surroundings }) => (await import("./tag.ts")).tagCommand(surroundings),
    delete: async ({ surroundings }) => (await import("./delete.ts")).deleteCommand(surroundings),
  },
  "Agents:": {
    mcp: async ({ surroundings, serveMcp }) => (await import("./mcp.ts")).mcpCommand(surroundings, serveMcp),
  },
  "Administration, on the data of the server:": {
    users: async ({ administer, surroundings }) =>
      (await import("./users.ts")).usersCommand(administer, surroundings.output),
    orgs: async ({ administer, surroundings }) =>
      (await import("./orgs.ts")).orgsCommand(administer, surroundings.output),
    tokens: async ({ administer, surroundings }) =>
      (await import("./tokens.ts")).tokensCommand(administer, surroundings.output),
    plans: async ({ administer, surroundings }) =>
      (await import("./plans.ts")).plansCommand(administer, surroundings.output),
    blobs: async ({ moving, upkeep, surroundings: { output } }) =>
      (await import("./blobs.ts")).blobsCommand({ moving, upkeep, output }),
    db: async ({ moving, surroundings }) => (await import("./moving.ts")).databaseCommand(moving, surroundings.output),
  },
  "Help:": {
    completion: async ({ surroundings }) => (await import("./completion.ts")).completionCommand(surroundings),
    help: async ({ surroundings }) => (await import("./help.ts")).helpCommand(surroundings),
  },
};

/** Those that speak of all the others. */
const OF_ALL = ["completion", "help"];

const COMMANDS = Object.entries(GROUPS).flatMap(([heading, loads]) =>
  Object.entries(loads).map(([name, load]) => ({ name, load, heading })),
);

/** The commands that a command line needs: the one it names, or all. */
export async function loadCommands(args: readonly string[], parts: Parts): Promise<Command[]> {
  const [first = ""] = args;
  if (["--version", "-V"].includes(first)) return [];
  const isOne = !OF_ALL.includes(first) && COMMANDS.some(({ name }) => name === first);
  const wanted = COMMANDS.filter(({ name }) => !isOne || name === first);
  return Promise.all(wanted.map(async ({ load, heading }) => (await load(parts)).helpGroup(heading)));
}
