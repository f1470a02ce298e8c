import { beforeAll, expect, test } from "bun:test";
import packageJson from "../../package.json";
import { migrations } from "../../src/store/engine/migrations/index.ts";
import {
  type Facts,
  FIXTURE_VERSIONS,
  openFixture,
  type Read,
  read,
  readSaved,
  readSchema,
} from "../store/engine/upgrade-fixture.ts";
import { REPLICAS } from "../support/behind-nginx.ts";
import { vitrine } from "../support/cli.ts";
import { executeSql } from "../support/direct-sql.ts";
import { createTestDatabase, describeEachEngine, type EngineName } from "../support/engines.ts";
import { buildUpload, type Service, startService } from "../support/service.ts";
import { asPage, post, signIn } from "../support/sessions.ts";
import { describeIf } from "../support/skip.ts";
import { use } from "../support/use.ts";

const onlyHere = REPLICAS > 1 ? "the files of the fixture are in no bucket" : undefined;

describeIf("upgrading", onlyHere, () => {
  for (const version of FIXTURE_VERSIONS) describeEachEngine(`an installation of ${version}`, describeUpgrade(version));
});

/** Previews now have the bridge, so their path is no longer that of the version link. */
const withBridge = (saved: Read): Read =>
  readSchema.parse(
    JSON.parse(
      JSON.stringify(saved).replaceAll(
        '"preview_url":"https://content.example/',
        '"preview_url":"https://content.example/~framed/',
      ),
    ),
  );

function describeUpgrade(version: string) {
  return (engine: EngineName) => {
    const service: Service = use(async () => startService({ database: await openFixture(version, engine) }));
    let facts: Facts;
    let reads: Read[];

    beforeAll(async () => {
      ({ facts, reads } = await readSaved(version));
    });

    const asUser = (name: string) => ({ Authorization: `Bearer ${facts.tokens[name]}` });

    test("answers every read as before", async () => {
      expect(reads.length).toBeGreaterThan(100);
      await Promise.all(
        reads.map(async (saved) => {
          const expected = withBridge(saved);
          expect(await read(service, facts, expected)).toMatchObject(expected);
        }),
      );
    });

    test("knows its users by password, session and token", async () => {
      for (const slug of ["ada", "ben", "cleo"]) {
        const cookie = await signIn(service, { email: `${slug}@example.org`, password: facts.password });
        const account = await fetch(`${service.baseUrl}/api/account`, { headers: asPage(service, cookie) });
        expect(await account.json()).toMatchObject({ user: { slug } });
      }
      const wrong = { email: "ada@example.org", password: `${facts.password}!` };
      expect((await post(service, "/api/auth/sign-in/email", wrong)).status).toBe(401);
      const statusOf = async (headers: Record<string, string>) =>
        (await fetch(`${service.baseUrl}/api/account`, { headers })).status;
      expect(await statusOf({ Cookie: facts.cookie })).toBe(200);
      expect(await statusOf({ Authorization: `Bearer ${facts.revokedToken}` })).toBe(401);
    });

    test("goes on where it was: versions, invitations and deletions that can be undone", async () => {
      const published = await post(service, "/api/upload", buildUpload({ name: "weekly-sales" }), asUser("ada"));
      expect(published.status).toBe(200);
      const group = await fetch(`${service.baseUrl}/api/group?name=weekly-sales`, { headers: asUser("ada") });
      expect(await group.json()).toMatchObject({
        versions: [{ version_no: 5 }, { version_no: 4 }, { version_no: 3 }, { version_no: 1 }],
      });
      const taken = await post(service, "/api/upload", buildUpload({ name: facts.undoneName }), asUser("cleo"));
      expect(taken.status).toBe(200);
      await post(service, "/api/delete-group", { name: facts.undoneName }, asUser("cleo"));
      const restored = await post(service, "/api/items/restore", { undo: facts.undo }, { Cookie: facts.cookie });
      expect([restored.status, await restored.json()]).toEqual([200, expect.objectContaining({ restored: 1 })]);
      const cleo = await signIn(service, { email: "cleo@example.org", password: facts.password });
      const accepted = await post(
        service,
        "/api/org/invitations/accept",
        { token: facts.invitation },
        { Cookie: cleo },
      );
      expect(accepted.status).toBe(200);
      const members = await fetch(`${service.baseUrl}/api/org/members?owner=acme`, { headers: asUser("acme") });
      expect(JSON.stringify(await members.json())).toContain("cleo");
    });
  };
}

describeEachEngine("a database that a newer version has upgraded", (engine) => {
  test("is refused, with both versions", async () => {
    const database = await createTestDatabase(engine);
    await (await database.openStore()).close();
    const future = (migrations.at(-1)?.number ?? 0) + 2;
    await executeSql(database, `insert into migrations (number, name, version) values (${future}, 'future', '7.8.9')`);
    const { dataDir, databaseUrl } = database;
    const environment = {
      VITRINE_DATA_DIR: dataDir,
      VITRINE_PORT: "0",
      VITRINE_CONTENT_PORT: "0",
      ...(databaseUrl === undefined ? {} : { VITRINE_DATABASE_URL: databaseUrl }),
    };
    const { code, stderr } = await vitrine(["serve"], { environment });
    expect([code, stderr.trim()]).toEqual([
      2,
      expect.stringMatching(
        new RegExp(
          `cannot be used: The database was upgraded by Vitrine 7\\.8\\.9 \\(schema ${future}\\), but this is Vitrine ` +
            `${packageJson.version.replaceAll(".", "\\.")} \\(schema ${future - 2}\\)\\. Start the newer version, or restore a backup\\.$`,
        ),
      ),
    ]);
    await database.remove();
  });
});
