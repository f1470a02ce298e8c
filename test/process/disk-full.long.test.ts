import { expect, test } from "bun:test";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "../../src/client/client.ts";
import type { Route } from "../../src/contract/model/route.ts";
import { deleteCodeRoute } from "../../src/contract/reports/delete-code.ts";
import { listRoute } from "../../src/contract/reports/lists.ts";
import { setVisibilityRoute } from "../../src/contract/reports/visibility.ts";
import { purgeTrashRoute } from "../../src/contract/trash/trash.ts";
import { mountDisk, noDisk } from "../disk/small-disk.ts";
import { logged } from "../support/log.ts";
import { failureSchema } from "../support/scenarios.ts";
import { signIn } from "../support/sessions.ts";
import { describeIf } from "../support/skip.ts";
import { until } from "../support/until.ts";
import { addUser, type Program, publish, startProgram } from "./program.ts";

const MEBIBYTE = 1024 * 1024;
const DISK_BYTES = 16 * MEBIBYTE;
const RESERVE_BYTES = 4 * MEBIBYTE;
const LARGE = 300_000;
const FULL = "The server's storage is full, so nothing was changed. Ask the server's administrator to free up space.";

/** Writes a file of this size, or until the disk is completely full. */
function fill(path: string, bytes = Number.POSITIVE_INFINITY): void {
  const file = openSync(path, "a");
  try {
    for (let written = 0; written < bytes; ) written += writeSync(file, Buffer.alloc(4096));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
  } finally {
    closeSync(file);
  }
}

/** Starts a server on a small disk, and records what it acknowledged: codes with their contents. */
async function openSmallServer(disk: { directory: string }, reserve = "0") {
  const dataDir = disk.directory;
  const filler = join(dataDir, "filler");
  const { slug, token } = await addUser(dataDir);
  fill(filler, RESERVE_BYTES);
  const environment = { VITRINE_DISK_RESERVE: reserve };
  let program: Program = await startProgram({ dataDir, environment });
  const acknowledged = new Map<string, string>();
  let published = 0;

  async function publishOne(size: number): Promise<number> {
    const content = `<title>${++published}</title>`.padEnd(size, "x");
    const files = [{ path: "index.html", content }];
    const answer = await publish(program.baseUrl, token, { visibility: "public", files });
    if (answer.code !== undefined) acknowledged.set(answer.code, content);
    else expect(failureSchema.parse(answer.answer)).toEqual({ error: FULL });
    return answer.status;
  }

  async function publishUntilRefused(size: number): Promise<void> {
    let status = 200;
    while (status === 200) status = await publishOne(size);
    expect(status).toBe(507);
  }

  async function call(route: Route, body?: unknown) {
    const response = await fetch(`${program.baseUrl}${route.path}`, {
      method: route.method,
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, answer: await response.json() };
  }

  /** Expects that everything acknowledged is listed and served unchanged, and nothing else is listed. */
  async function expectWhole(): Promise<void> {
    const { standalone } = await createClient({ baseUrl: program.baseUrl, token }).call(listRoute);
    expect(standalone.map(({ code }) => code).toSorted()).toEqual([...acknowledged.keys()].toSorted());
    for (const [code, content] of acknowledged) {
      const response = await fetch(`${program.contentUrl}/${code}/`);
      expect(response.status).toBe(200);
      expect((await response.text()) === content).toBe(true);
    }
  }

  return {
    filler,
    slug,
    acknowledged,
    publishOne,
    publishUntilRefused,
    call,
    expectWhole,
    signIn: () => signIn(program, { email: `${slug}@example.org` }),
    log: () => program.log(),
    async restart(signal: NodeJS.Signals): Promise<number> {
      const exitCode = await program.stop(signal);
      fill(filler);
      program = await startProgram({ dataDir, environment });
      return exitCode;
    },
    async [Symbol.asyncDispose]() {
      await program.stop();
    },
  };
}

describeIf("a full disk", noDisk(), () => {
  test("refuses uploads and goes on serving, until space is available again", async () => {
    using disk = mountDisk(DISK_BYTES);
    await using server = await openSmallServer(disk);
    for (const size of [LARGE, 20_000, 100]) await server.publishUntilRefused(size);
    for (let again = 0; again < 5; again++) expect(await server.publishOne(100)).toBe(507);
    await Promise.all(Array.from({ length: 20 }, () => server.publishOne(LARGE)));
    expect(disk.freeBytes()).toBeLessThan(20_000);
    await server.expectWhole();

    rmSync(server.filler);
    expect(await server.publishOne(LARGE)).toBe(200);
    await Promise.all(Array.from({ length: 8 }, () => server.publishOne(1000)));
    await server.expectWhole();
  });

  test("is prevented: uploads are refused early enough for everything else to go on", async () => {
    using disk = mountDisk(DISK_BYTES);
    await using server = await openSmallServer(disk, "6MB");
    await server.publishUntilRefused(LARGE);
    await Promise.all(Array.from({ length: 20 }, () => server.publishOne(LARGE)));
    const free = disk.freeBytes();
    for (const code of server.acknowledged.keys()) {
      for (const visibility of ["private", "public"]) {
        expect(await server.call(setVisibilityRoute, { code, visibility })).toMatchObject({ status: 200 });
      }
    }
    expect(await server.signIn()).not.toBe("");
    await server.expectWhole();
    // The log of the database may grow, but most of the reserve is left.
    expect(free).toBeGreaterThan(4 * MEBIBYTE);

    await logged(server, /VITRINE_DISK_RESERVE, so uploads are refused\./);
    rmSync(server.filler);
    await until(async () => (await server.publishOne(LARGE)) === 200 || undefined);
    await server.expectWhole();
  });

  test("regains space when reports are deleted permanently", async () => {
    using disk = mountDisk(DISK_BYTES);
    // Deleting takes some space at first, which the reserve is for.
    await using server = await openSmallServer(disk, "6MB");
    await server.publishUntilRefused(LARGE);
    const deleted = [...server.acknowledged.keys()].slice(1);
    for (const code of deleted) {
      expect(await server.call(deleteCodeRoute, { code })).toEqual({
        status: 200,
        answer: { ok: true, deleted: true },
      });
      server.acknowledged.delete(code);
    }
    expect(await server.publishOne(LARGE)).toBe(507);
    expect(await server.call(purgeTrashRoute, { owner: server.slug })).toEqual({
      status: 200,
      answer: { ok: true, purged: deleted.length },
    });
    // Objects are deleted after the answer.
    await until(async () => (await server.publishOne(LARGE)) === 200);
    await server.expectWhole();
  });

  test("without a single free byte refuses every other change too, and applies none partially", async () => {
    using disk = mountDisk(DISK_BYTES);
    await using server = await openSmallServer(disk);
    for (const size of [LARGE, 100]) await server.publishUntilRefused(size);
    fill(server.filler);
    expect(disk.freeBytes()).toBe(0);
    const changed = new Set<string>();
    // The log has some space left inside its file, but not forever.
    for (const code of [...server.acknowledged.keys()].slice(0, 20)) {
      const { status, answer } = await server.call(setVisibilityRoute, { code, visibility: "public" });
      expect([200, 507]).toContain(status);
      if (status === 507) expect(answer).toEqual({ error: expect.stringContaining("storage is full") });
      const deletion = await server.call(deleteCodeRoute, { code });
      if (deletion.status === 200) changed.add(code);
      else
        expect(deletion).toMatchObject({ status: 507, answer: { error: expect.stringContaining("storage is full") } });
    }
    for (const code of changed) server.acknowledged.delete(code);
    await server.expectWhole();
    rmSync(server.filler);
    const [code = ""] = server.acknowledged.keys();
    expect(await server.call(deleteCodeRoute, { code })).toEqual({ status: 200, answer: { ok: true, deleted: true } });
  });

  test.each(["SIGKILL", "SIGTERM"] as const)("lets a server start and serve after %s", async (signal) => {
    using disk = mountDisk(DISK_BYTES);
    await using server = await openSmallServer(disk);
    for (const size of [LARGE, 100]) await server.publishUntilRefused(size);
    expect(await server.restart(signal)).toBe(signal === "SIGTERM" ? 0 : 137);
    expect(disk.freeBytes()).toBe(0);
    await server.expectWhole();
    expect(await server.publishOne(LARGE)).toBe(507);
    rmSync(server.filler);
    expect(await server.publishOne(LARGE)).toBe(200);
    await server.expectWhole();
  });
});
