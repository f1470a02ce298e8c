import { afterEach, beforeEach, expect, test } from "bun:test";
import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { watchDataDirectory } from "../../src/disk/data-directory.ts";
import { Failure } from "../../src/domain/model/failure.ts";

let parent: string;
let directory: string;
let file: string;
let lost: string[];
let place: ReturnType<typeof watchDataDirectory>;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "vitrine-place-"));
  directory = join(parent, "data");
  file = join(directory, "vitrine.db");
  mkdirSync(join(directory, "blobs"), { recursive: true });
  writeFileSync(file, "database");
  lost = [];
  place = watchDataDirectory((path) => lost.push(path));
  place.watchDirectory(directory);
  place.watchDirectory(join(directory, "blobs"), { mayReturn: true });
  place.watchFile(file);
});
afterEach(() => {
  place.close();
  rmSync(parent, { recursive: true, force: true });
});

const write = (action: () => void = () => undefined) =>
  place
    .guard(async () => action())
    .then(
      () => "written",
      (error) => (error instanceof Failure ? error.kind : String(error)),
    );

const move = () => renameSync(directory, join(parent, "elsewhere"));

const changes: Record<string, () => void> = {
  "moved away": move,
  "replaced by a copy": () => {
    move();
    cpSync(join(parent, "elsewhere"), directory, { recursive: true });
  },
  deleted: () => rmSync(directory, { recursive: true }),
  "replaced by a new one of the same name": () => {
    rmSync(directory, { recursive: true });
    mkdirSync(join(directory, "blobs"), { recursive: true });
    writeFileSync(file, "");
  },
  "left with another database": () => {
    renameSync(file, `${file}.old`);
    writeFileSync(file, "database");
  },
  "left with another directory of blobs": () => {
    renameSync(join(directory, "blobs"), join(directory, "blobs.old"));
    mkdirSync(join(directory, "blobs"));
  },
};

test.each(Object.keys(changes))(
  "a data directory that is %s accepts no more writes, which is logged once",
  async (what) => {
    expect([await write(), place.check()]).toEqual(["written", { state: "ok" }]);
    changes[what]?.();
    let isReached = false;
    const reach = () => {
      isReached = true;
    };
    for (let again = 0; again < 3; again++) expect(await write(reach)).toBe("Unavailable");
    expect(isReached).toBe(false);
    expect(place.check()).toEqual({ state: "failed", detail: expect.stringContaining(lost[0] ?? "?") });
    expect(lost).toHaveLength(1);
  },
);

test.each(Object.keys(changes))("a write during which the data directory is %s is not acknowledged", async (what) => {
  expect(await write(changes[what])).toBe("Unavailable");
});

test("a data directory that returns stays refused, because its state is unknown", async () => {
  move();
  expect(await write()).toBe("Unavailable");
  renameSync(join(parent, "elsewhere"), directory);
  expect(await write()).toBe("Unavailable");
});

test("a directory of blobs that returns accepts writes again, and another loss is logged again", async () => {
  const [blobs, away] = [join(directory, "blobs"), join(directory, "away")];
  for (let times = 1; times <= 2; times++) {
    renameSync(blobs, away);
    expect([await write(), await write(), place.check().state]).toEqual(["Unavailable", "Unavailable", "failed"]);
    expect(lost).toEqual(Array.from({ length: times }, () => blobs));
    renameSync(away, blobs);
    expect([await write(), place.check()]).toEqual(["written", { state: "ok" }]);
  }
});

test("a write that fails for another reason reports that reason", async () => {
  const failing = () => {
    throw new Error("no room");
  };
  expect(await write(failing)).toBe("Error: no room");
});
