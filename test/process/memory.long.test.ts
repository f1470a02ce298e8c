import { afterEach, beforeEach, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { z } from "zod";
import { encodeForm, indexPart } from "../hosts/app/publishing/forms.ts";
import type { ProbeReply, ProbeRequest } from "./probe-worker.ts";
import { addUser, type Program, publish, startProgram } from "./program.ts";
import { connectRaw, uploadHead } from "./raw.ts";

const MEBIBYTE = 1024 * 1024;
const JSON_TYPE = { "Content-Type": "application/json" };
const BODY_LIMIT = 20 * MEBIBYTE;
const UPLOADS = 8;
const IDLE_UPLOADS = 40;

const MEMORY_AFTER_START = 120;
const PEAK_MEMORY = 700;
/** More than the 50 ms for which the event loop may be blocked: a busy machine delays the probe as well. */
const LONGEST_HOLD = 150;

let dataDir: string;
let program: Program;
let token: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "vitrine-memory-"));
  ({ token } = await addUser(dataDir));
  program = await startProgram({ dataDir });
});
afterEach(async () => {
  await program[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
});

/** Returns the server's resident memory in megabytes: now, or its peak (proc(5)). */
function memoryOf({ process: { pid } }: Program, field: "VmRSS" | "VmHWM"): number {
  const [, kilobytes] =
    new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  if (kilobytes === undefined) throw new Error(`The server's ${field} is unknown.`);
  return Math.round(Number(kilobytes) / 1024);
}

/** Measures from outside how long the server makes a small request wait. */
function startProbe({ baseUrl, process: { pid } }: Program) {
  const worker = new Worker(new URL("./probe-worker.ts", import.meta.url).href);
  const answer = new Promise<ProbeReply>((resolve, reject) => {
    worker.onmessage = (event: MessageEvent<ProbeReply>) => resolve(event.data);
    worker.onerror = (event) => reject(new Error(event.message));
  });
  const tell = (request: ProbeRequest) => worker.postMessage(request);
  tell({ url: `${baseUrl}/api/config`, pid });
  return {
    async stop(): Promise<ProbeReply> {
      tell("stop");
      const reply = await answer;
      worker.terminate();
      return reply;
    },
  };
}

const padTo = (text: string, size: number) => text.repeat(Math.ceil(size / text.length)).slice(0, size);

const base64 = (size: number) => Buffer.from(padTo("0123456789abcdef\0\xff", size), "latin1").toString("base64");

/** Uploads of just under 20 MB, each with content that is expensive in another way. */
const LARGE_UPLOADS: Record<string, () => object[]> = {
  "binary assets": () => [
    { path: "index.html", content: "<title>T</title>" },
    { path: "a.png", content: base64(7.4 * MEBIBYTE), encoding: "base64" },
    { path: "b.png", content: base64(7.4 * MEBIBYTE), encoding: "base64" },
  ],
  "data as text": () => [
    { path: "index.html", content: "<title>T</title><script src=a.js></script>" },
    { path: "a.js", content: `data = [${padTo("1.25,", 9.9 * MEBIBYTE - 20)}0]` },
    { path: "b.csv", content: padTo("1,2,3,4,5,6,7,8,9,10,11,12\n", 9.2 * MEBIBYTE) },
  ],
  "scripts and styles": () => [
    { path: "index.html", content: `<title>T</title><script>${padTo("f(a,b)+c;\n", 9.8 * MEBIBYTE - 10)}</script>` },
    { path: "a.js", content: padTo("x=y.z(1);\n", 6 * MEBIBYTE) },
    { path: "b.css", content: padTo("a{b:url(c.png)}\n", 2 * MEBIBYTE) },
  ],
  markup: () => [
    { path: "index.html", content: `<title>T</title>${padTo("<p class=a><img src=b.png>é</p>\n", 9.2 * MEBIBYTE)}` },
    { path: "c.html", content: padTo("<td>1<td>2\n", 9 * MEBIBYTE) },
  ],
};

const answerSchema = z.looseObject({ code: z.string().length(16) });

const jsonBody = (kind: string) =>
  new TextEncoder().encode(JSON.stringify({ visibility: "public", files: LARGE_UPLOADS[kind]?.() }));

/** Ways to send the same content. */
const SENDINGS: Record<string, () => { body: Uint8Array<ArrayBuffer>; headers: Record<string, string> }> = {
  ...Object.fromEntries(
    Object.keys(LARGE_UPLOADS).map((kind) => [kind, () => ({ body: jsonBody(kind), headers: JSON_TYPE })]),
  ),
  "a form": () => {
    const bytes = new Uint8Array(Buffer.from(padTo("\r\n--\0\xff", 9.5 * MEBIBYTE), "latin1"));
    const { type, body } = encodeForm([
      indexPart(),
      { name: "files", filename: "a.png", content: bytes },
      { name: "files", filename: "b.png", content: bytes },
    ]);
    return { body, headers: { "Content-Type": type } };
  },
  "data as text, with gzip": () => ({
    body: new Uint8Array(gzipSync(jsonBody("data as text"))),
    headers: { ...JSON_TYPE, "Content-Encoding": "gzip" },
  }),
  "data as text, with zstd": () => ({
    body: new Uint8Array(zstdCompressSync(jsonBody("data as text"))),
    headers: { ...JSON_TYPE, "Content-Encoding": "zstd" },
  }),
};

test.each(Object.keys(SENDINGS))(
  `${UPLOADS} concurrent uploads of 20 MB neither exhaust memory nor delay others: %s`,
  async (kind) => {
    const sending = SENDINGS[kind]?.();
    if (sending === undefined) throw new Error(`Unknown kind: ${kind}.`);
    const { body } = sending;
    if (sending.headers["Content-Encoding"] === undefined) expect(body.length).toBeGreaterThan(17 * MEBIBYTE);
    expect(body.length).toBeLessThanOrEqual(BODY_LIMIT);
    const afterStart = memoryOf(program, "VmRSS");
    // The first request loads modules.
    await fetch(`${program.baseUrl}/api/config`);
    const probe = startProbe(program);
    const startedAt = performance.now();
    const answers = await Promise.all(
      Array.from({ length: UPLOADS }, async () => {
        const headers = { Authorization: `Bearer ${token}`, ...sending.headers };
        const response = await fetch(`${program.baseUrl}/api/upload`, { method: "POST", headers, body });
        return { status: response.status, answer: await response.json() };
      }),
    );
    const took = Math.round(performance.now() - startedAt);
    const { slowest, longestHold, count } = await probe.stop();
    const peak = memoryOf(program, "VmHWM");
    console.log(
      `${kind}: ${afterStart} MB after start, ${peak} MB at the highest, ${took} ms in all; ` +
        `of ${count} small requests the slowest took ${Math.round(slowest)} ms, ` +
        `with the event loop blocked for at most ${Math.round(longestHold)} ms`,
    );
    for (const { status, answer } of answers) {
      expect({ status, answer }).toMatchObject({ status: 200 });
      answerSchema.parse(answer);
    }
    expect(afterStart).toBeLessThanOrEqual(MEMORY_AFTER_START);
    expect(peak).toBeLessThanOrEqual(PEAK_MEMORY);
    expect(longestHold).toBeLessThanOrEqual(LONGEST_HOLD);
  },
);

test.each([
  ["at their beginning", 0, 60],
  ["midway", 4 * MEBIBYTE, 400],
])(`${IDLE_UPLOADS} uploads that stop %s don't delay others`, async (_, bytes, megabytes) => {
  const upload = { files: [{ path: "index.html", content: "<title>T</title>" }] };
  expect((await publish(program.baseUrl, token, upload)).status).toBe(200);
  const before = memoryOf(program, "VmRSS");
  using connections = new DisposableStack();
  const start = `${uploadHead(token, BODY_LIMIT)}{"files":[`;
  for (let opened = 0; opened < IDLE_UPLOADS; opened++) {
    const connection = connections.use(connectRaw(program.baseUrl));
    // The write never ends if the server stops reading.
    await Promise.race([connection.write(start + " ".repeat(bytes)), Bun.sleep(500)]);
  }
  for (let made = 0; made < 10; made++) expect((await publish(program.baseUrl, token, upload)).status).toBe(200);
  const headers = { Authorization: `Bearer ${token}`, "Content-Encoding": "gzip" };
  const compressed = new Uint8Array(gzipSync(JSON.stringify(upload)));
  const small = await fetch(`${program.baseUrl}/api/upload`, { method: "POST", headers, body: compressed });
  expect(small.status).toBe(200);
  expect(memoryOf(program, "VmRSS") - before).toBeLessThan(megabytes);
});

const TOO_LARGE = /HTTP\/1.1 413 .*\r\n\r\n.*\{"error":"The request body exceeds the limit of 20 MB\."\}/s;

test("an upload that announces too much is refused before its body is sent", async () => {
  using connection = connectRaw(program.baseUrl);
  await connection.write(uploadHead(token, BODY_LIMIT + 1, "Expect: 100-continue\r\n"));
  await connection.receive(TOO_LARGE);
});

test("an upload that waits for 100 Continue gets it", async () => {
  const body = JSON.stringify({ files: [{ path: "index.html", content: "" }] });
  using connection = connectRaw(program.baseUrl);
  await connection.write(uploadHead(token, body.length, "Expect: 100-continue\r\n"));
  await connection.receive(/HTTP\/1.1 100 Continue\r\n\r\n/);
  await connection.write(body);
  await connection.receive(/HTTP\/1.1 200 /);
});

test.each([BODY_LIMIT + 1, undefined])("an upload that sends too much is cut off (announced: %p)", async (length) => {
  const before = memoryOf(program, "VmRSS");
  using connection = connectRaw(program.baseUrl);
  await connection.write(uploadHead(token, length === undefined ? undefined : 500 * MEBIBYTE));
  const piece = padTo(" ", 64 * 1024);
  const chunk = length === undefined ? `${piece.length.toString(16)}\r\n${piece}\r\n` : piece;
  let sent = 0;
  while (sent < 500 * MEBIBYTE && !connection.received.includes("413") && (await connection.write(chunk)))
    sent += piece.length;
  // After the refusal, the same amount is read and discarded; buffers of the operating system come on top.
  expect(sent).toBeLessThan(2 * BODY_LIMIT + 20 * MEBIBYTE);
  expect(connection.received === "" || TOO_LARGE.test(connection.received)).toBe(true);
  expect(memoryOf(program, "VmHWM") - before).toBeLessThan(150);
  expect((await publish(program.baseUrl, token, { files: [{ path: "index.html", content: "" }] })).status).toBe(200);
});
