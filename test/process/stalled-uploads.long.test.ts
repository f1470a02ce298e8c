import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqlite } from "../../src/store/open-sqlite.ts";
import { createFactories } from "../support/service.ts";
import { type Program, publish, startProgram } from "./program.ts";
import { connectRaw, uploadHead } from "./raw.ts";

const MEBIBYTE = 1024 * 1024;
const BODY_LIMIT = 20 * MEBIBYTE;
/** Bytes that a stalled upload sends before it stops: more than its share of the buffer. */
const SENT = 19 * MEBIBYTE;
const STRANGERS = 50;
const ROUNDS = 15;
const MOST_TIMES = 2;
/** Comparisons, of which the best counts, because the machine may be busy. A blocked upload takes 10 s. */
const TRIES = 5;

let dataDir: string;
let program: Program;
let own: string;
let strangers: string[];

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "vitrine-stalled-"));
  const store = await openSqlite(dataDir);
  const build = createFactories(store);
  own = (await build.user()).token;
  strangers = [];
  for (let count = 0; count < STRANGERS; count++) strangers.push((await build.user()).token);
  await store.close();
  program = await startProgram({ dataDir });
  await timeOfUpload();
});
afterAll(async () => {
  await program[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
});

const upload = { files: [{ path: "index.html", content: "<p>x".repeat(25 * 1024) }] };

/** Returns the median of several uploads of 100 KB, in milliseconds. */
async function timeOfUpload(): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const startedAt = performance.now();
    expect((await publish(program.baseUrl, own, upload)).status).toBe(200);
    times.push(performance.now() - startedAt);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0;
}

/** Starts uploads that stop midway; what the server doesn't read of them stays in buffers. */
async function stall(tokens: readonly string[]): Promise<Disposable> {
  const connections = new DisposableStack();
  const piece = "x".repeat(SENT);
  await Promise.all(
    tokens.map(async (token) => {
      const connection = connections.use(connectRaw(program.baseUrl));
      await connection.write(uploadHead(token, BODY_LIMIT));
      // The write never ends if the server stops reading.
      await Promise.race([connection.write(piece), Bun.sleep(1_000)]);
    }),
  );
  return connections;
}

async function ratioBeside(tokens: readonly string[]): Promise<number> {
  const alone = await timeOfUpload();
  using _ = await stall(tokens);
  return (await timeOfUpload()) / alone;
}

test.each<[string, () => string[]]>([
  ["5 stalled ones with one token", () => Array(5).fill(strangers[0])],
  ["50 stalled ones with one token", () => Array(50).fill(strangers[0])],
  ["stalled ones with 50 tokens", () => strangers],
])("an upload of 100 KB takes no longer beside %s", async (name, tokens) => {
  const ratios: number[] = [];
  while (ratios.length < TRIES && !ratios.some((ratio) => ratio <= MOST_TIMES))
    ratios.push(await ratioBeside(tokens()));
  console.log(`100 KB beside ${name}: ${ratios.map((ratio) => ratio.toFixed(2)).join(", ")} times as long as alone`);
  expect(Math.min(...ratios)).toBeLessThanOrEqual(MOST_TIMES);
});
