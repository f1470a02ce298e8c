import type { Blobs, StoredObject } from "../model/blobs.ts";
import type { FileEntry } from "../model/files.ts";
import { eachAtOnce } from "./at-once.ts";
import { findDamage } from "./content.ts";
import { BEGINNINGS, LIMITS, listByKey, md5Of, placeObject } from "./object-copies.ts";

/** The expected content of a version's object. */
export interface PublishedObject {
  code: string;
  files: readonly FileEntry[];
}

/** The objects that the database refers to. */
export interface PublishedObjects {
  /** Lists the objects of the versions whose code begins with a character. */
  list(beginning: string): AsyncIterable<PublishedObject>;
  isLiving(code: string): Promise<boolean>;
}

export interface ObjectProblem {
  key: string;
  /** One clause that completes a sentence about the object. */
  message: string;
  kind: "different" | "damaged" | "missing";
}

export interface Tally {
  objects: number;
  bytes: number;
  copied: number;
  alreadyThere: number;
  different: number;
  damaged: number;
  missing: number;
}

/** Receives the progress after each object; `share` is the completed share of the work, from 0 to 1. */
export type Watch = (tally: Readonly<Tally>, share: number) => void;

interface CopyOptions {
  from: Blobs;
  to: Blobs;
  /** Undefined to copy without checking the objects against a database. */
  published: PublishedObjects | undefined;
  watch: Watch;
  report(problem: ObjectProblem): void;
  isStopped(): boolean;
}

interface Job {
  key: string;
  /** Undefined if the database refers to an object that the source doesn't list. */
  source: StoredObject | undefined;
  target: StoredObject | undefined;
  files: readonly FileEntry[] | undefined;
  share: number;
}

type Outcome = "copied" | "alreadyThere" | "gone" | Omit<ObjectProblem, "key">;

/**
 * Copies every object that the target lacks, then reads it back and compares it. Doesn't overwrite objects with
 * different bytes and doesn't copy damaged ones, but reports both. Throws if a store can't be used.
 */
export async function copyObjects(options: CopyOptions): Promise<Tally> {
  const tally: Tally = { objects: 0, bytes: 0, copied: 0, alreadyThere: 0, different: 0, damaged: 0, missing: 0 };
  const weightOf = ({ source }: Job) => source?.size ?? 0;
  await eachAtOnce(jobsOf(options), { ...LIMITS, weightOf }, async (job) => {
    const { outcome, bytes } = await copy(options, job);
    if (outcome === "gone") return;
    tally.objects++;
    tally.bytes += bytes;
    if (typeof outcome === "string") tally[outcome]++;
    else tally[outcome.kind]++;
    if (typeof outcome !== "string") options.report({ key: job.key, ...outcome });
    options.watch(tally, job.share);
  });
  return tally;
}

/** Yields one job per object. Keeps only the lists of one first character in memory. */
async function* jobsOf({ from, to, published, isStopped }: CopyOptions): AsyncGenerator<Job> {
  for (const [position, beginning] of [...BEGINNINGS].entries()) {
    const sources = await listByKey(from, beginning);
    const targets = await listByKey(to, beginning);
    const total = Math.max(1, sources.size);
    const jobOf = (key: string, files?: readonly FileEntry[]): Job => {
      const source = sources.get(key);
      sources.delete(key);
      const share = (position + 1 - sources.size / total) / BEGINNINGS.length;
      return { key, source, target: targets.get(key), files, share };
    };
    // The database is listed after the objects, because an object is written before its row. So none is missed.
    for await (const { code, files } of published?.list(beginning) ?? []) {
      if (isStopped()) return;
      yield jobOf(code, files);
    }
    for (const key of [...sources.keys()]) {
      if (isStopped()) return;
      yield jobOf(key);
    }
  }
}

async function copy(options: CopyOptions, job: Job): Promise<{ outcome: Outcome; bytes: number }> {
  const { key, source, target } = job;
  const listed = source?.size ?? 0;
  if (target !== undefined && (await isSameUnread(options, job))) return { outcome: "alreadyThere", bytes: listed };
  const content = await options.from.readAll(key);
  if (content === undefined) return { outcome: await explainAbsence(options, job), bytes: 0 };
  const damage = job.files && findDamage(content, job.files);
  const bytes = content.length;
  if (damage !== undefined) return { outcome: { kind: "damaged", message: `${damage}; it was not copied` }, bytes };
  return { outcome: await placeObject(options.to, job, content), bytes };
}

/** Returns whether both objects are the same, by their listed MD5. Reads the target only if it lists none. */
async function isSameUnread({ to }: CopyOptions, { key, source, target }: Job): Promise<boolean> {
  if (source?.md5 === undefined || source.size !== target?.size) return false;
  if (target.md5 !== undefined) return source.md5 === target.md5;
  const content = await to.readAll(key);
  return content !== undefined && md5Of(content) === source.md5;
}

/** Returns why the source lacks an object: `gone` if its version was deleted meanwhile, which removes the row first. */
async function explainAbsence({ published }: CopyOptions, { key, files }: Job): Promise<Outcome> {
  if (files === undefined || (await published?.isLiving(key)) !== true) return "gone";
  return { kind: "missing", message: "missing in the source" };
}
