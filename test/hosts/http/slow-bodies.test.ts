import { afterEach, expect, test } from "bun:test";
import { invalid } from "../../../src/domain/model/failure.ts";
import { createBodyReader } from "../../../src/hosts/http/body.ts";
import type { PaceRule } from "../../../src/hosts/http/body-pace.ts";
import type { BodyLease } from "../../../src/hosts/http/body-pool.ts";
import { describeFailure } from "../../../src/hosts/http/failures.ts";
import { listen } from "../../../src/hosts/http/listen.ts";
import { silentLog } from "../../../src/observability/log.ts";
import { connectRaw, type RawConnection } from "../../process/raw.ts";
import { clock } from "../../support/service.ts";
import { pause } from "../../support/until.ts";

/** As strict as the real one, but faster. */
const PACE: PaceRule = { grace: 400, bytesPerSecond: 64 * 1024, deadline: 60_000 };
const EXPECTED = Math.ceil((PACE.bytesPerSecond * PACE.grace) / 1000);
const LIMIT = 20 * 1024 * 1024;

const disposals: (() => unknown)[] = [];

afterEach(async () => {
  for (const dispose of disposals.splice(0).reverse()) await dispose();
});

/** Starts a host that answers with the length of the body, or refuses it unread. */
function host({ rule = PACE, lease }: { rule?: PaceRule; lease?: BodyLease } = {}) {
  const listener = listen<undefined>(["127.0.0.1"], 0, clock, rule);
  const readBody = createBodyReader(clock, rule);
  const answer = async (request: Request) => {
    if (request.url.endsWith("/refused")) throw invalid("This is refused unread.");
    return new Response(`${(await readBody(request, LIMIT, lease)).length} bytes`);
  };
  listener.handle((request) =>
    answer(request).catch((error) => {
      const { status, message, headers } = describeFailure(error, "", silentLog);
      return Response.json({ error: message }, { status, headers });
    }),
  );
  disposals.push(() => listener.stop(0));
  return `http://127.0.0.1:${listener.port}`;
}

function begin(url: string, length: number | undefined, path = "/"): RawConnection {
  const connection = connectRaw(url);
  disposals.push(() => connection[Symbol.dispose]());
  const framing = length === undefined ? "Transfer-Encoding: chunked" : `Content-Length: ${length}`;
  connection.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\n${framing}\r\n\r\n`);
  return connection;
}

const TOO_SLOW = /^HTTP\/1.1 408 [\s\S]*connection: close[\s\S]*\{"error":"The request body arrived too slowly/i;

test.each<[string, number | undefined, number]>([
  ["a large body that never starts", LIMIT, 0],
  ["a large body that stops midway", LIMIT, 4 * 1024 * 1024],
  ["a small body that stops midway", 1000, 10],
  ["a small body that never starts", 1000, 0],
  ["a chunked body that stops", undefined, 0],
])("%s is 408, and its connection is closed", async (_, length, sent) => {
  const connection = begin(host(), length);
  await connection.write("x".repeat(sent));
  await connection.receive(TOO_SLOW);
  await connection.closed;
});

test("a body that is slightly too slow is 408", async () => {
  const connection = begin(host(), LIMIT);
  const timer = setInterval(() => connection.write("x".repeat(EXPECTED / 100)), PACE.grace / 10);
  disposals.push(() => clearInterval(timer));
  await connection.receive(TOO_SLOW);
});

test("a body at twice the required rate is accepted, however long it takes", async () => {
  const length = EXPECTED * 6;
  const connection = begin(host(), length);
  // By the clock and not by the number of turns, so that a busy machine is no slower.
  const startedAt = clock.now();
  for (let sent = 0; sent < length; ) {
    const due = Math.min(length, Math.ceil(((clock.now() - startedAt) * 2 * PACE.bytesPerSecond) / 1000));
    await connection.write("x".repeat(due - sent));
    sent = due;
    await pause(20, "a client's pace");
  }
  expect(await connection.receive(/\d+ bytes/)).toBe(`${length} bytes`);
  expect(clock.now() - startedAt).toBeGreaterThan(2 * PACE.grace);
});

test("time in which a body waits for room doesn't count", async () => {
  const room = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const lease: BodyLease = {
    take() {
      asked.resolve();
      return room.promise;
    },
    release: () => undefined,
  };
  const length = 200 * 1024;
  const connection = begin(host({ lease }), length);
  await connection.write("x".repeat(length));
  await asked.promise;
  // The body waits for room much longer than its grace.
  await pause(4 * PACE.grace, "the length of a fault");
  expect(connection.received).toBe("");
  room.resolve();
  expect(await connection.receive(/\d+ bytes/)).toBe(`${length} bytes`);
});

test("a body that takes longer than the deadline is 408, whatever its speed", async () => {
  const connection = begin(host({ rule: { grace: 50, bytesPerSecond: 1, deadline: 300 } }), LIMIT);
  const timer = setInterval(() => connection.write("x".repeat(1000)), 10);
  disposals.push(() => clearInterval(timer));
  await connection.receive(TOO_SLOW);
});

test("a refusal does not wait for the body", async () => {
  const connection = begin(host(), 1000, "/refused");
  await connection.receive(/^HTTP\/1.1 400 [\s\S]*This is refused unread/);
});
