import { createHash } from "node:crypto";
import type { Blobs } from "../../model/blobs.ts";
import type { Random } from "../../model/ports.ts";
import { eachAtOnce } from "../at-once.ts";
import { findDamage } from "../content.ts";
import type { PublishedObject, PublishedObjects } from "../moving.ts";
import { BEGINNINGS, LIMITS, listByKey } from "../object-copies.ts";
import { Interrupted } from "./backup.ts";
import { fetchText, type Manifest, nameOf, sha256Of } from "./manifest.ts";
import { type ObjectTally, sizeOf } from "./objects.ts";
import { type BackupFiles, DamagedBackup } from "./ports.ts";

/** Something that is wrong with an installation or a backup. */
export interface Problem {
  /** The part that was checked, such as "files" or "quotas". */
  part: string;
  /** One sentence. */
  message: string;
}

export interface VerifyOptions {
  blobs: Blobs;
  published: PublishedObjects;
  /** The share of the objects whose bytes are compared, from 0 to 1. Of all others, the sizes are. */
  share: number;
  random: Random;
  /** Returns whether a version still exists, to tell a missing object from one that was deleted meanwhile. */
  isLiving(code: string): Promise<boolean>;
  report(problem: Problem): void;
  watch(tally: Readonly<ObjectTally>, share: number): void;
  isStopped(): boolean;
}

/** The objects that were checked. `objects` and `bytes` count those whose bytes were compared. */
export interface VerifiedObjects extends ObjectTally {
  /** A line with the code and the size of each object that the database names, in the order of codes. */
  list: string;
}

const SAMPLES = 2 ** 32;

/** Compares the object of every version with what was published. */
export async function verifyObjects(options: VerifyOptions): Promise<VerifiedObjects> {
  const { blobs, share, report, watch, isStopped } = options;
  const tally: ObjectTally = { objects: 0, bytes: 0, copiedBytes: 0 };
  const lines: string[] = [];
  // Another sample each time, so that repeated samples cover everything.
  const seed = options.random.bytes(8).join(" ");
  const isSampled = (code: string) => share >= 1 || hashOf(seed + code) < share * SAMPLES;

  async function findProblem({ code, files }: PublishedObject, size: number, listed: number | undefined) {
    if (!isSampled(code)) return listed === size ? undefined : describeSize(listed, size);
    const content = await blobs.readAll(code);
    if (content === undefined) return "it is missing";
    tally.objects++;
    tally.bytes += content.length;
    return findDamage(content, files);
  }

  await eachAtOnce(jobsOf(options), { ...LIMITS, weightOf: ({ size }) => size }, async (job) => {
    const { object, size, listed, progress } = job;
    if (isStopped()) throw new Interrupted();
    lines.push(`${object.code} ${size}\n`);
    const problem = await findProblem(object, size, listed);
    // A version that was deleted meanwhile has lost its row first.
    if (problem !== undefined && (await options.isLiving(object.code))) {
      report({ part: "files", message: `The object ${object.code} is damaged: ${problem}.` });
    }
    watch(tally, progress);
  });
  return { ...tally, list: lines.sort().join("") };
}

const hashOf = (text: string) => createHash("sha256").update(text).digest().readUInt32BE(0);

const describeSize = (found: number | undefined, size: number) =>
  found === undefined ? "it is missing" : `it has ${found} bytes where ${size} were published`;

async function* jobsOf({ blobs, published }: VerifyOptions) {
  for (const [position, beginning] of [...BEGINNINGS].entries()) {
    const listed = await listByKey(blobs, beginning);
    const progress = position / BEGINNINGS.length;
    for await (const object of published.list(beginning)) {
      yield { object, size: sizeOf(object), listed: listed.get(object.code)?.size, progress };
    }
  }
}

/** Compares the lists and the secret of a backup with its manifest. `list` names the objects in its database. */
export async function verifyBackupFiles(
  files: BackupFiles,
  { id, objects, secret, damaged }: Manifest,
  list: string,
  report: (problem: Problem) => void,
): Promise<void> {
  await reporting(report, async () => {
    const stored = await fetchText(files, nameOf(id, "objects.txt"), objects);
    const missing = new Set(damaged.map(({ code }) => code));
    const named = list.split("\n").filter((line) => !missing.has(line.slice(0, line.indexOf(" "))));
    if (sha256Of(named.join("\n")) === sha256Of(stored)) return;
    report({ part: "backup", message: "The database names other objects than the list of the backup." });
  });
  await reporting(report, async () => {
    if (secret !== null) await fetchText(files, nameOf(id, "secret"), secret);
  });
}

/** Reports a damaged file instead of throwing. Returns undefined then. */
export async function reporting<Result>(
  report: (problem: Problem) => void,
  act: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof DamagedBackup)) throw error;
    report({ part: "backup", message: error.message });
    return undefined;
  }
}
