import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { createClient } from "../../src/client/client.ts";
import { actionsOf } from "../hosts/app/actions.ts";
import { readLive } from "../hosts/live/readers.ts";
import { REPLICAS } from "../support/behind-nginx.ts";
import { run } from "../support/cli.ts";
import { createTestDatabase } from "../support/engines.ts";
import { postgresUnavailable } from "../support/postgres.ts";
import { PROGRAM, type Program, startProgram } from "../support/program.ts";
import { statusOf } from "../support/readers.ts";
import { uniqueName } from "../support/service.ts";
import { asPage, signIn } from "../support/sessions.ts";
import { describeIf } from "../support/skip.ts";
import { until } from "../support/until.ts";
import { PREVIOUS_VERSION, previousBuildUnavailable, unpackPreviousBuild } from "./previous-build.ts";

setDefaultTimeout(300_000);

const PASSWORD = "correct horse";
const SECRET = "0123456789abcdef0123456789abcdef";
const CLIENTS = 3;
const ROUNDS = 15;
const unavailable =
  postgresUnavailable() ?? previousBuildUnavailable() ?? (REPLICAS > 1 ? "it starts replicas of its own" : undefined);

/** What both versions answer, of which later ones have more fields. */
const searchOf010 = z.object({ items: z.array(z.object({ title: z.string() })) });
const listOf010 = z.object({ groups: z.array(z.object({ name: z.string(), version_count: z.int() })) });

const answerOf = async (address: string, token: string): Promise<unknown> =>
  (await fetch(address, { headers: { Authorization: `Bearer ${token}` } })).json();

/** Lines of the log that report errors. */
const errorsIn = ({ log }: Program) =>
  log()
    .split("\n")
    .filter((line) => line.includes('"level":"error"'));

describeIf(`a replica of ${PREVIOUS_VERSION} beside one of this version`, unavailable, () => {
  test("serves, publishes and hears of changes without an error, and isn't started again", async () => {
    await using stack = new AsyncDisposableStack();
    const directory = await mkdtemp(join(tmpdir(), "vitrine-rolling-"));
    stack.defer(() => rm(directory, { recursive: true, force: true }));
    const previous = await unpackPreviousBuild(join(directory, "previous"));
    const database = await createTestDatabase("postgres");
    stack.defer(database.remove);
    const environment = {
      VITRINE_DATA_DIR: database.dataDir,
      VITRINE_DATABASE_URL: database.databaseUrl ?? "",
      VITRINE_SECRET: SECRET,
      VITRINE_RATE_LIMIT: "0",
      VITRINE_PORT: "0",
      VITRINE_CONTENT_PORT: "0",
    };
    const command = async (...args: readonly string[]) => {
      const { code, stdout, stderr } = await run([previous, ...args], { environment });
      expect([code, stderr]).toEqual([0, expect.any(String)]);
      return stdout.trim();
    };
    const start = async (program: string) => {
      const started = await startProgram(environment, [], program);
      stack.defer(async () => {
        await started.stop("SIGKILL");
      });
      return { ...started, client: (token?: string) => createClient({ baseUrl: started.baseUrl, token }) };
    };

    // The previous version makes the database, and this one migrates it while the previous one runs.
    await command("users", "create", "--email", "ada@example.org", "--slug", "ada", "--password", PASSWORD);
    const scopes = "reports:read,reports:write,reports:delete";
    const token = await command("tokens", "create", "--user", "ada", "--scopes", scopes);
    const older = await start(previous);
    const cookie = await signIn(older, { email: "ada@example.org", password: PASSWORD });
    const name = uniqueName();
    const { code } = await actionsOf(older).publish(token, { name, visibility: "public", title: "Before" });
    const olderReader = await readLive(`${older.contentUrl}/@ada/${name}/`);
    const newer = await start(PROGRAM);
    const newerReader = await readLive(`${newer.contentUrl}/@ada/${name}/`);

    // Sessions are valid on both.
    for (const service of [older, newer]) {
      const account = await fetch(`${service.baseUrl}/api/account`, { headers: asPage(service, cookie) });
      expect(account.status).toBe(200);
    }

    // Changes at either reach the readers of both.
    for (const [title, service] of [
      ["From the newer", newer],
      ["From the older", older],
    ] as const) {
      await actionsOf(service).publish(token, { name, title });
      for (const reader of [olderReader, newerReader]) {
        await until(() => JSON.stringify(reader.messages).includes(title));
      }
    }
    for (const [one, other] of [
      [older, newer],
      [newer, older],
    ] as const) {
      const at = `${other.contentUrl}/${code}/`;
      await actionsOf(one).setVisibility(token, { code, visibility: "public" });
      expect(await statusOf(at)).toBe(200);
      await actionsOf(one).setVisibility(token, { code, visibility: "private" });
      expect(await statusOf(at)).toBe(404);
    }

    // Each finds and serves what the other publishes, also under load.
    const work = async (service: typeof older, other: typeof older, client: string) => {
      for (let round = 0; round < ROUNDS; round++) {
        const title = `Round ${round} of ${client}`;
        const published = await actionsOf(service).publish(token, {
          name: `${client}-report`,
          title,
          visibility: "public",
        });
        expect(await statusOf(`${other.contentUrl}/${published.code}/`)).toBe(200);
        const address = `${other.baseUrl}/api/search?owner=ada&q=${encodeURIComponent(title)}`;
        const found = searchOf010.parse(await answerOf(address, token));
        expect(found.items.map((item) => item.title)).toContain(title);
        if (round > 0 && round % 5 === 0) await actionsOf(other).setLatest(token, `${client}-report`, published.code);
      }
    };
    await Promise.all(
      Array.from({ length: CLIENTS }, (_, number) => [
        work(older, newer, `older-${number}`),
        work(newer, older, `newer-${number}`),
      ]).flat(),
    );
    const [atOlder, atNewer] = await Promise.all(
      [older, newer].map(async ({ baseUrl }) => listOf010.parse(await answerOf(`${baseUrl}/api/list`, token))),
    );
    const counts = atOlder?.groups.map((group) => [group.name, group.version_count]) ?? [];
    const names = Array.from({ length: CLIENTS }, (_, number) => [
      `older-${number}-report`,
      `newer-${number}-report`,
    ]).flat();
    expect(Object.fromEntries(counts)).toEqual({ [name]: 3, ...Object.fromEntries(names.map((one) => [one, ROUNDS])) });
    expect(atNewer?.groups).toMatchObject(atOlder?.groups ?? []);
    expect([errorsIn(older), errorsIn(newer)]).toEqual([[], []]);

    // Once it has stopped, it isn't started again.
    expect(await older.stop()).toBe(0);
    const again = await run([previous, "serve"], { environment });
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining("newer version of Vitrine")]);
    expect(await statusOf(`${newer.contentUrl}/@ada/${name}/`)).toBe(200);
  });
});
