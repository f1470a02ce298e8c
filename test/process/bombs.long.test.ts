import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BOMBS, type Bomb } from "./bombs.ts";
import { addUser, type Program, publish, startProgram } from "./program.ts";
import { connectRaw, uploadHead } from "./raw.ts";

/** Megabytes more than the server used before. */
const MOST_FOR_ONE = 256;
const MOST_AT_ONCE = 2 * MOST_FOR_ONE;
const AT_ONCE = 6;

let dataDir: string;
let program: Program;
let token: string;
let idle: number;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "vitrine-bombs-"));
  ({ token } = await addUser(dataDir));
  program = await startProgram({ dataDir });
  expect((await publish(program.baseUrl, token, { files: [{ path: "index.html", content: "" }] })).status).toBe(200);
  idle = memoryOf("VmRSS");
});
afterAll(async () => {
  await program[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
});

/** Returns the server's resident memory in megabytes: now, or the peak since the last `forgetPeak` (proc(5)). */
function memoryOf(field: "VmRSS" | "VmHWM"): number {
  const status = readFileSync(`/proc/${program.process.pid}/status`, "utf8");
  return Math.round(Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(status)?.[1]) / 1024);
}

const forgetPeak = () => writeFileSync(`/proc/${program.process.pid}/clear_refs`, "5");

async function send({ path, build }: Bomb): Promise<number> {
  const { body, headers } = build();
  const credentials = path.startsWith("/api/auth/")
    ? { Origin: program.baseUrl }
    : { Authorization: `Bearer ${token}`, Accept: "application/json, text/event-stream" };
  const response = await fetch(program.baseUrl + path, {
    method: "POST",
    headers: { ...credentials, ...headers },
    body,
  });
  await response.bytes();
  return response.status;
}

/** Returns the peak memory during some work, beyond that before it, which can include what isn't collected yet. */
async function peakOf(work: () => Promise<void>): Promise<number> {
  const before = Math.max(idle, memoryOf("VmRSS"));
  forgetPeak();
  await work();
  return memoryOf("VmHWM") - before;
}

/** Logs the bodies that used the most memory. */
function report(peaks: ReadonlyMap<string, number>, title: string): void {
  const most = [...peaks].toSorted(([, a], [, b]) => b - a).slice(0, 5);
  console.log(
    `${title}, idle ${idle} MB, now ${memoryOf("VmRSS")} MB: ${most.map(([name, peak]) => `${peak} MB (${name})`).join(", ")}`,
  );
}

test("no body alone takes more than 256 MB", async () => {
  const peaks = new Map<string, number>();
  for (const bomb of BOMBS) {
    const peak = await peakOf(async () => {
      const status = await send(bomb);
      // Some are valid reports, only large.
      expect([200, 400, 413], bomb.name).toContain(status);
    });
    peaks.set(bomb.name, peak);
  }
  report(peaks, "One bomb");
  expect(memoryOf("VmRSS") - idle).toBeLessThan(2 * MOST_FOR_ONE);
  expect([...peaks].filter(([, peak]) => peak > MOST_FOR_ONE)).toEqual([]);
});

test(`${AT_ONCE} bodies at the same time take at most twice as much`, async () => {
  const peaks = new Map<string, number>();
  const uploads = BOMBS.filter(({ path }) => path === "/api/upload");
  for (let start = 0; start < uploads.length; start += AT_ONCE) {
    const some = uploads.slice(start, start + AT_ONCE);
    peaks.set(some[0]?.name ?? "", await peakOf(async () => void (await Promise.all(some.map(send)))));
  }
  report(peaks, `${AT_ONCE} bombs at once`);
  expect([...peaks].filter(([, peak]) => peak > MOST_AT_ONCE)).toEqual([]);
});

test("a body that is sent byte by byte takes no more memory than others", async () => {
  const peak = await peakOf(async () => {
    using connection = connectRaw(program.baseUrl);
    await connection.write(uploadHead(token, undefined));
    const piece = "1\r\n \r\n".repeat(10_000);
    for (let sent = 0; sent < 100; sent++) await connection.write(piece);
    await connection.write("0\r\n\r\n");
    await connection.receive(/HTTP\/1.1 400 [\s\S]*isn.t valid JSON/);
  });
  expect(peak).toBeLessThan(MOST_FOR_ONE);
});
