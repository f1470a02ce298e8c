import { describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listRoute } from "../../src/contract/reports/lists.ts";
import { type Ended, vitrine, vitrineOnTerminal } from "../support/cli.ts";
import { createTestDatabase, describeOneEngine, type EngineName } from "../support/engines.ts";
import { startService } from "../support/service.ts";

/** Opens an administrator's shell with its own database, which is removed when the test ends. */
async function openShell(engine: EngineName = "sqlite") {
  const database = await createTestDatabase(engine);
  const environment = {
    VITRINE_DATA_DIR: database.dataDir,
    ...(database.databaseUrl === undefined ? {} : { VITRINE_DATABASE_URL: database.databaseUrl }),
  };
  return {
    database,
    run: (line: string) => vitrine(line.split(" "), { environment }),
    [Symbol.asyncDispose]: database.remove,
  };
}

const failed = (sentence: string): Ended => ({ code: 1, stdout: "", stderr: `vitrine: ${sentence}\n` });
const done = (sentence: string): Ended => ({ code: 0, stdout: "", stderr: `${sentence}\n` });

describe("administration", () => {
  test("users: the password is given or generated; slugs and addresses are unique", async () => {
    await using shell = await openShell();
    const made = await shell.run("users create --init --email ada@example.org --slug ada");
    expect(made).toEqual({ code: 0, stdout: expect.stringMatching(/^[0-9A-Za-z]{20}\n$/), stderr: expect.any(String) });
    expect(made.stderr).toBe("Created user ada.\n");
    expect(await shell.run("users create --email bob@example.org --slug bob --password correct-horse")).toEqual(
      done("Created user bob."),
    );
    expect(await shell.run("users create --email eve@example.org --slug ada")).toEqual(
      failed('The slug "ada" is taken. Choose another one.'),
    );
    expect(await shell.run("users create --email ADA@example.org --slug eve")).toEqual(
      failed('The email address "ada@example.org" is taken. Use another address.'),
    );
    expect(await shell.run("users create --email eve --slug eve")).toEqual(
      failed('email "eve" isn\'t a valid email address. Check it for typos.'),
    );
    expect((await shell.run("users create --email eve@example.org --slug Eve")).stderr).toStartWith('vitrine: slug "');
    expect(await shell.run("users create --email eve@example.org --slug eve --password short")).toEqual(
      failed("password must have at least 10 characters."),
    );
    // The failures left nothing behind.
    expect((await shell.run("users create --email eve@example.org --slug eve --password correct-horse")).code).toBe(0);
  });

  test("organizations, members, plans", async () => {
    await using shell = await openShell();
    for (const slug of ["ada", "bob"]) {
      await shell.run(`users create --init --email ${slug}@example.org --slug ${slug} --password correct-horse`);
    }
    expect(await shell.run("orgs create --slug acme --name Acme --owner ada")).toEqual(
      done("Created organization acme."),
    );
    expect(await shell.run("orgs create --slug acme --name Acme --owner ada")).toEqual(
      failed('The slug "acme" is taken. Choose another one.'),
    );
    expect(await shell.run("orgs create --slug other --name Other --owner eve")).toEqual(
      failed('User "eve" not found. Check the slug.'),
    );
    expect(await shell.run("orgs add-member --org acme --user bob --role admin")).toEqual(
      done("Added bob to acme as admin."),
    );
    expect(await shell.run("orgs add-member --org acme --user bob")).toEqual(
      failed("The user is already a member. Change their role instead."),
    );
    expect(await shell.run("orgs add-member --org none --user bob")).toEqual(
      failed('Organization "none" not found. Check the slug.'),
    );
    expect(await shell.run("plans set --workspace acme --plan free")).toEqual(done("acme is now on the free plan."));
    expect(await shell.run("plans set --workspace none --plan free")).toEqual(
      failed('Workspace "none" not found. Check the slug.'),
    );
  });

  test("tokens: invalid options", async () => {
    await using shell = await openShell();
    await shell.run("users create --init --email ada@example.org --slug ada --password correct-horse");
    const create = (rest: string) => shell.run(`tokens create ${rest}`);
    expect(await create("--user eve --scopes reports:read")).toEqual(failed('User "eve" not found. Check the slug.'));
    expect((await create("--user ada --scopes reports:all")).stderr).toStartWith(
      'vitrine: scopes has the unknown scope "reports:all"',
    );
    expect((await create("--user ada --scopes reports:read --expires soon")).stderr).toStartWith(
      "vitrine: expires must",
    );
    expect((await create("--user ada --scopes reports:read --workspace none")).stderr).toContain('"none"');
    expect(await shell.run("tokens list --user eve")).toEqual(failed('User "eve" not found. Check the slug.'));
  });
});

describeOneEngine("tokens", (engine) => {
  test("are created, listed, used while the server runs, and revoked", async () => {
    await using shell = await openShell(engine);
    await shell.run("users create --init --email ada@example.org --slug ada --password correct-horse");
    expect(await shell.run("tokens list --user ada")).toEqual(done("ada has no access tokens."));
    await using service = await startService({ database: shell.database });

    const made = await shell.run(
      "tokens create --user ada --scopes reports:read,reports:delete --name CI --expires 90d",
    );
    expect(made.code).toBe(0);
    expect(made.stdout).toMatch(/^vtr_[0-9A-Za-z]{49}\n$/);
    const [id = ""] = /tok_[0-9A-Za-z]+/.exec(made.stderr) ?? [];
    const token = made.stdout.trim();
    expect((await service.client(token).call(listRoute)).owners).toMatchObject([{ slug: "ada" }]);

    const { stdout } = await shell.run("tokens list --user ada");
    const [row = "", ...more] = stdout.trimEnd().split("\n");
    expect(row.split("\t").slice(0, 5)).toEqual([id, "ada", "CI", "ada", "reports:read,reports:delete"]);
    expect(more).toEqual([]);
    expect((await shell.run("tokens list")).stdout).toBe(stdout);
    expect(stdout).not.toContain(token);

    expect(await shell.run(`tokens revoke ${id} --user ada`)).toEqual(done(`Revoked token ${id}.`));
    expect(await shell.run(`tokens revoke ${id} --user ada`)).toEqual(
      failed(`Access token "${id}" not found. It may have been revoked already.`),
    );
    await expect(service.client(token).call(listRoute)).rejects.toMatchObject({ status: 401 });
  });
});

describe("on a terminal", () => {
  const prompt = "Password for the new user";
  const create = ["users", "create", "--init", "--email", "ada@example.org", "--slug", "ada"];

  async function onTerminal(keys: string) {
    const dataDir = await mkdtemp(join(tmpdir(), "vitrine-test-"));
    try {
      return await vitrineOnTerminal(create, {
        environment: { VITRINE_DATA_DIR: dataDir },
        type: [{ after: prompt, keys }],
      });
    } finally {
      await rm(dataDir, { recursive: true });
    }
  }

  test("asks for the password of a new user without showing it", async () => {
    const { code, screen } = await onTerminal("correct horse\r");
    expect(code).toBe(0);
    expect(screen).toContain(prompt);
    expect(screen).toContain("Created user ada.");
    expect(screen).not.toContain("correct horse");
  });

  test("a password that is too short is refused", async () => {
    const { code, screen } = await onTerminal("short\r");
    expect(code).toBe(1);
    expect(screen).toContain("password must have at least 10 characters.");
  });

  test("Ctrl-C creates no user", async () => {
    const { code, screen } = await onTerminal("\u0003");
    expect(code).toBe(1);
    expect(screen).toContain("Cancelled. Nothing was changed.");
  });
});
