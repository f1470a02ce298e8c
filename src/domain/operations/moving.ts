import { createHash } from "node:crypto";
import type { Blobs, StoredObject } from "../model/blobs.ts";
import type { FileEntry } from "../model/files.ts";
import { eachAtOnce } from "./at-once.ts";

/** What a version's object has to hold. */
export interface PublishedObject {
  code: string;
  files: readonly FileEntry[];
}

/** What the database knows of the objects. */
export interface PublishedObjects {
  /** Those of the versions whose code begins with a character. */
  list(beginning: string): AsyncIterable<PublishedObject>;
  isLiving(code: string): Promise<boolean>;
}

export interface ObjectProblem {
  key: string;
  /** One sentence. */
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

/** Told after each object; `share` is the part of the work that is done, from 0 to 1. */
export type Watch = (tally: Readonly<Tally>, share: number) => void;

interface Parts {
  from: Blobs;
  to: Blobs;
  /** Without it nothing is known of what was published. */
  published: PublishedObjects | undefined;
  watch: Watch;
  report(problem: ObjectProblem): void;
  isStopped(): boolean;
}

interface Job {
  key: string;
  /** Undefined where the store did not list what the database names. */
  found: StoredObject | undefined;
  there: StoredObject | undefined;
  files: readonly FileEntry[] | undefined;
  share: number;
}

type Outcome = "copied" | "alreadyThere" | "gone" | Omit<ObjectProblem, "key">;

/** What a key can begin with. An object's first character is drawn by lot, so each has about as many as the others. */
const BEGINNINGS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const KEY_PATTERN = /^[0-9A-Za-z]{16}(\.z)?$/;
const LIMITS = { count: 8, weight: 64 * 1024 * 1024 };

/**
 * Copies every object that is not there yet, reads it back and compares it. What is there with other bytes stays as it
 * is, and what differs from what was published is not copied: both are reported. Throws when a store cannot be used.
 */
export async function copyObjects(parts: Parts): Promise<Tally> {
  const tally: Tally = { objects: 0, bytes: 0, copied: 0, alreadyThere: 0, different: 0, damaged: 0, missing: 0 };
  const weightOf = ({ found }: Job) => found?.size ?? 0;
  await eachAtOnce(jobsOf(parts), { ...LIMITS, weightOf }, async (job) => {
    const { outcome, bytes } = await settle(parts, job);
    if (outcome === "gone") return;
    tally.objects++;
    tally.bytes += bytes;
    if (typeof outcome === "string") tally[outcome]++;
    else tally[outcome.kind]++;
    if (typeof outcome !== "string") parts.report({ key: job.key, ...outcome });
    parts.watch(tally, job.share);
  });
  return tally;
}

/** Object after object, with the lists of one beginning in memory at a time. */
async function* jobsOf({ from, to, published, isStopped }: Parts): AsyncGenerator<Job> {
  for (const [position, beginning] of [...BEGINNINGS].entries()) {
    const found = await listByKey(from, beginning);
    const there = await listByKey(to, beginning);
    const total = Math.max(1, found.size);
    const jobOf = (key: string, files?: readonly FileEntry[]): Job => {
      const object = found.get(key);
      found.delete(key);
      const share = (position + 1 - found.size / total) / BEGINNINGS.length;
      return { key, found: object, there: there.get(key), files, share };
    };
    // Listed after the objects: an object is written before the row that names it, and so is missed by no list.
    for await (const { code, files } of published?.list(beginning) ?? []) {
      if (isStopped()) return;
      yield jobOf(code, files);
    }
    for (const key of [...found.keys()]) {
      if (isStopped()) return;
      yield jobOf(key);
    }
  }
}

async function listByKey(blobs: Blobs, beginning: string): Promise<Map<string, StoredObject>> {
  const objects = new Map<string, StoredObject>();
  for await (const object of blobs.list(beginning)) {
    // Files that a crash has left half-written are listed too.
    if (KEY_PATTERN.test(object.key)) objects.set(object.key, object);
  }
  return objects;
}

async function settle(parts: Parts, job: Job): Promise<{ outcome: Outcome; bytes: number }> {
  const { key, found, there } = job;
  const listed = found?.size ?? 0;
  if (there !== undefined && (await isSameUnread(parts, job))) return { outcome: "alreadyThere", bytes: listed };
  const content = await parts.from.readAll(key);
  if (content === undefined) return { outcome: await explainAbsence(parts, job), bytes: 0 };
  const damage = job.files && findDamage(content, job.files);
  const bytes = content.length;
  if (damage !== undefined) return { outcome: { kind: "damaged", message: damage }, bytes };
  return { outcome: await place(parts, job, content), bytes };
}

/** Whether what the stores say of both objects, or reading the one that says nothing, shows that they are the same. */
async function isSameUnread({ to }: Parts, { key, found, there }: Job): Promise<boolean> {
  if (found?.md5 === undefined || found.size !== there?.size) return false;
  if (there.md5 !== undefined) return found.md5 === there.md5;
  const content = await to.readAll(key);
  return content !== undefined && md5Of(content) === found.md5;
}

/** A version that is deleted loses its row first; then its object is missed by nobody. */
async function explainAbsence({ published }: Parts, { key, files }: Job): Promise<Outcome> {
  if (files === undefined || (await published?.isLiving(key)) !== true) return "gone";
  return { kind: "missing", message: "missing in the source" };
}

/** Puts the content, unless something is there. Takes the content over. */
async function place({ to }: Parts, { key, there }: Job, content: Uint8Array): Promise<Outcome> {
  if (there?.size === content.length && there.md5 === md5Of(content)) return "alreadyThere";
  const digest = sha256Of(content);
  const before = there && (await to.readAll(key));
  if (before !== undefined) return sha256Of(before) === digest ? "alreadyThere" : DIFFERENT;
  try {
    await to.put(key, content);
  } catch (error) {
    // Somebody else may have put it meanwhile.
    const after = await to.readAll(key).catch(() => undefined);
    if (after === undefined) throw error;
    return sha256Of(after) === digest ? "alreadyThere" : DIFFERENT;
  }
  const after = await to.readAll(key);
  return after !== undefined && sha256Of(after) === digest ? "copied" : UNLIKE;
}

const DIFFERENT: Outcome = {
  kind: "different",
  message: "the target has a different object with this key, which was not overwritten",
};
const UNLIKE: Outcome = { kind: "different", message: "the target returned different bytes than were written" };

const md5Of = (content: Uint8Array) => createHash("md5").update(content).digest("hex");
const sha256Of = (content: Uint8Array) => createHash("sha256").update(content).digest("base64url");

/** What of an object is not as it was published, as one sentence; undefined when all of it is. */
function findDamage(content: Uint8Array, files: readonly FileEntry[]): string | undefined {
  const size = files.reduce((sum, file) => sum + file.size, 0);
  if (content.length !== size) {
    return `it has ${content.length} bytes where ${size} were published; it was not copied`;
  }
  const isDamaged = ({ offset, size, digest }: FileEntry) =>
    sha256Of(content.subarray(offset, offset + size)) !== digest;
  const damaged = files.find(isDamaged);
  return damaged && `${damaged.path} in it is not what was published; it was not copied`;
}
