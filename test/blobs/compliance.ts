import { afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { MarkedBlobs } from "../../src/domain/model/blobs.ts";
import { compressedKey, DamagedObject } from "../../src/domain/model/objects.ts";
import { use } from "../support/use.ts";
import { buildContent, expectBytes, keysIn, newKey, rejectionOf } from "./contents.ts";

/** An empty object store. */
export interface TestBlobs extends AsyncDisposable {
  blobs: MarkedBlobs;
}

const LARGE_BYTES = 15 * 1024 * 1024;

async function isRejected(attempt: () => Promise<unknown>): Promise<boolean> {
  try {
    await attempt();
    return false;
  } catch {
    return true;
  }
}

/** Tests what every object store has to do. `open` creates an empty one. */
export function describeBlobs(name: string, open: () => Promise<TestBlobs>): void {
  describe(`blobs: ${name}`, () => {
    const opened = use(open);
    let blobs: MarkedBlobs;

    beforeAll(async () => {
      blobs = opened.blobs;
    });
    afterEach(async () => {
      await blobs.delete(await keysIn(blobs));
      expect(await keysIn(blobs)).toEqual([]);
    });

    async function put(size: number, seed?: number): Promise<{ key: string; content: Uint8Array }> {
      const object = { key: newKey(), content: buildContent(size, seed) };
      // The store takes ownership of the bytes.
      await blobs.put(object.key, object.content.slice());
      return object;
    }

    test("an object is read back unchanged", async () => {
      const { key, content } = await put(70_000);
      expectBytes(await blobs.readAll(key), content);
      expectBytes(await blobs.read(key, 0, content.length), content);
    });

    test.each([
      [0, 1],
      [0, 999],
      [1, 10],
      [500, 500],
      [999, 1],
      [123, 456],
    ])("a range of an object is read: %d, %d bytes", async (offset, length) => {
      const { key, content } = await put(1000);
      const wanted = content.slice(offset, offset + length);
      expectBytes(await blobs.read(key, offset, length), wanted);
      expectBytes(await (await blobs.slice(key, offset, length)).bytes(), wanted);
    });

    test("a range that exceeds the end is shortened", async () => {
      const { key, content } = await put(1000);
      expectBytes(await blobs.read(key, 0, 16 * 1024), content);
      expectBytes(await blobs.read(key, 990, 100), content.slice(990));
    });

    test("a view of a larger buffer is stored alone", async () => {
      const key = newKey();
      const whole = buildContent(1000);
      await blobs.put(key, whole.subarray(100, 200));
      expectBytes(await blobs.readAll(key), buildContent(1000).slice(100, 200));
    });

    test("an object and its compressed form are separate", async () => {
      const { key, content } = await put(100, 1);
      await blobs.put(compressedKey(key), buildContent(50, 2));
      expectBytes(await blobs.readAll(key), content);
      expectBytes(await blobs.readAll(compressedKey(key)), buildContent(50, 2));
      await blobs.delete([compressedKey(key)]);
      expectBytes(await blobs.readAll(key), content);
      expect(await blobs.readAll(compressedKey(key))).toBeUndefined();
    });

    test("keys that differ only in case are separate", async () => {
      const lower = "Aabcdefghijklmno";
      const upper = "AABCDEFGHIJKLMNO";
      await blobs.put(lower, buildContent(10, 1));
      await blobs.put(upper, buildContent(10, 2));
      expectBytes(await blobs.readAll(lower), buildContent(10, 1));
      expectBytes(await blobs.readAll(upper), buildContent(10, 2));
    });

    test("an empty object exists", async () => {
      const { key, content } = await put(0);
      expectBytes(await blobs.readAll(key), content);
      expectBytes(await blobs.read(key, 0, 16 * 1024), content);
      expect(await keysIn(blobs)).toEqual([key]);
    });

    test("an object of 15 MB is read back unchanged, in parts and as a stream", async () => {
      const { key, content } = await put(LARGE_BYTES);
      expectBytes(await blobs.readAll(key), content);
      expectBytes(await blobs.read(key, LARGE_BYTES - 1000, 1000), content.slice(-1000));
      const streamed: Uint8Array[] = [];
      const body = new Response(await blobs.slice(key, 1_000_000, 12_000_000)).body;
      if (body !== null) for await (const chunk of body) streamed.push(chunk);
      expectBytes(Buffer.concat(streamed), content.slice(1_000_000, 13_000_000));
    });

    test("a missing object is missing, whatever else is stored", async () => {
      const { key } = await put(10);
      const missing = newKey();
      expect(await blobs.readAll(missing)).toBeUndefined();
      expect(await blobs.read(missing, 0, 10)).toBeUndefined();
      expect(await blobs.read(compressedKey(key), 0, 10)).toBeUndefined();
      expect(await isRejected(async () => (await blobs.slice(missing, 0, 10)).bytes())).toBe(true);
    });

    test("putting the same object again changes nothing", async () => {
      const { key, content } = await put(1000);
      await blobs.put(key, content.slice());
      expectBytes(await blobs.readAll(key), content);
      expect(await keysIn(blobs)).toEqual([key]);
    });

    test("putting another object under a key is refused, or replaces the first one completely", async () => {
      const { key, content } = await put(1000, 1);
      const isRefused = await isRejected(() => blobs.put(key, buildContent(10, 2)));
      expectBytes(await blobs.readAll(key), isRefused ? content : buildContent(10, 2));
      expect(await keysIn(blobs)).toEqual([key]);
    });

    test("added objects are read back unchanged", async () => {
      const keys = Array.from({ length: 20 }, newKey);
      await Promise.all(keys.map((key, seed) => blobs.add(key, buildContent(1_000, seed))));
      for (const [seed, key] of keys.entries()) expectBytes(await blobs.readAll(key), buildContent(1_000, seed));
    });

    test("many objects are put concurrently", async () => {
      const objects = await Promise.all(Array.from({ length: 60 }, (_, seed) => put(1000 + seed, seed)));
      for (const { key, content } of objects) expectBytes(await blobs.readAll(key), content);
      expect(await keysIn(blobs)).toEqual(objects.map(({ key }) => key).toSorted());
    });

    test("of concurrent puts under one key, one wins completely, and no reader sees a mixture", async () => {
      const key = newKey();
      const contents = Array.from({ length: 8 }, (_, seed) => buildContent(200_000 + seed, seed));
      const isWhole = (bytes: Uint8Array | undefined) =>
        bytes === undefined || contents.some((content) => Buffer.compare(content, bytes) === 0);
      const putting = Promise.allSettled(contents.map((content) => blobs.put(key, content.slice())));
      let done = false;
      const end = () => {
        done = true;
      };
      putting.then(end, end);
      while (!done) expect(isWhole(await blobs.readAll(key))).toBe(true);
      expect((await putting).map(({ status }) => status)).toContain("fulfilled");
      const left = await blobs.readAll(key);
      expect(left !== undefined && isWhole(left)).toBe(true);
      expect(await keysIn(blobs)).toEqual([key]);
    });

    test("deleted objects are gone and others stay; deleting missing objects is no error", async () => {
      const [first, second, third] = [await put(10, 1), await put(10, 2), await put(10, 3)];
      await blobs.delete([first.key, newKey(), third.key, compressedKey(first.key)]);
      await blobs.delete([first.key]);
      await blobs.delete([]);
      expect(await keysIn(blobs)).toEqual([second.key]);
      expect(await blobs.readAll(first.key)).toBeUndefined();
      expectBytes(await blobs.readAll(second.key), second.content);
    });

    test("a deleted key can be put again", async () => {
      const { key } = await put(10, 1);
      await blobs.delete([key]);
      await blobs.put(key, buildContent(20, 2));
      expectBytes(await blobs.readAll(key), buildContent(20, 2));
    });

    test("an available store passes the check", async () => {
      await blobs.check();
    });

    test("an empty store lists nothing", async () => {
      expect(await keysIn(blobs)).toEqual([]);
    });

    test("the list includes the time of each put", async () => {
      const before = Date.now();
      await put(10);
      const after = Date.now();
      for await (const { modifiedAt } of blobs.list()) {
        // A store may round to whole seconds, and its clock may differ.
        expect(modifiedAt).toBeGreaterThan(before - 60_000);
        expect(modifiedAt).toBeLessThan(after + 60_000);
      }
    });

    test("listing continues while others put and delete", async () => {
      const staying = await Promise.all(Array.from({ length: 30 }, () => put(1)));
      const leaving = await Promise.all(Array.from({ length: 30 }, () => put(1)));
      const seen: string[] = [];
      for await (const { key } of blobs.list()) {
        seen.push(key);
        const next = leaving.pop();
        if (next !== undefined) await blobs.delete([next.key]);
        await put(1);
        if (seen.length > 500) break;
      }
      for (const { key } of staying) expect(seen).toContain(key);
      expect(new Set(seen).size).toBe(seen.length);
    });

    test("a stream of a missing or truncated object is refused before it begins", async () => {
      const { key } = await put(1000);
      for (const [some, offset, length] of [
        [newKey(), 0, 1],
        [compressedKey(key), 0, 10],
        [key, 0, 1001],
        [key, 999, 2],
        [key, 1000, 1],
        [key, 5_000_000, 1],
      ] as const) {
        expect(await rejectionOf(blobs.slice(some, offset, length))).toBeInstanceOf(DamagedObject);
      }
      expectBytes(await (await blobs.slice(key, 0, 1000)).bytes(), buildContent(1000));
    });

    test("the installation's id is set once, by one of many writers, and isn't listed as an object", async () => {
      const own = await open();
      const mark = own.blobs.installation;
      expect(await mark.read()).toBeUndefined();
      const ids = Array.from({ length: 12 }, (_, number) => `ins_${number}`);
      const noted = new Set(await Promise.all(ids.map((id) => mark.claim(id))));
      expect(noted.size).toBe(1);
      const [winner = ""] = noted;
      expect(ids).toContain(winner);
      expect([await mark.read(), await mark.claim("ins_late")]).toEqual([winner, winner]);
      await mark.replace("ins_adopted");
      expect([await mark.read(), await mark.claim("ins_late")]).toEqual(["ins_adopted", "ins_adopted"]);
      expect(await keysIn(own.blobs)).toEqual([]);
      expect(await isRejected(() => own.blobs.read("installation-id", 0, 1))).toBe(true);
      expect(await isRejected(() => own.blobs.put("installation-id", buildContent(1)))).toBe(true);
      await own.blobs.delete(["installation-id"]).catch(() => undefined);
      expect(await mark.read()).toBe("ins_adopted");
      await own[Symbol.asyncDispose]();
    });

    const invalid = [
      "",
      "..",
      ".",
      "a",
      "../../etc/passwd",
      "aa/../../../etc/pw",
      "/etc/passwd",
      "abcdefghijklmno/",
      `${"a".repeat(15)}\0`,
    ];

    test.each(invalid)("invalid keys are refused: %p", async (key) => {
      expect(await isRejected(() => blobs.put(key, buildContent(1)))).toBe(true);
      expect(await isRejected(() => blobs.read(key, 0, 1))).toBe(true);
      expect(await isRejected(() => blobs.readAll(key))).toBe(true);
      expect(await isRejected(() => blobs.slice(key, 0, 1))).toBe(true);
      expect(await keysIn(blobs)).toEqual([]);
    });
  });
}
