import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFileBlobs } from "../../src/blobs/fs.ts";
import { createS3Blobs } from "../../src/blobs/s3.ts";
import type { Blobs } from "../../src/domain/model/blobs.ts";
import { compressedKey } from "../../src/domain/model/objects.ts";
import { eachAtOnce } from "../../src/domain/operations/at-once.ts";
import {
  copyObjects,
  type ObjectProblem,
  type PublishedObject,
  type Tally,
} from "../../src/domain/operations/moving.ts";
import { createBucket, s3Unavailable } from "../support/s3.ts";
import { random } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";
import { buildContent, keysIn, newKey, rejectionOf } from "./contents.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "vitrine-moving-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

async function openFiles(name: string): Promise<Blobs> {
  const root = join(directory, name);
  await mkdir(root, { recursive: true });
  return createFileBlobs(root);
}

const openBucket = async () => createS3Blobs({ place: (await createBucket()).place({ prefix: "moved/" }), random });

/** The published files, as `copyObjects` expects them, for versions of one file. */
const publishedAs = (contents: ReadonlyMap<string, Uint8Array>, living = new Set(contents.keys())) => ({
  async *list(beginning: string): AsyncGenerator<PublishedObject> {
    for (const [code, content] of contents) {
      const digest = createHash("sha256").update(content).digest("base64url");
      const files = [{ path: "index.html", offset: 0, size: content.length, digest }];
      if (code.startsWith(beginning)) yield { code, files };
    }
  },
  isLiving: async (code: string) => living.has(code),
});

interface Wanted {
  from: Blobs;
  to: Blobs;
  published?: ReturnType<typeof publishedAs>;
  stopAfter?: number;
}

async function copy({ from, to, published, stopAfter = Number.POSITIVE_INFINITY }: Wanted) {
  const problems: ObjectProblem[] = [];
  const shares: number[] = [];
  let asked = 0;
  const tally = await copyObjects({
    from,
    to,
    published,
    watch: (_, share) => void shares.push(share),
    report: (problem) => void problems.push(problem),
    isStopped: () => asked++ >= stopAfter,
  });
  return { tally, problems, shares };
}

const NONE: Tally = { objects: 0, bytes: 0, copied: 0, alreadyThere: 0, different: 0, damaged: 0, missing: 0 };

/** Stores objects of all sizes, including empty ones and compressed forms. */
async function fill(blobs: Blobs, count: number): Promise<Map<string, Uint8Array>> {
  const contents = new Map<string, Uint8Array>();
  for (let number = 0; number < count; number++) {
    const key = newKey();
    contents.set(key, buildContent(number === 0 ? 0 : (number * 7919) % 30_000, number));
    if (number % 5 === 0) contents.set(compressedKey(key), buildContent(100, number));
  }
  for (const [key, content] of contents) await blobs.put(key, content.slice());
  return contents;
}

const bytesOf = (contents: ReadonlyMap<string, Uint8Array>) =>
  [...contents.values()].reduce((sum, { length }) => sum + length, 0);

async function expectSame(blobs: Blobs, contents: ReadonlyMap<string, Uint8Array>): Promise<void> {
  expect(await keysIn(blobs)).toEqual([...contents.keys()].toSorted());
  for (const [key, content] of contents)
    expect(Buffer.from((await blobs.readAll(key)) ?? "none")).toEqual(Buffer.from(content));
}

/** Tests copying between any two kinds of stores. */
function describeCopying(name: string, openFrom: () => Promise<Blobs>, openTo: () => Promise<Blobs>): void {
  describe(`copying objects ${name}`, () => {
    test("puts every object, and nothing on the second run", async () => {
      const [from, to] = [await openFrom(), await openTo()];
      const contents = await fill(from, 40);
      const all = { objects: 48, bytes: bytesOf(contents) };
      const { tally, shares } = await copy({ from, to });
      expect(tally).toEqual({ ...NONE, ...all, copied: 48 });
      expect(Math.max(...shares)).toBeLessThanOrEqual(1);
      await expectSame(to, contents);
      expect((await copy({ from, to })).tally).toEqual({ ...NONE, ...all, alreadyThere: 48 });
    });

    test("continues after an interruption", async () => {
      const [from, to] = [await openFrom(), await openTo()];
      const contents = await fill(from, 20);
      const first = (await copy({ from, to, stopAfter: 10 })).tally;
      expect(first).toMatchObject({ objects: 10, copied: 10 });
      expect((await copy({ from, to })).tally).toMatchObject({ copied: 14, alreadyThere: 10 });
      await expectSame(to, contents);
    });

    test("keeps other objects under the same keys, and reports them", async () => {
      const [from, to] = [await openFrom(), await openTo()];
      const contents = await fill(from, 6);
      const [, longer = "", sameSize = ""] = contents.keys();
      const others = new Map([
        [longer, buildContent(50_000, 99)],
        [sameSize, buildContent(contents.get(sameSize)?.length ?? 0, 99)],
      ]);
      for (const [key, content] of others) await to.put(key, content.slice());
      const { tally, problems } = await copy({ from, to });
      expect(tally).toMatchObject({ copied: contents.size - 2, alreadyThere: 0, different: 2 });
      expect(problems.map(({ key, kind }) => [key, kind]).toSorted()).toEqual(
        [...others.keys()].map((key) => [key, "different"]).toSorted(),
      );
      await expectSame(to, new Map([...contents, ...others]));
    });
  });
}

describeCopying(
  "from files to files",
  () => openFiles("from"),
  () => openFiles("to"),
);
describeIf("with S3", s3Unavailable(), () => {
  describeCopying("from files to S3", () => openFiles("from"), openBucket);
  describeCopying("from S3 to files", openBucket, () => openFiles("to"));
  describeCopying("from S3 to S3", openBucket, openBucket);

  test("reads nothing again if both stores confirm equality", async () => {
    const [from, to] = [await openBucket(), await openBucket()];
    await fill(from, 5);
    await copy({ from, to });
    const unread = (blobs: Blobs): Blobs => ({ ...blobs, readAll: () => Promise.reject(new Error("It was read.")) });
    expect((await copy({ from: unread(from), to: unread(to) })).tally).toMatchObject({ copied: 0, alreadyThere: 6 });
  });
});

describe("copying objects that a database names", () => {
  test("reports objects that differ from what was published, and does not copy them", async () => {
    const [from, to] = [await openFiles("from"), await openFiles("to")];
    const contents = await fill(from, 6);
    const versions = new Map([...contents].filter(([key]) => !key.endsWith(".z")));
    const [, cut = "", changed = ""] = versions.keys();
    await writeFile(join(directory, "from", cut.slice(0, 1), cut), (versions.get(cut) ?? new Uint8Array()).slice(1));
    const other = (versions.get(changed) ?? new Uint8Array()).map((byte, offset) => (offset === 7 ? byte ^ 1 : byte));
    await writeFile(join(directory, "from", changed.slice(0, 1), changed), other);
    const { tally, problems } = await copy({ from, to, published: publishedAs(versions) });
    expect(tally).toMatchObject({ objects: contents.size, copied: contents.size - 2, damaged: 2 });
    expect(problems.find(({ key }) => key === cut)?.message).toMatch(/^it has \d+ bytes where \d+ were published/);
    expect(problems.find(({ key }) => key === changed)?.message).toStartWith(
      "index.html in it is not what was published",
    );
    expect(await keysIn(to)).toEqual([...contents.keys()].filter((key) => key !== cut && key !== changed).toSorted());
  });

  test("reports missing objects, unless they were deleted meanwhile", async () => {
    const [from, to] = [await openFiles("from"), await openFiles("to")];
    const contents = await fill(from, 4);
    const [lost, deleted] = [newKey(), newKey()];
    const named = new Map(
      [...contents, [lost, buildContent(10)], [deleted, buildContent(10)]].filter(
        ([key]) => !String(key).endsWith(".z"),
      ) as [string, Uint8Array][],
    );
    const published = publishedAs(named, new Set([...contents.keys(), lost]));
    const { tally, problems } = await copy({ from, to, published });
    expect(tally).toMatchObject({ copied: contents.size, missing: 1 });
    expect(problems).toEqual([{ key: lost, kind: "missing", message: "missing in the source" }]);
  });

  test("copies what was published after the objects were listed", async () => {
    const [from, to] = [await openFiles("from"), await openFiles("to")];
    const [code, content] = [newKey(), buildContent(1_000)];
    const published = publishedAs(new Map([[code, content]]));
    const { tally } = await copy({
      from,
      to,
      published: {
        ...published,
        async *list(beginning) {
          if (code.startsWith(beginning)) await from.put(code, content.slice());
          yield* published.list(beginning);
        },
      },
    });
    expect(tally).toMatchObject({ objects: 1, copied: 1 });
    await expectSame(to, new Map([[code, content]]));
  });

  test("skips half-written leftovers of a crash", async () => {
    const [from, to] = [await openFiles("from"), await openFiles("to")];
    const contents = await fill(from, 1);
    await mkdir(join(directory, "from", "A"), { recursive: true });
    await writeFile(join(directory, "from", "A", "AAAAAAAAAAAAAAAA.00000000-0000.new"), "half");
    await copy({ from, to });
    await expectSame(to, contents);
  });

  test("ends if a store fails", async () => {
    const [from, to] = [await openFiles("from"), await openFiles("to")];
    await fill(from, 20);
    const broken: Blobs = { ...to, put: () => Promise.reject(new Error("The disk is gone.")) };
    expect(String(await rejectionOf(copy({ from, to: broken })))).toBe("Error: The disk is gone.");
  });

  test("reports objects that are read back differently", async () => {
    const [from, to] = [await openFiles("from"), await openFiles("to")];
    await fill(from, 1);
    const forgetful: Blobs = { ...to, readAll: async () => buildContent(3) };
    expect((await copy({ from, to: forgetful })).tally).toMatchObject({ copied: 0, different: 2 });
  });
});

describe("concurrent jobs", () => {
  async function run(weights: readonly number[], limits: { count: number; weight: number }, fail?: number) {
    const seen = { running: 0, load: 0, most: 0, heaviest: 0, done: 0 };
    async function* jobs() {
      for (const [number, weight] of weights.entries()) yield { number, weight };
    }
    await eachAtOnce(jobs(), { ...limits, weightOf: ({ weight }) => weight }, async ({ number, weight }) => {
      seen.running++;
      seen.load += weight;
      seen.most = Math.max(seen.most, seen.running);
      seen.heaviest = Math.max(seen.heaviest, seen.load);
      await new Promise((resolve) => setImmediate(resolve));
      seen.running--;
      seen.load -= weight;
      if (number === fail) throw new Error("no");
      seen.done++;
    }).catch((error: unknown) => {
      expect([fail, seen.running, String(error)]).toEqual([fail, 0, "Error: no"]);
    });
    return seen;
  }

  test("stay within both limits", async () => {
    expect(await run(Array(50).fill(1), { count: 4, weight: 100 })).toMatchObject({ most: 4, done: 50 });
    expect(await run(Array(50).fill(10), { count: 8, weight: 35 })).toMatchObject({ most: 3, heaviest: 30, done: 50 });
    expect(await run([5, 100, 5, 5], { count: 8, weight: 20 })).toMatchObject({ heaviest: 100, done: 4 });
  });

  test("end with the first failure, once nothing is under way any more", async () => {
    const { done } = await run(Array(50).fill(1), { count: 4, weight: 100 }, 10);
    expect(done).toBeLessThan(20);
  });
});
