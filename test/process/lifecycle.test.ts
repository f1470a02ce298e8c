import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "../../src/client/client.ts";
import { groupRoute } from "../../src/contract/reports/named-reports.ts";
import { logged } from "../support/log.ts";
import { postgresUnavailable, sharedPostgres } from "../support/postgres.ts";
import { PROGRAM } from "../support/program.ts";
import { IS_EVERYTHING } from "../support/runs.ts";
import { describeIf } from "../support/skip.ts";
import { pause, until } from "../support/until.ts";
import { addUser, type Program, publish, spawnProgram, startProgram } from "./program.ts";
import { connectRaw, uploadHead } from "./raw.ts";

/** Milliseconds: longer than an earlier limit for requests under way. */
const SLOW_UPLOAD = 8_000;

const ROOT = new URL("../..", import.meta.url).pathname;

const AS_NOBODY = ["setpriv", "--reuid=65534", "--clear-groups"];

function nobodyUnavailable(): string | undefined {
  const [command = "", ...rest] = AS_NOBODY;
  const version = spawnSync(command, [...rest, PROGRAM, "--version"]);
  return version.status === 0 ? undefined : "running the program as the user nobody requires root and setpriv";
}
const upload = { files: [{ path: "index.html", content: "<title>T</title>" }], visibility: "public" };

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "vitrine-life-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/** Runs a server that is expected to exit. */
async function runToEnd(dataDir: string, environment: Record<string, string> = {}) {
  const child = spawnProgram({ dataDir, environment });
  const deadline = setTimeout(() => child.kill("SIGKILL"), 100_000);
  const stderr = await child.stderr.text();
  const exitCode = await child.exited;
  clearTimeout(deadline);
  return { exitCode, stderr };
}

describe("stopping", () => {
  test.each(["SIGTERM", "SIGINT"] as const)(
    "%s stops the server with 0, and the next start serves what was published",
    async (signal) => {
      const { token } = await addUser(directory);
      await using first = await startProgram({ dataDir: directory });
      const { code } = await publish(first.baseUrl, token, upload);
      expect(await first.stop(signal)).toBe(0);
      await using second = await startProgram({ dataDir: directory });
      const response = await fetch(`${second.contentUrl}/${code}/`);
      expect([response.status, await response.text()]).toEqual([200, "<title>T</title>"]);
      expect((await publish(second.baseUrl, token, upload)).status).toBe(200);
      expect(await second.stop()).toBe(0);
    },
  );

  test("a signal right after the start stops the server with 0", async () => {
    for (let round = 0; round < 5; round++) {
      await using program = await startProgram({ dataDir: directory });
      expect(await program.stop()).toBe(0);
    }
  });

  test("requests under way are answered, new ones are refused", async () => {
    const { token } = await addUser(directory);
    await using program = await startProgram({ dataDir: directory });
    const body = JSON.stringify(upload);
    using connection = connectRaw(program.baseUrl);
    await connection.write(uploadHead(token, body.length) + body.slice(0, 20));
    await fetch(`${program.baseUrl}/api/config`);
    program.process.kill("SIGTERM");
    await until(async () => !(await isTaking(program.baseUrl)));
    await connection.write(body.slice(20));
    expect(await connection.receive(/HTTP\/1.1 \d+/)).toBe("HTTP/1.1 200");
    const answer = await connection.receive(/"code":"[0-9A-Za-z]{16}"/);
    expect(await program.process.exited).toBe(0);
    await using next = await startProgram({ dataDir: directory });
    expect((await fetch(`${next.contentUrl}/${answer.slice(8, 24)}/`)).status).toBe(200);
    await next.stop();
  });

  test("idle connections don't delay the exit", async () => {
    await using program = await startProgram({ dataDir: directory });
    using kept = connectRaw(program.baseUrl);
    await kept.write("GET /api/config HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await kept.receive(/publicBaseUrl/);
    using silent = connectRaw(program.contentUrl);
    await silent.write("");
    expect(await program.stop()).toBe(0);
  });

  test("an upload over a slow connection is answered and stored", async () => {
    const { token } = await addUser(directory);
    await using program = await startProgram({ dataDir: directory });
    const body = JSON.stringify(upload);
    using connection = connectRaw(program.baseUrl);
    await connection.write(uploadHead(token, body.length) + body.slice(0, 20));
    await fetch(`${program.baseUrl}/api/config`);
    using idle = connectRaw(program.baseUrl);
    await idle.write("GET /api/config HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await idle.receive(/publicBaseUrl/);
    program.process.kill("SIGTERM");
    for (
      const toldAt = performance.now(), rest = [...body.slice(20)];
      rest.length > 0;
      await pause(100, "a client's pace")
    ) {
      const isLong = performance.now() - toldAt > SLOW_UPLOAD;
      await connection.write(rest.splice(0, isLong ? rest.length : rest.length > 1 ? 1 : 0).join(""));
    }
    expect(await connection.receive(/HTTP\/1.1 \d+/)).toBe("HTTP/1.1 200");
    const answer = await connection.receive(/"code":"[0-9A-Za-z]{16}"/);
    expect(await program.process.exited).toBe(0);
    await using next = await startProgram({ dataDir: directory });
    expect((await fetch(`${next.contentUrl}/${answer.slice(8, 24)}/`)).status).toBe(200);
    await next.stop();
  });

  test("an upload that never ends is cut off after VITRINE_STOP_GRACE", async () => {
    const { token } = await addUser(directory);
    await using program = await startProgram({ dataDir: directory, environment: { VITRINE_STOP_GRACE: "1" } });
    using connection = connectRaw(program.baseUrl);
    await connection.write(`${uploadHead(token, 1000)}{`);
    await fetch(`${program.baseUrl}/api/config`);
    const startedAt = performance.now();
    const patience = setTimeout(() => program.process.kill("SIGKILL"), 20_000);
    expect(await program.stop()).toBe(0);
    clearTimeout(patience);
    expect(performance.now() - startedAt).toBeGreaterThan(950);
    await connection.closed;
    expect(connection.received).toBe("");
  });
});

async function isTaking(baseUrl: string): Promise<boolean> {
  try {
    await fetch(`${baseUrl}/api/config`, { headers: { Connection: "close" } });
    return true;
  } catch {
    return false;
  }
}

describe("starting", () => {
  test("the data directory is created, inaccessible to others", async () => {
    const dataDir = join(directory, "some", "where");
    await using program = await startProgram({ dataDir });
    await program.stop();
    expect(((await stat(dataDir)).mode & 0o777).toString(8)).toBe("700");
    expect(((await stat(join(dataDir, "blobs"))).mode & 0o777).toString(8)).toBe("700");
  });

  test.each(["VITRINE_PORT", "VITRINE_CONTENT_PORT"])("a port in use is one line that names %s", async (name) => {
    await using first = await startProgram({ dataDir: directory });
    const { port } = new URL(first.baseUrl);
    const { exitCode, stderr } = await runToEnd(join(directory, "second"), { [name]: port });
    expect(stderr).toBe(
      `vitrine: Port ${port} is already in use (${name}). Stop the program that uses it, or set another port.\n`,
    );
    expect(exitCode).toBe(2);
    expect((await fetch(`${first.baseUrl}/api/config`)).status).toBe(200);
    await first.stop();
  });

  test("a data directory that is a file is one line that names it", async () => {
    const dataDir = join(directory, "file");
    await writeFile(dataDir, "");
    const { exitCode, stderr } = await runToEnd(dataDir);
    expect(stderr).toMatch(/^vitrine: VITRINE_DATA_DIR "[^"]+\/file" cannot be used: [^\n]+\n$/);
    expect(exitCode).toBe(2);
  });

  test("a data directory that can't be created is one line that names it", async () => {
    const { exitCode, stderr } = await runToEnd("/proc/vitrine");
    expect(stderr).toMatch(/^vitrine: VITRINE_DATA_DIR "\/proc\/vitrine" cannot be used: [^\n]+\n$/);
    expect(exitCode).toBe(2);
  });

  test("an invalid database file is one line that names the directory", async () => {
    await writeFile(join(directory, "vitrine.db"), "This is no database. ".repeat(1000));
    const { exitCode, stderr } = await runToEnd(directory);
    expect(stderr).toMatch(/^vitrine: VITRINE_DATA_DIR "[^"]+" cannot be used: [^\n]+\n$/);
    expect(exitCode).toBe(2);
  });

  test("a database of a newer version is refused in one line and not changed", async () => {
    await (await startProgram({ dataDir: directory })).stop();
    const path = join(directory, "vitrine.db");
    using database = new Database(path);
    database.run("insert into migrations (number, name) values (999, 'from the future')");
    const { exitCode, stderr } = await runToEnd(directory);
    expect(stderr).toMatch(/^vitrine: [^\n]*upgraded by Vitrine [^\n]* but this is Vitrine [^\n]*\n$/);
    expect(exitCode).not.toBe(0);
    expect(database.query("select count(*) as count from migrations where number = 999").get()).toEqual({ count: 1 });
  });

  describeIf("as an unprivileged user", nobodyUnavailable(), () => {
    test("a data directory without write permission is one line that names it", async () => {
      await mkdir(join(directory, "blobs"));
      await chmod(directory, 0o755);
      const child = Bun.spawn([...AS_NOBODY, PROGRAM, "serve"], {
        env: { PATH: process.env.PATH, VITRINE_DATA_DIR: directory, VITRINE_PORT: "0", VITRINE_CONTENT_PORT: "0" },
        stdout: "ignore",
        stderr: "pipe",
      });
      expect(await child.stderr.text()).toMatch(/^vitrine: VITRINE_DATA_DIR "[^"]+" cannot be used: [^\n]+\n$/);
      expect(await child.exited).toBe(2);
    });
  });
});

/** Returns the commands that a first start prints, as a person pastes them. */
const commandsIn = (log: string) =>
  [...log.matchAll(/^ {2}(.*\/vitrine (?:users|tokens|publish) .*)$/gm)].map(([, command]) => command).join("\n");
const LAST_COMMAND = /\/vitrine publish .*\n/;

describe("a first start", () => {
  /** Pastes commands into a shell whose directory contains nothing but the program. */
  async function paste(commands: string, environment: Record<string, string> = {}) {
    const workingDirectory = join(directory, "elsewhere");
    await mkdir(workingDirectory, { recursive: true });
    await symlink(join(ROOT, "bin"), join(workingDirectory, "bin"));
    const shell = Bun.spawn(["sh", "-e", "-c", commands], {
      cwd: workingDirectory,
      env: { PATH: process.env.PATH, ...environment },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const [stdout, stderr] = await Promise.all([shell.stdout.text(), shell.stderr.text()]);
    return { exitCode: await shell.exited, stdout, stderr };
  }

  /** Expects that the commands publish `hello` and print its live link. */
  async function expectPublished({ baseUrl, contentUrl }: Program, commands: string, environment = {}): Promise<void> {
    const { exitCode, stdout, stderr } = await paste(`${commands}\nprintf %s "$VITRINE_TOKEN"`, environment);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    expect(stdout).toContain(`${contentUrl}/@you/hello/\n`);
    const [token] = /vtr_\w+$/.exec(stdout) ?? [];
    const group = await createClient({ baseUrl, token }).call(groupRoute, { query: { name: "hello" } });
    const response = await fetch(`${contentUrl}/${group.current_code}/`);
    expect([response.status, await response.text()]).toEqual([200, "<h1>Hello</h1>\n"]);
  }

  test.each(IS_EVERYTHING ? ["data", "my data", "it's $HOME"] : ["it's $HOME"])(
    "prints commands that work when pasted (in %p)",
    async (name) => {
      await using program = await startProgram({ dataDir: join(directory, name) });
      const commands = commandsIn((await logged(program, LAST_COMMAND)).input);
      expect(commands.split("\n")).toHaveLength(3);
      await expectPublished(program, commands);
      await program.stop();
    },
  );

  test("a start with users prints no commands", async () => {
    await addUser(directory);
    await using program = await startProgram({ dataDir: directory, environment: { VITRINE_REQUEST_LOG: "off" } });
    await fetch(`${program.baseUrl}/api/config`);
    await logged(program, /\n {2}data .*\n/);
    await program.stop();
    expect(program.log()).toMatch(/^Vitrine is running\.\n( {2}\w+ +\S+\n){3}$/);
  });

  describeIf("on postgres", postgresUnavailable(), () => {
    test("prints commands that work with the same database setting, and mentions it", async () => {
      const databaseUrl = await (await sharedPostgres()).createDatabase();
      const environment = { VITRINE_DATABASE_URL: databaseUrl };
      await using program = await startProgram({ dataDir: directory, environment });
      const { input: log } = await logged(program, LAST_COMMAND);
      expect(log).toContain("VITRINE_DATABASE_URL");
      expect(log).not.toContain(databaseUrl);
      await expectPublished(program, commandsIn(log), environment);
      await program.stop();
    });
  });
});

test("npm start's script serves until SIGTERM", async () => {
  const dataDir = join(directory, "data");
  const command = ["node", `${ROOT}scripts/start.mjs`, "--port", "0", "--content-port", "0", "--data-dir", dataDir];
  const child = Bun.spawn(command, { cwd: directory, stdin: "ignore", stdout: "ignore", stderr: "pipe" });
  let log = "";
  const decoder = new TextDecoder();
  for await (const chunk of child.stderr) {
    log += decoder.decode(chunk, { stream: true });
    const baseUrl = /application +(\S+)\n/.exec(log)?.[1];
    if (baseUrl === undefined) continue;
    expect((await fetch(`${baseUrl}/api/config`)).status).toBe(200);
    break;
  }
  expect(log).toContain("Vitrine is running.");
  child.kill("SIGTERM");
  expect(await child.exited).toBe(0);
});
