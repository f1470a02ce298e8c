import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { createFileBlobs } from "../../src/blobs/fs.ts";
import { createS3Blobs } from "../../src/blobs/s3.ts";
import { digestOf } from "../../src/domain/model/files.ts";
import { codeOfKey } from "../../src/domain/model/objects.ts";
import { createSweep } from "../../src/domain/operations/sweep.ts";
import { silentLog } from "../../src/observability/log.ts";
import { addOwner, buildPublication, connectTo, openTestStore, type TestStore } from "../store/support.ts";
import { vitrine } from "../support/cli.ts";
import { createTestDatabase, type EngineName, type TestDatabase } from "../support/engines.ts";
import { postgresUnavailable } from "../support/postgres.ts";
import { PROGRAM } from "../support/program.ts";
import { runsOf } from "../support/runs.ts";
import { createBucket, s3Unavailable, type TestBucket } from "../support/s3.ts";
import { clock, random, type Service, startService } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";
import { until } from "../support/until.ts";
import { readReports, startTrack, type Track } from "./backup-load.ts";

setDefaultTimeout(900_000);

const { VITRINE_TEST_BACKUPS: wanted } = process.env;
/** Of each kind of installation. */
const BACKUPS = Number(wanted ?? runsOf(10));
const TRACKS = 8;
const MEBIBYTE = 1024 * 1024;

const backupSchema = z.object({
  id: z.string(),
  createdAt: z.string(),
  objects: z.number(),
  bytes: z.number(),
  copiedBytes: z.number(),
  problems: z.array(z.unknown()),
});
const verifiedSchema = z.object({ objects: z.number(), problems: z.array(z.unknown()) });

/** To whoever asked for many. */
function tell(what: string): void {
  if (wanted !== undefined) console.error(what);
}

interface Backup extends z.infer<typeof backupSchema> {
  endedAt: number;
}

/** A location of backups, and the credentials for it. */
interface Target {
  address: string;
  environment: Record<string, string>;
}

const bucketTarget = (bucket: TestBucket): Target => {
  const { VITRINE_BLOBS_URL: address = "", ...environment } = bucket.environment({ prefix: "some/place" });
  return { address, environment };
};

const settingsOf = (
  { dataDir, databaseUrl }: TestDatabase,
  bucket: TestBucket | undefined,
): Record<string, string> => ({
  VITRINE_DATA_DIR: dataDir,
  ...(databaseUrl === undefined ? {} : { VITRINE_DATABASE_URL: databaseUrl }),
  ...bucket?.environment(),
});

async function backUp(target: Target, environment: Record<string, string>): Promise<Backup> {
  const ended = await vitrine(["backup", target.address, "--json"], {
    environment: { ...target.environment, ...environment },
  });
  expect(ended).toMatchObject({ code: 0 });
  return { ...backupSchema.parse(JSON.parse(ended.stdout)), endedAt: Date.now() };
}

/** Restores a backup into a new place, verifies every byte, and compares it with what was confirmed. */
async function restoreAndCompare(
  { address, environment: credentials }: Target,
  { id, createdAt, endedAt }: Backup,
  tracks: readonly Track[],
  [engine, store]: readonly [EngineName, "files" | "s3"],
) {
  const database = await createTestDatabase(engine);
  const bucket = store === "s3" ? await createBucket() : undefined;
  const environment = { ...credentials, ...settingsOf(database, bucket) };
  const restored = await vitrine(["restore", address, "--backup", id], { environment });
  expect(restored).toMatchObject({ code: 0 });
  const verified = await vitrine(["verify", "--json"], { environment });
  const { objects, problems } = verifiedSchema.parse(JSON.parse(verified.stdout));
  const rows = connectTo(database);
  const reports = await readReports(rows, tracks).finally(() => rows.destroy());
  const differences = reports.filter(
    (report, number) => !tracks[number]?.statesWithin(Date.parse(createdAt), endedAt).includes(report),
  );
  await database.remove();
  return { objects, problems, differences };
}

/** Deletes what deletions had to leave. Returns the codes of stored objects that no version has. */
async function sweepLeftovers(service: Service, database: TestDatabase, bucket: TestBucket | undefined) {
  const { store } = service.build;
  const blobs =
    bucket === undefined
      ? createFileBlobs(join(database.dataDir, "blobs"))
      : createS3Blobs({ place: bucket.place(), random });
  await createSweep({ store, blobs, clock, wait: Bun.sleep, log: silentLog, orphanDays: 7 }).run();
  const stored = new Set<string>();
  for await (const { key } of blobs.list()) if (!key.endsWith(".new")) stored.add(codeOfKey(key));
  const living = new Set(stored.size === 0 ? [] : await store.operations.findLiving([...stored]));
  return [...stored].filter((code) => !living.has(code));
}

const PLACES = [
  ["sqlite", "files"],
  ["postgres", "s3"],
  ["sqlite", "s3"],
  ["postgres", "files"],
] as const satisfies (readonly [EngineName, "files" | "s3"])[];

describeIf("backups under load", postgresUnavailable() ?? s3Unavailable(), () => {
  test.each([
    ["sqlite", undefined, "a directory"],
    ["postgres", "s3", "a bucket"],
  ] as const)("of an installation on %s with files in %p, into %s", async (engine, files, kind) => {
    const home = await mkdtemp(join(tmpdir(), "vitrine-backups-"));
    const target =
      kind === "a bucket" ? bucketTarget(await createBucket()) : { address: join(home, "backups"), environment: {} };
    const database = await createTestDatabase(engine);
    await using service = await startService({ database, ...(files === undefined ? {} : { blobs: files }) });
    const environment = settingsOf(database, service.bucket);
    const { token } = await service.build.user();
    const tracks = Array.from({ length: TRACKS }, (_, number) => startTrack(service, token, number));
    const backups: Backup[] = [];
    const countChanges = () => tracks.reduce((sum, track) => sum + track.countChanges(), 0);
    try {
      while (backups.length < BACKUPS) {
        const before = countChanges();
        await until(() => countChanges() > before + TRACKS);
        backups.push(await backUp(target, environment));
      }
    } finally {
      await Promise.all(tracks.map((track) => track.stop()));
    }
    expect(backups.flatMap(({ problems }) => problems)).toEqual([]);
    tell(`${countChanges()} changes during ${backups.length} backups on ${engine} into ${kind}`);
    const sizes = backups.map(
      ({ objects, copiedBytes }) => `${objects} (${(copiedBytes / MEBIBYTE).toFixed(1)} MB new)`,
    );
    tell(`objects in them: ${sizes.join(", ")}`);

    let objects = 0;
    for (const [number, backup] of backups.entries()) {
      const place = PLACES[number % PLACES.length] ?? PLACES[0];
      const result = await restoreAndCompare(target, backup, tracks, place);
      expect([place, result]).toEqual([place, { objects: backup.objects, problems: [], differences: [] }]);
      objects += result.objects;
    }
    tell(`${backups.length} restored and verified: ${objects} objects compared, 0 problems, 0 differences`);
    const checked = await vitrine(["verify", target.address, "--json"], {
      environment: { ...target.environment, ...environment },
    });
    expect(verifiedSchema.parse(JSON.parse(checked.stdout)).problems).toEqual([]);
    expect(await sweepLeftovers(service, database, service.bucket)).toEqual([]);
    await database.remove();
    await rm(home, { recursive: true, force: true });
  });
});

/** Starts a command and kills it once a condition is met. Returns whether it was still running. */
async function killWhen(words: readonly string[], environment: Record<string, string>, isMet: () => boolean) {
  const child = Bun.spawn([PROGRAM, ...words], {
    env: { PATH: process.env.PATH, ...environment },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
  await until(() => isMet() || child.exitCode !== null);
  child.kill("SIGKILL");
  await child.exited;
  return child.signalCode === "SIGKILL";
}

/** Returns the number of complete objects below a directory. */
const countObjects = (directory: string) =>
  [...new Bun.Glob("{blobs,objects}/?/*").scanSync({ cwd: directory })].filter((path) => !path.endsWith(".new")).length;

const OBJECTS = 300;
const OBJECT_BYTES = 64 * 1024;

/** Publishes versions with one random file each. */
async function publishMany(opened: TestStore): Promise<void> {
  const { store, database } = opened;
  const root = join(database.dataDir, "blobs");
  await mkdir(root);
  const blobs = createFileBlobs(root);
  const owner = await addOwner(opened);
  for (let number = 0; number < OBJECTS; number++) {
    const content = crypto.getRandomValues(new Uint8Array(OBJECT_BYTES));
    const files = [{ path: "index.html", offset: 0, size: content.length, digest: digestOf(content) }];
    const publication = buildPublication(owner, { files, size: content.length });
    await blobs.put(publication.code, content);
    await store.publishing.publish(publication);
  }
}

describe("after kill -9", () => {
  test("a backup and a restore are continued, and half of one never counts", async () => {
    await using opened = await openTestStore("sqlite");
    await publishMany(opened);
    const home = await mkdtemp(join(tmpdir(), "vitrine-killed-"));
    const [target, place] = [join(home, "backups"), join(home, "restored")];
    for (const directory of [target, place]) await mkdir(directory);
    const environment = { VITRINE_DATA_DIR: opened.database.dataDir };
    const verify = async (words: readonly string[], settings: Record<string, string>) =>
      verifiedSchema.parse(
        JSON.parse((await vitrine(["verify", "--json", ...words], { environment: settings })).stdout),
      );
    for (const share of [0.05, 0.2, 0.5, 0.8]) {
      expect(await killWhen(["backup", target], environment, () => countObjects(target) >= OBJECTS * share)).toBe(true);
      const listed = await vitrine(["restore", target, "--list", "--json"], { environment });
      expect(JSON.parse(listed.stdout)).toMatchObject({ backups: [], damaged: [] });
      expect(await opened.store.operations.isBackingUp()).toBe(true);
    }
    const before = countObjects(target);
    const made = await backUp({ address: target, environment: {} }, environment);
    expect(made).toMatchObject({ objects: OBJECTS, problems: [] });
    tell(
      `${before} of ${OBJECTS} objects were there, ${(made.copiedBytes / MEBIBYTE).toFixed(1)} MB copied after that`,
    );
    // The database takes the rest.
    expect(made.copiedBytes).toBeLessThan((OBJECTS - before) * OBJECT_BYTES + 2 * MEBIBYTE);
    expect(await opened.store.operations.isBackingUp()).toBe(false);
    expect((await readdir(target)).toSorted()).toEqual(["backups", "objects"]);
    expect(await verify([target], environment)).toEqual({ objects: OBJECTS, problems: [] });

    const restored = { VITRINE_DATA_DIR: place };
    for (const share of [0, 0.3, 0.9]) {
      expect(await killWhen(["restore", target], restored, () => countObjects(place) > OBJECTS * share)).toBe(true);
      const early = await vitrine(["users", "create", "--email", "a@example.org", "--slug", "a"], {
        environment: restored,
      });
      expect(early.code).toBe(2);
    }
    expect((await vitrine(["restore", target], { environment: restored })).code).toBe(0);
    expect(await verify([], restored)).toEqual({ objects: OBJECTS, problems: [] });
    await rm(home, { recursive: true });
  });

  test("only one of several backups at once writes to a target", async () => {
    await using opened = await openTestStore("sqlite");
    await publishMany(opened);
    const home = await mkdtemp(join(tmpdir(), "vitrine-several-"));
    const environment = { VITRINE_DATA_DIR: opened.database.dataDir };
    const words = ["backup", join(home, "backups"), "--json"];
    const ended = await Promise.all([1, 2, 3, 4].map(() => vitrine(words, { environment })));
    const refused = ended.filter(({ code }) => code !== 0);
    for (const { stderr } of refused) expect(stderr).toContain("Another backup into this target is in progress");
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(4);
    await rm(home, { recursive: true });
  });
});
