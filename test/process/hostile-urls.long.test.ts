import { afterEach, beforeEach, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "../support/content.ts";
import { addUser, type Program, publish, startProgram } from "./program.ts";
import { connectRaw, type RawConnection } from "./raw.ts";

/** Enough to nearly fill a cache that is cleared after every 10,000 entries. */
const REQUESTS = 109_000;
const CONNECTIONS = 16;
/** Megabytes by which memory may grow. */
const ALLOWANCE = 10;

let dataDir: string;
let program: Program;
let code: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "vitrine-hostile-urls-"));
  const { token } = await addUser(dataDir);
  program = await startProgram({ dataDir });
  const upload = { visibility: "public", files: [{ path: "index.html", content: "<title>T</title>" }] };
  const published = await publish(program.baseUrl, token, upload);
  code = published.code ?? expect.unreachable();
});
afterEach(async () => {
  await program[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
});

function residentMegabytes(): number {
  const status = readFileSync(`/proc/${program.process.pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

/** Each letter of the file's name may be percent-encoded. */
function spelled(number: number): string {
  const letters = [..."index.html"].map((letter, place) => {
    const isEscaped = ((number >> place) & 1) === 1;
    return isEscaped ? `%${letter.charCodeAt(0).toString(16)}` : letter;
  });
  return letters.join("");
}

const LONG = "x".repeat(8000);
/** Different addresses of one report; unusual headers must not be cached any better. */
const KINDS: readonly ((number: number) => { target: string; host?: string; encoding?: string })[] = [
  (number) => ({ target: `/?${number}`, encoding: `x${number}, gzip;q=0.1` }),
  (number) => ({ target: `/?${number}${LONG}` }),
  (number) => ({ target: `/${spelled(number)}`, host: `h${number}.${"y".repeat(60)}.example` }),
  (number) => ({ target: "/", host: `h${number}.${"y".repeat(300)}.example`, encoding: `x${number}${LONG}` }),
];

function hostileRequest(number: number): string {
  const {
    target,
    host = "content",
    encoding = "identity",
  } = KINDS[number % KINDS.length]?.(number) ?? expect.unreachable();
  return `GET /${code}${target} HTTP/1.1\r\nHost: ${host}\r\nAccept-Encoding: ${encoding}\r\n\r\n`;
}

const usualRequest = () => `GET /${code}/ HTTP/1.1\r\nHost: content\r\nAccept-Encoding: gzip\r\n\r\n`;

type RequestOf = (number: number) => string;

async function sendAll(connection: RawConnection, requestOf: RequestOf, from: number, to: number): Promise<void> {
  for (let number = from; number < to; number++) {
    await connection.write(requestOf(number));
    await connection.receive(/^HTTP\/1\.1 200 .*<title>T<\/title>/s);
    connection.forget();
  }
}

async function sendMany(requestOf: RequestOf, count: number): Promise<void> {
  const share = Math.ceil(count / CONNECTIONS);
  const sending = Array.from({ length: CONNECTIONS }, async (_, place) => {
    using connection = connectRaw(program.contentUrl);
    await sendAll(connection, requestOf, place * share, (place + 1) * share);
  });
  await Promise.all(sending);
}

test(`${REQUESTS} made-up addresses increase memory by at most ${ALLOWANCE} MB`, async () => {
  // Excludes the memory that any traffic takes.
  await sendMany(usualRequest, REQUESTS / 4);
  const before = residentMegabytes();
  await sendMany(hostileRequest, REQUESTS);
  const rightAfter = residentMegabytes();
  const after = await until(async () => {
    const now = residentMegabytes();
    return now <= before + ALLOWANCE ? now : undefined;
  });
  console.info(
    `${before.toFixed(1)} MB before ${REQUESTS} addresses, ${rightAfter.toFixed(1)} MB right after, ${after.toFixed(1)} MB finally`,
  );
});
