import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { createClient } from "../../src/client/client.ts";
import { listRoute, searchRoute } from "../../src/client/routes.ts";
import { logged } from "../support/log.ts";
import { describeIf } from "../support/skip.ts";
import { until } from "../support/until.ts";
import type { Order } from "./breakable-workers.ts";
import { addUser, type Program, publish, startProgram } from "./program.ts";

const SOURCES = new URL("../../src/main.ts", import.meta.url).pathname;
const PRELOAD = new URL("./breakable-workers.ts", import.meta.url).pathname;

const WRITER = "sqlite-writer-worker.ts";
const READER = "sqlite-reader-worker.ts";
const FILES = "fs-writer-worker.ts";
const UPLOADS = "prepare-worker.ts";
const COMPRESSOR = "compress-worker.ts";

const told = z.object({ posted: z.number() });
const readiness = z.object({
  ready: z.literal(true).optional(),
  parts: z.array(
    z.object({
      name: z.string(),
      state: z.enum(["ok", "degraded", "failed"]),
      since: z.iso.datetime(),
      detail: z.string().optional(),
    }),
  ),
});

/** Returns files whose bytes all derive from the mark. */
const filesOf = (mark: string) => [
  {
    path: "index.html",
    content: `<!doctype html><title>${mark}</title><script>const mark = "${mark}";</script>${"<p>text</p>".repeat(1000)}`,
  },
];

/** Starts a server whose threads the test can hold and end, and whose messages it can count. */
async function startBreakable(dataDir: string) {
  const answers: ((posted: number) => void)[] = [];
  const program = await startProgram({
    dataDir,
    command: [process.execPath, "--preload", PRELOAD, SOURCES],
    ipc: (message) => answers.shift()?.(told.parse(message).posted),
  });
  /** Resolves to the number of messages that all threads of this script received. */
  const tell = (order: Order["order"], script: string) =>
    new Promise<number>((resolve) => {
      answers.push(resolve);
      program.process.send({ order, script } satisfies Order);
    });
  return { ...program, tell };
}

const reason = process.env.VITRINE_TEST_PROGRAM ? "an executable takes no preload" : undefined;

describeIf("worker threads of a server", reason, () => {
  let dataDir: string;
  let slug: string;
  let token: string;
  let server: Awaited<ReturnType<typeof startBreakable>>;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "vitrine-threads-"));
    ({ slug, token } = await addUser(dataDir));
    server = await startBreakable(dataDir);
  });
  afterEach(async () => {
    await server[Symbol.asyncDispose]();
    await rm(dataDir, { recursive: true, force: true });
  });

  const upload = (mark: string) => publish(server.baseUrl, token, { files: filesOf(mark), visibility: "public" });

  async function search() {
    const headers = { Authorization: `Bearer ${token}` };
    const response = await fetch(`${server.baseUrl}${searchRoute.path}?owner=${slug}&q=x`, { headers });
    return { status: response.status, answer: await response.json() };
  }

  async function ready({ baseUrl }: Pick<Program, "baseUrl"> = server) {
    const response = await fetch(`${baseUrl}/-/ready?verbose`);
    const body: unknown = await response.json();
    return { status: response.status, ...readiness.parse(body) };
  }

  const partsOf = async (kind: string) => (await ready()).parts.filter(({ name }) => name.startsWith(kind));

  const kinds: [string, string, () => Promise<{ status: number }>][] = [
    ["database writer", WRITER, () => upload("writer")],
    ["database reader 1", READER, search],
    // There are two of them if the first one was busy.
    ["file writer", FILES, () => upload("files")],
    ["upload reader 1", UPLOADS, () => upload("uploads")],
  ];

  describe.each(kinds)("%s", (kind, script, call) => {
    test.each(["throw", "exit"] as const)(
      "that ends by %s causes 503, shows in readiness meanwhile, and works again",
      async (death) => {
        expect(await call()).toMatchObject({ status: 200 });
        const states = (await partsOf(kind)).map(({ state }) => state);
        expect(new Set(states)).toEqual(new Set(["ok"]));
        const before = await server.tell("hold", script);
        const calls = [call(), call()];
        await until(async () => (await server.tell("count", script)) > before || undefined);
        await server.tell(death, script);
        // If they wait for one thread, the second may find the next one.
        const lost = await Promise.any(
          calls.map(async (answer) => expect(await answer).toMatchObject({ status: 503 })),
        );
        expect(lost).toBeUndefined();
        const failed = await until(async () => (await partsOf(kind)).find(({ state }) => state === "failed"));
        expect(failed.detail).toContain(failed.name);
        expect((await fetch(`${server.baseUrl}/-/ready`)).status).toBe(503);
        await server.tell("live", script);
        await until(async () => (await ready()).ready);
        await Promise.all(calls);
        expect(await call()).toMatchObject({ status: 200 });
        await logged(server, /A worker thread stopped and is restarted \(1 of at most 5 times a minute\)\./);
      },
    );
  });

  test("a compressor that dies loses no data: the report is compressed when it is read", async () => {
    await server.tell("hold next", COMPRESSOR);
    const answer = await upload("compressed");
    if (answer.code === undefined) throw new Error(JSON.stringify(answer));
    // It is opened first and then asked to compress.
    await until(async () => (await server.tell("count", COMPRESSOR)) >= 2 || undefined);
    await server.tell("throw", COMPRESSOR);
    expect((await logged(server, /could not be compressed/)).input).toContain(answer.code);
    const headers = { "Accept-Encoding": "zstd" };
    const address = `${server.contentUrl}/${answer.code}/`;
    await until(async () => {
      const { headers: sent } = await fetch(address, { headers, decompress: false });
      return sent.get("content-encoding") === "zstd" || undefined;
    });
  });

  test.each([WRITER, UPLOADS])(
    "the server exits with 70 when its %s has died five times within a minute",
    async (script) => {
      await upload("before");
      const exited = server.process.exited;
      await until(() => {
        try {
          server.process.send({ order: "terminate", script } satisfies Order);
        } catch {
          // A process that exits hears nothing more.
          return true;
        }
        return server.process.exitCode !== null;
      });
      expect(await exited).toBe(70);
      await logged(server, /"detail":"The (database writer|upload reader 1) stopped 5 times within a minute\."/);
      expect(server.log().match(/of at most 5 times a minute/g)).toHaveLength(5);
    },
  );

  test("when the writer dies, reports answered with 200 exist, and those answered with 503 exist completely or not at all", async () => {
    const codes = new Map<string, string>();
    const marks = new Set<string>();
    const statuses = new Set<number>();
    let isOver = false;
    const clients = Array.from({ length: 8 }, async (_, client) => {
      for (let turn = 0; !isOver; turn++) {
        const mark = `${client}.${turn}`;
        marks.add(mark);
        const answer = await upload(mark);
        statuses.add(answer.status);
        if (answer.code !== undefined) codes.set(answer.code, mark);
      }
    });
    for (let death = 0; death < 4; death++) {
      const before = codes.size;
      await until(async () => codes.size > before + 20 || undefined);
      await server.tell("terminate", WRITER);
    }
    isOver = true;
    await Promise.all(clients);
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    const { standalone } = await createClient({ baseUrl: server.baseUrl, token }).call(listRoute);
    const listed = new Set(standalone.map(({ code }) => code));
    expect([...codes.keys()].filter((code) => !listed.has(code))).toEqual([]);
    for (const code of listed) {
      const text = await (await fetch(`${server.contentUrl}/${code}/`)).text();
      const [, mark = ""] = /<title>([^<]*)</.exec(text) ?? [];
      expect(marks.has(mark)).toBe(true);
      expect(codes.get(code) ?? mark).toBe(mark);
      expect(text).toBe(filesOf(mark)[0]?.content ?? "");
    }
    expect(await server.stop()).toBe(0);
  });
});
