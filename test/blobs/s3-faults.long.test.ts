import { afterEach, beforeEach, expect, test } from "bun:test";
import { createS3Blobs } from "../../src/blobs/s3.ts";
import type { Blobs } from "../../src/domain/model/blobs.ts";
import { Failure } from "../../src/domain/model/failure.ts";
import { type CrookedProxy, type Fault, startCrookedProxy } from "../support/crooked-proxy.ts";
import { createBucket, s3Unavailable, type TestBucket } from "../support/s3.ts";
import { random } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";
import { buildContent, expectBytes, keysIn, newKey, rejectionOf } from "./contents.ts";

const LARGE = 5_000_000;
const PATIENCE = { firstByte: 1_500, attempt: 3_000, total: 6_000 };

/** Faults after which a retry can succeed. */
const PASSING: [string, Fault][] = [
  ["a 500", { answer: 500 }],
  ["a 503", { answer: 503 }],
  ["a 429", { answer: 429 }],
  ["a connection that ends at once", { cutRequestAfter: 0 }],
  ["a connection that ends midway through the request", { cutRequestAfter: 300 }],
  ["a lost response", { cutAnswerAfter: 0 }],
  ["a truncated response", { cutAnswerAfter: 100 }],
  ["a silent store", "silence"],
];

describeIf("S3 with a bad connection", s3Unavailable(), () => {
  let bucket: TestBucket;
  let proxy: CrookedProxy;
  /** Connects to the store directly. */
  let direct: Blobs;
  let blobs: Blobs;

  beforeEach(async () => {
    bucket = await createBucket();
    proxy = await startCrookedProxy(bucket.endpoint);
    direct = createS3Blobs({ place: bucket.place(), random });
    blobs = createS3Blobs({ place: bucket.place({ endpoint: proxy.endpoint }), random, patience: PATIENCE });
  });
  afterEach(() => proxy[Symbol.asyncDispose]());

  test.each(PASSING)("a put survives %s", async (_, fault) => {
    const key = newKey();
    proxy.spoil(fault);
    await blobs.put(key, buildContent(1000));
    expectBytes(await direct.readAll(key), buildContent(1000));
    expect(proxy.requests()).toBeGreaterThan(1);
  });

  test.each(PASSING)("a read survives %s", async (_, fault) => {
    const key = newKey();
    await direct.put(key, buildContent(1000));
    proxy.spoil(fault);
    expectBytes(await blobs.read(key, 100, 800), buildContent(1000).slice(100, 900));
    expect(proxy.requests()).toBeGreaterThan(1);
  });

  test.each(PASSING)("listing and deleting survive %s", async (_, fault) => {
    const keys = [newKey(), newKey()];
    for (const key of keys) await direct.put(key, buildContent(10));
    proxy.spoil(fault);
    expect(await keysIn(blobs)).toEqual(keys.toSorted());
    proxy.spoil(fault);
    await blobs.delete(keys);
    expect(await keysIn(direct)).toEqual([]);
  });

  test("a large put that is interrupted is put completely", async () => {
    const key = newKey();
    proxy.spoil({ cutRequestAfter: LARGE / 2 }, { cutRequestAfter: LARGE - 1000 }, { cutAnswerAfter: 0 });
    await blobs.put(key, buildContent(LARGE));
    expectBytes(await direct.readAll(key), buildContent(LARGE));
  });

  test("a stream continues where the connection was interrupted", async () => {
    const key = newKey();
    await direct.put(key, buildContent(LARGE));
    const stream = await blobs.slice(key, 1000, LARGE - 2000);
    const cuts = [10_000, 400_000, 1, 0].map((cutAnswerAfter) => ({ cutAnswerAfter }));
    proxy.spoil(...cuts);
    expectBytes(await stream.bytes(), buildContent(LARGE).slice(1000, LARGE - 1000));
  });

  test("a stream that can't continue breaks off instead of ending early", async () => {
    const key = newKey();
    await direct.put(key, buildContent(LARGE));
    const stream = await blobs.slice(key, 0, LARGE);
    proxy.spoilAll({ answer: 503 });
    expect(await rejectionOf(stream.bytes())).toMatchObject({ kind: "Unavailable" });
  });

  test.each<[string, Fault]>([
    ["is overloaded", { answer: 503 }],
    ["cannot be reached", { cutRequestAfter: 0 }],
  ])("a store that %s for long is soon reported as unavailable, with a time to retry", async (_, fault) => {
    const key = newKey();
    await direct.put(key, buildContent(10));
    proxy.spoilAll(fault);
    const attempts = [
      () => blobs.put(newKey(), buildContent(10)),
      () => blobs.readAll(key),
      () => blobs.slice(key, 0, 1),
      () => blobs.delete([key]),
      () => keysIn(blobs),
    ];
    for (const failure of await Promise.all(attempts.map((attempt) => rejectionOf(attempt())))) {
      if (!(failure instanceof Failure)) throw failure;
      expect(failure.kind).toBe("Unavailable");
      expect(failure.retryAfter).toBeGreaterThan(0);
      expect(failure.cause).toBeInstanceOf(Error);
    }
    expect(proxy.requests()).toBeLessThanOrEqual(attempts.length * 5);
    proxy.spoilAll(undefined);
    expectBytes(await blobs.readAll(key), buildContent(10));
  });

  test("a silent store times out", async () => {
    proxy.spoilAll("silence");
    expect(await rejectionOf(blobs.check())).toMatchObject({ kind: "Unavailable" });
    expect(await rejectionOf(blobs.readAll(newKey()))).toMatchObject({ kind: "Unavailable" });
  });

  test("a refused request is not retried", async () => {
    const key = newKey();
    await direct.put(key, buildContent(10));
    for (const answer of [400, 403, 404, 501]) {
      const before = proxy.requests();
      proxy.spoil({ answer });
      expect(await rejectionOf(blobs.readAll(key))).toMatchObject({ kind: "Unavailable", cause: { status: answer } });
      expect(proxy.requests()).toBe(before + 1);
    }
  });

  test("a full store is reported as full", async () => {
    proxy.spoil({ answer: 507 });
    expect(await rejectionOf(blobs.put(newKey(), buildContent(10)))).toMatchObject({ kind: "StorageFull" });
    expect(proxy.requests()).toBe(1);
  });

  test("a slow store gets enough time", async () => {
    const key = newKey();
    proxy.spoilAll({ delay: 300 });
    await blobs.put(key, buildContent(LARGE));
    proxy.spoilAll(undefined);
    expectBytes(await direct.readAll(key), buildContent(LARGE));
    expect(proxy.requests()).toBe(1);
  });

  test("reading a few bytes of a large object doesn't transfer all of it", async () => {
    const key = newKey();
    await direct.put(key, buildContent(20_000_000));
    const before = proxy.answered();
    expectBytes(await blobs.read(key, 11_000_000, 1000), buildContent(20_000_000).slice(11_000_000, 11_001_000));
    expect(proxy.answered() - before).toBeLessThan(1_100_000);
  });

  test("concurrent readers of one part cause one request", async () => {
    const key = newKey();
    await direct.put(key, buildContent(1000));
    await Promise.all(Array.from({ length: 50 }, (_, offset) => blobs.read(key, offset, 10)));
    expect(proxy.requests()).toBe(1);
  });

  test("a stream that isn't read requests no more data", async () => {
    const key = newKey();
    await direct.put(key, buildContent(LARGE));
    const stream = await blobs.slice(key, 0, LARGE);
    if (!(stream instanceof ReadableStream)) throw new Error("not streamed");
    const reader = stream.getReader();
    await reader.read();
    // Reading another object takes much longer than a request that is already under way.
    const other = newKey();
    await direct.put(other, buildContent(1000));
    for (let reads = 0; reads < 20; reads++) await blobs.read(other, 0, 1000);
    expect(proxy.requests()).toBeLessThanOrEqual(3 + 20);
    await reader.cancel();
    const seen = proxy.requests();
    for (let reads = 0; reads < 20; reads++) await blobs.read(other, 0, 1000);
    expect(proxy.requests()).toBe(seen + 20);
  });
});
