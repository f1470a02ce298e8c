import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { startLine } from "../replicas/line.ts";
import { vitrine } from "../support/cli.ts";
import { postgresUnavailable, sharedPostgres } from "../support/postgres.ts";
import { createBucket, s3Unavailable } from "../support/s3.ts";
import { describeIf } from "../support/skip.ts";
import { spawnProgram } from "./program.ts";

/** An address without a server. */
const NOWHERE = "postgres://someone:secret-word@127.0.0.1:9/vitrine";
const NO_BUCKET = {
  VITRINE_BLOBS_URL: "s3://reports?endpoint=http://127.0.0.1:9",
  AWS_ACCESS_KEY_ID: "a",
  AWS_SECRET_ACCESS_KEY: "s",
};

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "vitrine-start-"));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

/** Runs a server until it exits. */
async function runToEnd(environment: Record<string, string>) {
  const child = spawnProgram({ dataDir, environment });
  const stderr = await child.stderr.text();
  const lines = stderr.split("\n").filter((line) => line !== "");
  return { exitCode: await child.exited, tries: lines.slice(0, -1), last: lines.at(-1) ?? "" };
}

const logged = z.object({ message: z.string(), detail: z.string() });

/** Starts a server, ends the failure when it says that it retries, and waits until it runs. */
async function startWhen(environment: Record<string, string>, restore: () => void) {
  const child = spawnProgram({ dataDir, environment: { ...environment, VITRINE_START_PATIENCE: "50" } });
  const decoder = new TextDecoder();
  let log = "";
  for await (const chunk of child.stderr) {
    log += decoder.decode(chunk, { stream: true });
    if (log.includes("start yet")) restore();
    const baseUrl = /application +(\S+)\n/.exec(log)?.[1];
    if (baseUrl === undefined) continue;
    const { status } = await fetch(`${baseUrl}/-/ready`);
    child.kill("SIGTERM");
    return { status, log, exitCode: await child.exited };
  }
  return { status: undefined, log, exitCode: await child.exited };
}

describe("a server that can't reach its database or file store", () => {
  test.each([
    ["VITRINE_DATABASE_URL", { VITRINE_DATABASE_URL: NOWHERE }],
    ["VITRINE_BLOBS_URL", NO_BUCKET],
  ])("%s: retries, with one line per attempt, and exits with 75", async (name, environment) => {
    const { exitCode, tries, last } = await runToEnd({ ...environment, VITRINE_START_PATIENCE: "5" });
    expect(exitCode).toBe(75);
    expect(last).toStartWith(`vitrine: ${name} cannot be reached: `);
    expect(tries.length).toBeGreaterThan(1);
    for (const line of tries) {
      const { message, detail } = logged.parse(JSON.parse(line));
      expect(message).toMatch(/^Couldn't start yet. Trying again in \d+ ms\.$/);
      expect(detail).toStartWith(`${name} cannot be reached: `);
    }
    expect(tries.join() + last).not.toContain("secret-word");
  });

  test("doesn't retry if VITRINE_START_PATIENCE is 0", async () => {
    const { exitCode, tries } = await runToEnd({ VITRINE_DATABASE_URL: NOWHERE, VITRINE_START_PATIENCE: "0" });
    expect({ exitCode, tries }).toEqual({ exitCode: 75, tries: [] });
  });

  test("an administration command doesn't retry", async () => {
    const environment = { VITRINE_DATA_DIR: dataDir, VITRINE_DATABASE_URL: NOWHERE };
    const { code, stdout, stderr } = await vitrine(["plans", "set", "--workspace", "a", "--plan", "free"], {
      environment,
    });
    expect({ code, stdout }).toEqual({ code: 75, stdout: "" });
    expect(stderr).toMatch(/^vitrine: VITRINE_DATABASE_URL cannot be reached: [^\n]+\n$/);
  });

  describeIf("of PostgreSQL", postgresUnavailable(), () => {
    test("runs as soon as the database is available", async () => {
      const postgres = await sharedPostgres();
      await using line = await startLine(postgres.port);
      const url = new URL(await postgres.createDatabase());
      url.port = String(line.port);
      line.cut();
      const { status, exitCode } = await startWhen({ VITRINE_DATABASE_URL: url.href }, line.restore);
      expect({ status, exitCode }).toEqual({ status: 200, exitCode: 0 });
    });

    test("doesn't wait for a database that doesn't exist, which is a wrong setting", async () => {
      const url = (await sharedPostgres()).url("nobody_has_made_it");
      const { exitCode, tries, last } = await runToEnd({ VITRINE_DATABASE_URL: url });
      expect({ exitCode, tries }).toEqual({ exitCode: 2, tries: [] });
      expect(last).toStartWith("vitrine: VITRINE_DATABASE_URL cannot be used: ");
    });
  });

  describeIf("of S3", s3Unavailable(), () => {
    test("runs as soon as the store is available", async () => {
      const environment = (await createBucket()).environment();
      const url = new URL(environment.VITRINE_BLOBS_URL ?? "");
      const endpoint = new URL(url.searchParams.get("endpoint") ?? "");
      await using line = await startLine(Number(endpoint.port));
      endpoint.port = String(line.port);
      url.searchParams.set("endpoint", endpoint.origin);
      line.cut();
      const { status, exitCode } = await startWhen({ ...environment, VITRINE_BLOBS_URL: url.href }, line.restore);
      expect({ status, exitCode }).toEqual({ status: 200, exitCode: 0 });
    });
  });
});

describe("a variable that looks like a setting", () => {
  const WARNING = "vitrine: VITRINE_STOP_GRAZE isn't a setting and has no effect. Did you mean VITRINE_STOP_GRACE?\n";

  test("is reported by the server", async () => {
    const { log, exitCode } = await startWhen({ VITRINE_STOP_GRAZE: "5" }, () => undefined);
    expect(log).toStartWith(`${WARNING}Vitrine is running.`);
    expect(exitCode).toBe(0);
  });

  test("is reported by administration commands", async () => {
    const environment = { VITRINE_DATA_DIR: dataDir, VITRINE_STOP_GRAZE: "5" };
    const create = [
      "users",
      "create",
      "--init",
      "--email",
      "a@example.org",
      "--slug",
      "ada",
      "--password",
      "correct horse",
    ];
    const { code, stderr } = await vitrine(create, { environment });
    expect({ code, stderr: stderr.slice(0, WARNING.length) }).toEqual({ code: 0, stderr: WARNING });
  });
});
