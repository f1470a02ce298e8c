import { expect, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildPublication } from "../store/support.ts";
import { createTestDatabase, describeOneEngine, type EngineName } from "../support/engines.ts";
import { createFactories } from "../support/service.ts";
import { use } from "../support/use.ts";
import { createShell, listCommands } from "./commands.ts";

/** Valid arguments of each administration command. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  "users create": "--email a@example.org --slug ada --password correct-horse",
  "users list": "",
  "users show": "ada",
  "users disable": "ada",
  "users enable": "ada",
  "users reset-password": "ada",
  "users delete": "ada --yes",
  "users grant-operator": "ada",
  "users revoke-operator": "ada",
  "orgs create": "--slug acme --name Acme --owner ada",
  "orgs list": "",
  "orgs show": "acme",
  "orgs add-member": "--org acme --user ada",
  "orgs set-role": "--org acme --user ada --role admin",
  "orgs remove-member": "--org acme --user ada",
  "orgs delete": "acme --yes",
  "workspaces list": "",
  "workspaces transfer": "ada acme --yes",
  "workspaces delete": "acme --yes",
  "tokens create": "--user ada --scopes reports:read",
  "tokens list": "",
  "tokens revoke": "tok_1",
  "sessions end": "--all",
  "plans set": "--workspace ada --plan free",
  "blobs adopt": "--yes",
  "blobs sweep": "",
  "blobs damaged": "",
  audit: "",
  backup: "/nonexistent/backups",
  verify: "",
};
/** Commands that name their places instead of reading the settings, or that fill an empty one. */
const ELSEWHERE = ["blobs copy", "db copy", "restore"];

const words = (line: string) => line.split(" ").filter((word) => word !== "");

test("no administration command creates a data directory in the wrong place", async () => {
  const place = await mkdtemp(join(tmpdir(), "vitrine-test-"));
  const dataDir = join(place, "vitrine-data");
  const run = createShell({ VITRINE_DATA_DIR: dataDir });
  try {
    const commands = (await listCommands("Administration")).filter((command) => !ELSEWHERE.includes(command));
    expect(commands.toSorted()).toEqual(Object.keys(ARGUMENTS).toSorted());
    for (const command of commands) {
      const { error, isUsage, out } = await run(...words(command), ...words(ARGUMENTS[command] ?? ""));
      expect({ command, error, isUsage, out }).toEqual({
        command,
        error: `"${dataDir}" doesn't contain the data of a Vitrine server. Set VITRINE_DATA_DIR to the server's data directory, or run vitrine serve to create a new one.`,
        isUsage: true,
        out: [],
      });
      expect(await readdir(place)).toEqual([]);
    }
    const created = await run("users", "create", "--init", ...words(ARGUMENTS["users create"] ?? ""));
    expect(created).toMatchObject({ error: undefined, notes: ["Created user ada."] });
    expect((await run("users", "list")).out).toHaveLength(1);
  } finally {
    await rm(place, { recursive: true });
  }
});

async function openScene(engine: EngineName) {
  const database = await createTestDatabase(engine);
  const store = await database.openStore();
  const settings = {
    VITRINE_DATA_DIR: database.dataDir,
    ...(database.databaseUrl === undefined ? {} : { VITRINE_DATABASE_URL: database.databaseUrl }),
  };
  const run = createShell(settings, store);
  return {
    build: createFactories(store),
    store,
    run,
    json: async (...line: string[]) => JSON.parse((await run(...line, "--json")).out.join("\n")),
    async [Symbol.asyncDispose]() {
      await store.close();
      await database.remove();
    },
  };
}

describeOneEngine("administration commands", (engine) => {
  const scene = use(() => openScene(engine));

  test("list and show users, for people and for scripts", async () => {
    const { build, run, json } = scene;
    await build.user({ slug: "ada" });
    await build.user({ slug: "bob", plan: "free" });
    await run("users", "disable", "bob");
    const { out } = await run("users", "list");
    expect(out.map((line) => line.split("\t").slice(0, 5))).toEqual([
      ["ada", "ada@example.org", "-", "active", "pro"],
      ["bob", "bob@example.org", "-", "disabled", "free"],
    ]);
    const { users } = await json("users", "list", "--state", "disabled");
    expect(users).toMatchObject([
      { slug: "bob", is_operator: false, disabled_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/), stored_bytes: 0 },
    ]);
    expect(await json("users", "show", "ada")).toMatchObject({ has_password: true, organizations: [], tokens: 1 });
    expect((await run("users", "show", "ada")).out.join("\n")).toMatch(/^User: +ada\nEmail: +ada@example.org\n/);
    expect((await run("users", "show", "nope")).error).toBe('User "nope" not found. Check the slug.');
    expect((await run("users", "enable", "bob")).notes).toEqual(["Enabled bob."]);
    expect((await run("users", "list", "--contains", "zzz")).notes).toEqual(["No users found."]);
  });

  test("say what a deletion takes, and need --yes", async () => {
    const { build, run, store } = scene;
    await build.user({ slug: "carl" });
    const carl = await store.people.findUserBySlug("carl");
    const owner = { userId: carl?.id ?? "", workspaceId: carl?.workspaceId ?? "" };
    await store.publishing.publish(buildPublication(owner, { size: 2_048 }));
    const refused = await run("users", "delete", "carl");
    expect(refused).toMatchObject({
      error: "This can't be undone. Pass --yes to delete user carl (carl@example.org) with 1 report (2 KB).",
      isUsage: true,
    });
    await build.user({ slug: "dora" });
    await run("orgs", "create", "--slug", "team", "--name", "Team", "--owner", "dora");
    expect((await run("workspaces", "transfer", "carl", "team")).error).toBe(
      "This can't be undone. Pass --yes to move 1 report (2 KB) from carl to team.",
    );
    expect((await run("workspaces", "transfer", "carl", "team", "--yes")).notes).toEqual([
      "Moved 1 report from carl to team.",
    ]);
    expect((await run("users", "delete", "carl", "--yes")).notes).toEqual(["Deleted user carl with 0 reports."]);
    expect((await run("users", "delete", "dora", "--yes")).error).toStartWith("dora is the only owner of team.");
    expect((await run("workspaces", "delete", "dora", "--yes")).error).toBe(
      "dora is a person's workspace. To delete it, run: vitrine users delete dora",
    );
    expect((await run("workspaces", "delete", "team")).error).toContain("organization team with 1 report (2 KB)");
    expect((await run("workspaces", "delete", "team", "--yes")).notes).toEqual([
      "Deleted organization team with 1 report.",
    ]);
  });

  test("change members, and list workspaces by storage", async () => {
    const { build, run, json } = scene;
    for (const slug of ["emil", "fred"]) await build.user({ slug });
    await run("orgs", "create", "--slug", "guild", "--name", "Guild", "--owner", "emil");
    expect((await run("orgs", "add-member", "--org", "guild", "--user", "fred")).notes).toEqual([
      "Added fred to guild as member.",
    ]);
    expect((await run("orgs", "set-role", "--org", "guild", "--user", "fred", "--role", "owner")).notes).toEqual([
      "fred now has the role owner in guild.",
    ]);
    expect((await run("orgs", "remove-member", "--org", "guild", "--user", "emil")).notes).toEqual([
      "Removed emil from guild.",
    ]);
    expect(await json("orgs", "show", "guild")).toMatchObject({ slug: "guild", members: [{ slug: "fred" }] });
    expect(await json("orgs", "list", "--contains", "GUILD")).toMatchObject({ organizations: [{ members: 1 }] });
    const { workspaces } = await json("workspaces", "list", "--by", "storage");
    const sizes = workspaces.map(({ stored_bytes }: { stored_bytes: number }) => stored_bytes);
    expect(sizes).toEqual(sizes.toSorted((one: number, other: number) => other - one));
  });

  test("reset passwords, end sessions, and revoke tokens of anyone", async () => {
    const { build, run, json } = scene;
    await build.user({ slug: "gina" });
    const { out, notes } = await run("users", "reset-password", "gina");
    expect(out).toEqual([expect.stringMatching(/^http:\/\/localhost:4000\/-\/reset-password\?token=\w{32}$/)]);
    expect(notes).toEqual(["Send this link to gina. It works once and expires in one hour."]);
    expect((await run("users", "reset-password", "gina", "--password", "short")).error).toContain("at least 10");
    expect((await run("users", "reset-password", "gina", "--password", "long enough")).notes).toEqual([
      "Changed the password of gina and ended their sessions.",
    ]);
    expect((await run("sessions", "end", "--user", "gina")).notes).toEqual(["Ended 0 sessions."]);
    expect((await run("sessions", "end")).error).toStartWith("Pass --user");
    const { tokens } = await json("tokens", "list");
    const [token] = tokens.filter(({ user_slug }: { user_slug: string }) => user_slug === "gina");
    expect((await run("tokens", "revoke", token.id)).notes).toEqual([`Revoked token ${token.id}.`]);
    expect((await run("tokens", "list", "--user", "gina")).notes).toEqual(["gina has no access tokens."]);
  });

  test("grant and revoke the operator role", async () => {
    const { build, run, json } = scene;
    await build.user({ slug: "hedy" });
    expect((await run("users", "grant-operator", "hedy")).notes).toEqual([
      "hedy is now an operator and can administer this server at /-/admin.",
    ]);
    expect(await json("users", "list", "--state", "operator")).toMatchObject({ users: [{ slug: "hedy" }] });
    await run("users", "revoke-operator", "hedy");
    expect(await json("users", "list", "--state", "operator")).toEqual({ users: [] });
  });
});
