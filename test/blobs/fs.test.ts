import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmod, mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createFileBlobs } from "../../src/blobs/fs.ts";
import type { Blobs } from "../../src/domain/model/blobs.ts";
import { compressedKey } from "../../src/domain/model/objects.ts";
import { describeIf } from "../support/skip.ts";
import { describeBlobs } from "./compliance.ts";
import { newKey, rejectionOf } from "./contents.ts";
import { describeScrub } from "./scrub.ts";
import { describeSweep, openSweepWorld, type SweepWorld } from "./sweep.ts";

const HOUR = 60 * 60_000;
const buildContent = () => new TextEncoder().encode("content");

async function openFileBlobs() {
  const outside = await mkdtemp(join(tmpdir(), "vitrine-blobs-"));
  const directory = join(outside, "data", "blobs");
  await mkdir(directory, { recursive: true });
  return {
    outside,
    directory,
    blobs: createFileBlobs(directory),
    [Symbol.asyncDispose]: () => rm(outside, { recursive: true, force: true }),
  };
}

describeBlobs("files", openFileBlobs);
describeSweep("files", openFileBlobs);
describeScrub("files", openFileBlobs);

describe("blobs as files", () => {
  let directory: string;
  let outside: string;
  let blobs: Blobs;
  let dispose: () => Promise<void>;

  beforeEach(async () => {
    const opened = await openFileBlobs();
    ({ directory, outside, blobs } = opened);
    dispose = opened[Symbol.asyncDispose];
  });
  afterEach(() => dispose());

  const filesIn = async () => (await readdir(directory, { recursive: true })).filter((path) => path.includes("/"));

  test("directories are inaccessible to other users", async () => {
    const key = newKey();
    await blobs.put(key, buildContent());
    const mode = (await stat(join(directory, key.slice(0, 1)))).mode;
    expect((mode & 0o777).toString(8)).toBe("700");
  });

  test("a part of a file is there without waiting, unless the file is missing or too short", async () => {
    const key = newKey();
    const content = crypto.getRandomValues(new Uint8Array(1000));
    await blobs.put(key, content.slice());
    expect(await blobs.sliceLocal?.(key, 10, 990)?.bytes()).toEqual(content.slice(10));
    expect(blobs.sliceLocal?.(key, 10, 991)).toBeUndefined();
    expect(blobs.sliceLocal?.(newKey(), 0, 1)).toBeUndefined();
    expect(() => blobs.sliceLocal?.("../secret", 0, 1)).toThrow();
  });

  test("a put leaves one file and no temporary one", async () => {
    const key = newKey();
    await blobs.put(key, buildContent());
    await blobs.put(key, buildContent());
    expect(await filesIn()).toEqual([`${key.slice(0, 1)}/${key}`]);
  });

  test.each(["put", "add"] as const)("a failed %s leaves no file, and keeps the previous object", async (method) => {
    const key = newKey();
    await mkdir(join(directory, key.slice(0, 1), key), { recursive: true });
    expect(await rejectionOf(blobs[method](key, buildContent()))).toMatchObject({ code: "EISDIR" });
    expect(await filesIn()).toEqual([`${key.slice(0, 1)}/${key}`]);
  });

  test("an added object leaves one file and no temporary one", async () => {
    const key = newKey();
    await blobs.add(key, buildContent());
    expect(await filesIn()).toEqual([`${key.slice(0, 1)}/${key}`]);
    expect(await blobs.readAll(key)).toEqual(buildContent());
  });

  test("creating a directory is retried", async () => {
    const key = newKey();
    const inTheWay = join(directory, key.slice(0, 1));
    await writeFile(inTheWay, "");
    expect(await rejectionOf(blobs.put(key, buildContent()))).toBeInstanceOf(Error);
    await rm(inTheWay);
    await blobs.put(key, buildContent());
    expect(await blobs.readAll(key)).toEqual(buildContent());
  });

  test("two stores over one directory see each other's objects", async () => {
    const other = createFileBlobs(directory);
    const keys = Array.from({ length: 20 }, () => newKey());
    await Promise.all(keys.map((key, position) => (position % 2 === 0 ? blobs : other).put(key, buildContent())));
    for (const key of keys) expect(await blobs.readAll(key)).toEqual(await other.readAll(key));
    expect(await filesIn()).toHaveLength(20);
  });

  test.each(["../secret", "..", "aa/../../../secret", "../../../secret"])(
    "deleting %p removes nothing outside",
    async (key) => {
      const secrets = [join(outside, "secret"), join(outside, "data", "secret"), join(directory, "secret")];
      for (const path of secrets) await writeFile(path, "keep me");
      await blobs.delete([key]).catch(() => undefined);
      for (const path of secrets) expect(await Bun.file(path).exists()).toBe(true);
    },
  );

  test("foreign files are neither listed nor deleted", async () => {
    const key = newKey();
    await blobs.put(key, buildContent());
    const foreign = ["lost+found/x", `${key.slice(0, 1)}/.nfs0001`, `${key.slice(0, 1)}/notes.txt`, "README"];
    for (const path of foreign) {
      await mkdir(join(directory, path, ".."), { recursive: true });
      await writeFile(join(directory, path), "");
    }
    const listed: string[] = [];
    for await (const object of blobs.list()) listed.push(object.key);
    expect(listed).toEqual([key]);
    for (const path of foreign) {
      expect(await rejectionOf(blobs.delete([path.split("/").at(-1) ?? ""]))).toBeInstanceOf(Error);
      expect(await Bun.file(join(directory, path)).exists()).toBe(true);
    }
  });

  test("few file descriptors suffice for objects in any number of directories", async () => {
    const program = `
      const { createFileBlobs } = await import(${JSON.stringify(new URL("../../src/blobs/fs.ts", import.meta.url).href)});
      const blobs = createFileBlobs(${JSON.stringify(directory)});
      const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
      const keys = [...letters].flatMap((first) => [...letters].map((second) => first + second + "abcdefghijklmn"));
      while (keys.length > 0) await Promise.all(keys.splice(0, 26).map((key) => blobs.put(key, new Uint8Array(1))));
      process.exit(0);`;
    const command = ["sh", "-c", 'ulimit -n 256; exec "$0" -e "$1"', process.execPath, program];
    const child = Bun.spawn(command, { stdout: "ignore", stderr: "pipe" });
    expect({ stderr: await child.stderr.text(), exitCode: await child.exited }).toEqual({ stderr: "", exitCode: 0 });
    expect(await filesIn()).toHaveLength(26 * 26);
  });

  describe("when swept", () => {
    let world: SweepWorld;

    beforeEach(async () => {
      world = await openSweepWorld("sqlite");
    });
    afterEach(() => world[Symbol.asyncDispose]());

    const run = async () => (await world.run(blobs, Date.now() + 100 * HOUR)).removed;

    async function addFile(name: string, age: number): Promise<void> {
      const path = join(directory, name.slice(0, 1), name);
      await mkdir(join(directory, name.slice(0, 1)), { recursive: true });
      await writeFile(path, buildContent());
      const time = new Date(Date.now() + 100 * HOUR - age);
      await utimes(path, time, time);
    }

    const names = async () => (await filesIn()).map((path) => basename(path)).toSorted();

    test("half-written leftovers of a crash are removed after an hour, also beside a living object", async () => {
      const [living, lost] = [newKey(), newKey()];
      await addFile(living, 50 * HOUR);
      await addFile(`${living}.4711-1.new`, 2 * HOUR);
      await addFile(`${living}.4711-2.new`, HOUR / 2);
      await addFile(`${lost}.4711-3.new`, 2 * HOUR);
      await addFile(`${compressedKey(lost)}.4711-4.new`, 2 * HOUR);
      await world.live([living]);
      expect(await run()).toBe(3);
      expect(await names()).toEqual([living, `${living}.4711-2.new`].toSorted());
    });

    test("a missing directory is empty", async () => {
      await rm(directory, { recursive: true });
      expect(await run()).toBe(0);
    });
  });

  test("a put replaces the object under its key", async () => {
    const key = newKey();
    await blobs.put(key, buildContent());
    await blobs.put(key, new Uint8Array([1]));
    expect(await blobs.readAll(key)).toEqual(new Uint8Array([1]));
  });

  test("a missing directory fails the check", async () => {
    await rm(directory, { recursive: true });
    expect(await rejectionOf(blobs.check())).toMatchObject({ code: "ENOENT" });
  });

  describeIf("without read permission", process.getuid?.() === 0 ? "root may read everything" : undefined, () => {
    test("objects are a failure, not missing", async () => {
      const key = newKey();
      await blobs.put(key, buildContent());
      await chmod(join(directory, key.slice(0, 1), key), 0);
      expect(await rejectionOf(blobs.readAll(key))).toMatchObject({ code: "EACCES" });
    });
  });
});
