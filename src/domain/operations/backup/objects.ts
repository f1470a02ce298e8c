import type { Blobs, StoredObject } from "../../model/blobs.ts";
import { eachAtOnce } from "../at-once.ts";
import { findDamage } from "../content.ts";
import type { PublishedObject, PublishedObjects } from "../moving.ts";
import { BEGINNINGS, LIMITS, listByKey, placeObject } from "../object-copies.ts";

export interface ObjectProblem {
  code: string;
  /** One clause about the object, such as "it has 3 bytes where 10 were published". */
  problem: string;
}

export interface ObjectTally {
  objects: number;
  bytes: number;
  /** The bytes that the target didn't have yet. */
  copiedBytes: number;
}

interface CopyOptions {
  from: Blobs;
  to: Blobs;
  published: PublishedObjects;
  /** Whether objects of the right size in the target count as copied without being read. */
  trustsTarget: boolean;
  /** Receives the progress after each object; `share` is the completed share of the work, from 0 to 1. */
  watch(tally: Readonly<ObjectTally>, share: number): void;
  /** Throws if the work has to stop. */
  check(): void;
}

export interface CopiedObjects extends ObjectTally {
  /** A line with the code and the size of each object that the target has now, in the order of codes. */
  list: string;
  /** The objects that are missing or damaged in the source. They were not copied. */
  problems: readonly ObjectProblem[];
}

interface Job extends PublishedObject {
  size: number;
  target: StoredObject | undefined;
  share: number;
}

/** Copies every object that the database names, if it is what was published and the target lacks it. */
export async function copyNamedObjects(options: CopyOptions): Promise<CopiedObjects> {
  const { from, to, trustsTarget, watch, check } = options;
  const tally: ObjectTally = { objects: 0, bytes: 0, copiedBytes: 0 };
  const problems: ObjectProblem[] = [];
  const lines: string[] = [];

  /** Returns what is wrong with the object in the source, if anything. */
  async function copy({ code, files, size, target }: Job): Promise<string | undefined> {
    if (trustsTarget && target?.size === size) return undefined;
    const content = await from.readAll(code);
    if (content === undefined) return "it is missing";
    return findDamage(content, files) ?? place(code, content, target);
  }

  async function place(key: string, content: Uint8Array, target: StoredObject | undefined) {
    const size = content.length;
    // Only an interrupted or damaged write leaves an object of another size, because objects never change.
    const isTorn = target !== undefined && target.size !== size;
    if (isTorn) await to.delete([key]);
    const placed = await placeObject(to, { key, target: isTorn ? undefined : target }, content);
    if (placed === "copied") tally.copiedBytes += size;
    return typeof placed === "string" ? undefined : placed.message;
  }

  await eachAtOnce(jobsOf(options), { ...LIMITS, weightOf: ({ size }) => size }, async (job) => {
    check();
    const { code, size } = job;
    const problem = await copy(job);
    if (problem === undefined) {
      tally.objects++;
      tally.bytes += size;
      lines.push(`${code} ${size}\n`);
    } else problems.push({ code, problem });
    watch(tally, job.share);
  });
  return { ...tally, list: lines.sort().join(""), problems };
}

/** Yields the objects in the order of their codes. Keeps only the target's list of one first character in memory. */
async function* jobsOf({ to, published, check }: CopyOptions): AsyncGenerator<Job> {
  for (const [position, beginning] of [...BEGINNINGS].entries()) {
    const targets = await listByKey(to, beginning);
    for await (const object of published.list(beginning)) {
      check();
      const size = sizeOf(object);
      yield { ...object, size, target: targets.get(object.code), share: position / BEGINNINGS.length };
    }
  }
}

/** Returns the size of the object that holds these files. */
export const sizeOf = ({ files }: PublishedObject): number => files.reduce((sum, file) => sum + file.size, 0);

/** Returns the codes in a list of objects. */
export const codesIn = (list: string): string[] =>
  list
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.slice(0, line.indexOf(" ")));
