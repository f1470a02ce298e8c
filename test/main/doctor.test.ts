import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFileMark } from "../../src/blobs/fs-installation.ts";
import { INSTALLATION_KEY } from "../../src/blobs/keys.ts";
import { openSqlite } from "../../src/store/open-sqlite.ts";
import { createShell } from "../cli/commands.ts";
import { buildPublication } from "../store/support.ts";
import { postgresUnavailable, sharedPostgres } from "../support/postgres.ts";
import { createFactories } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";

interface Found {
  state: string;
  part: string;
  detail: string;
  advice?: string;
}

/** A data directory as a server leaves it, without a server. */
async function openPlace() {
  const dataDir = await mkdtemp(join(tmpdir(), "vitrine-test-"));
  await chmod(dataDir, 0o700);
  await mkdir(join(dataDir, "blobs"), { mode: 0o700 });
  await writeFile(join(dataDir, "secret"), `${"s".repeat(44)}\n`, { mode: 0o600 });
  const store = await openSqlite(dataDir);
  const build = createFactories(store);
  const { slug } = await build.user();
  const found = await store.people.findUserBySlug(slug);
  const owner = { userId: found?.id ?? "", workspaceId: found?.workspaceId ?? "" };
  const publish = (now: number) => store.publishing.publish(buildPublication(owner, { now }));
  return {
    mark: createFileMark(join(dataDir, "blobs")),
    dataDir,
    store,
    publish,
    async [Symbol.asyncDispose]() {
      await store.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

const [OWN, OTHER] = ["ins_0123456789abcdef", "ins_fedcba9876543210"];
const NO_PORTS = { VITRINE_PORT: "0", VITRINE_CONTENT_PORT: "0" };

async function examine(environment: Readonly<Record<string, string>>) {
  const { out, error } = await createShell({ ...NO_PORTS, ...environment })("doctor", "--json");
  const { findings }: { findings: Found[] } = JSON.parse(out.join(""));
  const of = (part: string) => findings.filter((finding) => finding.part === part);
  const bad = findings.filter(({ state }) => state !== "ok");
  return { findings, of, bad, error };
}

describe("doctor", () => {
  test("finds nothing wrong with a healthy place, and leaves nothing behind", async () => {
    await using place = await openPlace();
    await place.store.operations.claimInstallation({ id: OWN, now: 1 });
    await place.mark.replace(OWN);
    const { bad, error, of } = await examine({ VITRINE_DATA_DIR: place.dataDir });
    expect({ bad, error }).toEqual({ bad: [], error: undefined });
    expect(of("published files")).toMatchObject([{ detail: "They can be read and written." }]);
    const objects = await Array.fromAsync(new Bun.Glob("**/*").scan(join(place.dataDir, "blobs")));
    expect(objects).toEqual([INSTALLATION_KEY]);
  });

  test("names what is wrong, with what to do", async () => {
    await using place = await openPlace();
    await place.publish(Date.now() + 3_600_000);
    await place.store.operations.claimInstallation({ id: OWN, now: 1 });
    await place.mark.replace(OTHER);
    await chmod(place.dataDir, 0o755);
    await chmod(join(place.dataDir, "secret"), 0o644);
    const { of, error } = await examine({ VITRINE_DATA_DIR: place.dataDir, VITRINE_DISK_RESERVE: "999TB" });
    expect(error).toBe("Fix the problems above, then run vitrine doctor again.");
    expect(of("data directory")).toContainEqual(
      expect.objectContaining({ state: "warning", advice: `chmod 700 "${place.dataDir}"` }),
    );
    expect(of("disk space")).toMatchObject([{ state: "problem" }]);
    expect(of("secret")).toMatchObject([{ state: "problem", advice: `chmod 600 "${join(place.dataDir, "secret")}"` }]);
    expect(of("clock")).toMatchObject([{ state: "problem" }]);
    expect(of("installation")).toMatchObject([
      { state: "problem", detail: `The database belongs to installation ${OWN}, the published files to ${OTHER}.` },
    ]);
  });

  test("tells an older and a newer database from the current one", async () => {
    for (const [change, state] of [
      ["delete from migrations where number = (select max(number) from migrations)", "warning"],
      ["insert into migrations (number, name) values (9999, 'later')", "problem"],
    ] as const) {
      await using place = await openPlace();
      await place.store.close();
      const connection = new Database(join(place.dataDir, "vitrine.db"));
      connection.run(change);
      connection.close();
      const { of } = await examine({ VITRINE_DATA_DIR: place.dataDir });
      expect(of("database")).toMatchObject([{ state, advice: expect.any(String) }]);
    }
  });

  test("says where there is no data, and creates none", async () => {
    const dataDir = join(tmpdir(), `vitrine-test-${crypto.randomUUID()}`);
    const { of, error } = await examine({ VITRINE_DATA_DIR: dataDir });
    expect(error).toBeString();
    expect(of("data directory")).toMatchObject([{ state: "problem", detail: `"${dataDir}" doesn't exist.` }]);
    expect(of("database")).toMatchObject([{ state: "problem" }]);
    expect(await Bun.file(dataDir).exists()).toBe(false);
  });

  test("tells another program at the port from a server", async () => {
    await using place = await openPlace();
    using other = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("hello") });
    using server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => Response.json({ ready: true }) });
    const ports = { VITRINE_PORT: String(other.port), VITRINE_CONTENT_PORT: String(server.port) };
    const { of } = await examine({ VITRINE_DATA_DIR: place.dataDir, VITRINE_HOST: "127.0.0.1", ...ports });
    expect(of(`port ${other.port}`)).toMatchObject([
      { state: "problem", advice: expect.stringContaining("VITRINE_PORT") },
    ]);
    expect(of(`port ${server.port}`)).toMatchObject([{ state: "ok", detail: "A Vitrine server is listening." }]);
    expect(of("VITRINE_CONTENT_URL")).toMatchObject([{ state: "ok" }]);
    expect(of("VITRINE_BASE_URL")).toMatchObject([{ state: "problem" }]);
  });

  test("looks at public addresses, the mail server and the sign-in service", async () => {
    await using place = await openPlace();
    const { of } = await examine({
      VITRINE_DATA_DIR: place.dataDir,
      VITRINE_BASE_URL: "http://reports.invalid",
      VITRINE_CONTENT_URL: "https://127.0.0.1:9",
      VITRINE_SMTP_URL: "smtp://127.0.0.1:9",
      VITRINE_SMTP_FROM: "vitrine@example.org",
      VITRINE_OIDC_ISSUER: "http://127.0.0.1:9",
      VITRINE_OIDC_CLIENT_ID: "vitrine",
      VITRINE_OIDC_CLIENT_SECRET: "hunter2",
    });
    expect(of("VITRINE_BASE_URL").map(({ state }) => state)).toEqual(["warning", "problem"]);
    expect(of("VITRINE_CONTENT_URL")).toMatchObject([{ state: "warning" }]);
    expect(of("mail")).toMatchObject([{ state: "problem", advice: expect.stringContaining("VITRINE_SMTP_URL") }]);
    expect(of("single sign-on")).toMatchObject([{ state: "problem" }]);
  });

  test("stops at settings that are wrong, and doesn't show secrets", async () => {
    const { findings, error } = await examine({ VITRINE_QUOTA_PRO: "lots", VITRINE_COLOR: "red" });
    expect(findings.map(({ state, part }) => [state, part])).toEqual([
      ["warning", "settings"],
      ["problem", "settings"],
    ]);
    expect(error).toBeString();
  });
});

describeIf("doctor with PostgreSQL", postgresUnavailable(), () => {
  test("tells an empty database and one that can't be reached, without the password", async () => {
    await using place = await openPlace();
    const url = await (await sharedPostgres()).createDatabase();
    const empty = await examine({ VITRINE_DATA_DIR: place.dataDir, VITRINE_DATABASE_URL: url });
    expect(empty.of("database")).toMatchObject([{ state: "problem", detail: "It is empty." }]);
    const gone = "postgres://vitrine:hunter2@127.0.0.1:9/none";
    const unreachable = await examine({ VITRINE_DATA_DIR: place.dataDir, VITRINE_DATABASE_URL: gone });
    expect(unreachable.of("database")).toMatchObject([{ state: "problem" }]);
    expect(JSON.stringify(unreachable.findings)).not.toContain("hunter2");
  });
});

describe("settings", () => {
  test("show each effective value with its source, and no secret", async () => {
    const run = createShell({
      VITRINE_DATA_DIR: "data",
      VITRINE_PORT: "81",
      VITRINE_SECRET: "hunter2".repeat(5),
      VITRINE_DATABASE_URL: "postgres://vitrine:hunter2@db/vitrine?password=hunter2",
      VITRINE_SMTP_URL: "smtp://me:hunter2@p@ss@mail.example.org",
      VITRINE_SMTP_FROM: "vitrine@example.org",
      AWS_SECRET_ACCESS_KEY: "hunter2",
    });
    const { out, error } = await run("settings", "--json", "--port", "82");
    expect(error).toBeUndefined();
    expect(out.join("")).not.toContain("hunter2");
    const { settings } = JSON.parse(out.join(""));
    expect(settings).toContainEqual({ name: "VITRINE_PORT", value: "82", source: "flag" });
    expect(settings).toContainEqual({
      name: "VITRINE_DATA_DIR",
      value: join(process.cwd(), "data"),
      source: "environment",
    });
    expect(settings).toContainEqual({ name: "VITRINE_BASE_URL", value: "http://localhost:82", source: "default" });
    expect(settings).toContainEqual({ name: "VITRINE_SECRET", value: "(hidden)", source: "environment" });
  });

  test("with an error are shown with it", async () => {
    const ran = await createShell({ VITRINE_PORT: "http" })("settings");
    expect(ran.out).toContain("VITRINE_PORT\thttp\tenvironment");
    expect(ran).toMatchObject({ isUsage: true, error: expect.stringContaining("VITRINE_PORT must be") });
  });
});
