import { beforeEach, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDiskCache } from "../../src/blobs/disk-cache.ts";
import { createS3Blobs } from "../../src/blobs/s3.ts";
import type { Blobs } from "../../src/domain/model/blobs.ts";
import { silentLog } from "../../src/observability/log.ts";
import { createBucket, missingBucket, s3Unavailable, type TestBucket } from "../support/s3.ts";
import { clock, random } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";
import { describeBlobs } from "./compliance.ts";
import { buildContent, expectBytes, keysIn, newKey, rejectionOf } from "./contents.ts";
import { describeScrub } from "./scrub.ts";
import { describeSweep } from "./sweep.ts";

async function openBucket() {
  const bucket = await createBucket();
  const blobs = createS3Blobs({ place: bucket.place({ prefix: "some/where/" }), random });
  return { bucket, blobs, [Symbol.asyncDispose]: async () => undefined };
}

async function openCachedBucket() {
  const { bucket } = await openBucket();
  const directory = await mkdtemp(join(tmpdir(), "vitrine-cache-"));
  const cache = createDiskCache({ directory, bound: 64 * 1024 * 1024, clock, log: silentLog });
  const blobs = createS3Blobs({ place: bucket.place(), random, cache });
  return { blobs, [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }) };
}

describeIf("S3", s3Unavailable(), () => {
  describeBlobs("S3", openBucket);
  describeBlobs("S3 with a cache", openCachedBucket);
  describeSweep("S3", openBucket);
  describeScrub("S3", openBucket);

  let bucket: TestBucket;
  let blobs: Blobs;

  beforeEach(async () => {
    ({ bucket, blobs } = await openBucket());
  });

  const at = (place: Parameters<TestBucket["place"]>[0]) => createS3Blobs({ place: bucket.place(place), random });

  test("what was put is there at once, byte for byte, for every other client", async () => {
    for (const size of [0, 1, 1000, 512 * 1024, 512 * 1024 + 1, 20_000_000]) {
      const key = newKey();
      const content = buildContent(size, size);
      await blobs.put(key, content.slice());
      expectBytes(await bucket.client.file(`some/where/${key}`).bytes(), content);
      expectBytes(await at({ prefix: "some/where/" }).readAll(key), content);
    }
  });

  test("of 20 puts under one key at once, one wins and the others are errors", async () => {
    const key = newKey();
    const contents = Array.from({ length: 20 }, (_, seed) => buildContent(10_000, seed));
    const results = await Promise.allSettled(contents.map((content) => blobs.put(key, content.slice())));
    const winners = contents.filter((_, index) => results[index]?.status === "fulfilled");
    expect(winners).toHaveLength(1);
    expectBytes(await blobs.readAll(key), winners[0] ?? new Uint8Array());
  });

  test("of 20 puts of the same object at once all succeed", async () => {
    const key = newKey();
    await Promise.all(Array.from({ length: 20 }, () => blobs.put(key, buildContent(10_000))));
    expectBytes(await blobs.readAll(key), buildContent(10_000));
  });

  test("another object under a key that is taken is refused, and the first one stays", async () => {
    const key = newKey();
    await blobs.put(key, buildContent(1000, 1));
    for (const other of [buildContent(1000, 2), buildContent(0), buildContent(2000, 1)]) {
      expect(String(await rejectionOf(blobs.put(key, other)))).toContain("already has another object");
    }
    expectBytes(await blobs.readAll(key), buildContent(1000, 1));
  });

  test("prefixes of one bucket do not see each other", async () => {
    const [outer, inner] = [at({ prefix: "some/" }), at({})];
    const keys = [newKey(), newKey(), newKey()];
    const [own = "", outerKey = "", innerKey = ""] = keys;
    await blobs.put(own, buildContent(1));
    await outer.put(outerKey, buildContent(1));
    await inner.put(innerKey, buildContent(1));
    expect(await keysIn(blobs)).toEqual([own]);
    expect(await keysIn(outer)).toEqual([outerKey]);
    expect(await keysIn(inner)).toEqual([innerKey]);
    await blobs.delete(keys);
    expect(await outer.readAll(outerKey)).toBeDefined();
    expect(await blobs.readAll(own)).toBeUndefined();
  });

  test("what is not ours is neither listed nor deleted", async () => {
    const foreign = ["some/where/README", "some/where/below/Aabcdefghijklmno", "some/where/Aabcdefghijklmno.txt", "x"];
    for (const name of foreign) await bucket.client.write(name, "keep me");
    await bucket.client.write("some/where/", "a folder, as consoles make them");
    expect(await keysIn(blobs)).toEqual([]);
    for (const name of ["README", "below/Aabcdefghijklmno", "../../x"]) {
      expect(await rejectionOf(blobs.delete([name]))).toBeInstanceOf(Error);
    }
    for (const name of foreign) expect(await bucket.client.exists(name)).toBe(true);
  });

  test("more objects are listed and deleted than fit into one answer", async () => {
    const keys = Array.from({ length: 1100 }, newKey);
    const left = [...keys];
    const putSome = async () => {
      for (let key = left.pop(); key !== undefined; key = left.pop()) await blobs.put(key, buildContent(1));
    };
    await Promise.all(Array.from({ length: 16 }, putSome));
    expect(await keysIn(blobs)).toEqual(keys.toSorted());
    await blobs.delete(keys);
    expect(await keysIn(blobs)).toEqual([]);
  });

  test("a range beyond the end is empty", async () => {
    const key = newKey();
    await blobs.put(key, buildContent(1000));
    expectBytes(await blobs.read(key, 1000, 10), new Uint8Array());
    expectBytes(await blobs.read(key, 10_000_000, 10), new Uint8Array());
  });

  test("a wrong secret is the store being unavailable, never a missing object", async () => {
    const key = newKey();
    await blobs.put(key, buildContent(10));
    const stranger = at({ prefix: "some/where/", secretAccessKey: "wrong" });
    const attempts = [
      () => stranger.check(),
      () => stranger.readAll(key),
      () => stranger.readAll(newKey()),
      () => stranger.slice(key, 0, 1),
      () => stranger.put(newKey(), buildContent(1)),
      () => stranger.delete([key]),
      () => keysIn(stranger),
    ];
    for (const attempt of attempts) {
      expect(await rejectionOf(attempt())).toMatchObject({
        kind: "Unavailable",
        cause: { status: 403, code: "SignatureDoesNotMatch" },
      });
    }
    expectBytes(await blobs.readAll(key), buildContent(10));
  });

  test("a missing bucket is the store being unavailable, never a missing object", async () => {
    const lost = createS3Blobs({ place: (await missingBucket()).place(), random });
    const attempts = [
      () => lost.check(),
      () => lost.readAll(newKey()),
      () => lost.put(newKey(), buildContent(1)),
      () => keysIn(lost),
    ];
    for (const attempt of attempts) {
      expect(await rejectionOf(attempt())).toMatchObject({ kind: "Unavailable", cause: { code: "NoSuchBucket" } });
    }
  });
});
