import type { Blobs } from "../model/blobs.ts";
import { Failure } from "../model/failure.ts";
import type { PartState } from "../model/health.ts";
import { DamagedObject } from "../model/objects.ts";
import type { Clock } from "../model/ports.ts";
import type { PublishedObject } from "./moving.ts";
import type { CheckContent, ScrubProgress, ScrubStore } from "./ports.ts";

const DAY = 24 * 60 * 60_000;
/** Objects listed at a time, after which the progress is saved. */
const PAGE = 20;
/** What reading an object costs besides its bytes, in bytes. */
const OBJECT_COST = 64 * 1024;
/** Bytes per second that are read in any case. */
const SLOWEST = 4 * 1024 * 1024;
/** How many times faster a run reads than necessary, so that it pauses most of the time. */
const LEAD = 4;
/** Damaged objects that each run checks again. */
const CHECKED_AGAIN = 500;

interface DamageEvent {
  message: string;
  fields: { code: string; key: string };
}

interface Dependencies {
  store: { operations: ScrubStore };
  /** Opens the published files without caches, which would hide damage. */
  openStored(): Promise<Pick<Blobs, "readAll">>;
  checkContent: CheckContent;
  clock: Clock;
  wait(milliseconds: number): Promise<void>;
  log: { error(event: DamageEvent): void; info(event: DamageEvent): void };
  /** The days in which each object is read once. */
  days: number;
}

type Stored = Pick<Blobs, "readAll">;

interface Pace {
  /** Returns whether more has to be read now. */
  isDue(progress: ScrubProgress): boolean;
  /** Bytes to read per second. */
  perSecond: number;
}

/** Creates the scrub, which reads every object again and again to find damage before its readers do. */
export function createScrub({ store, openStored, checkContent, clock, wait, log, days }: Dependencies) {
  const { operations } = store;

  /** Checks known damage again, and as many further objects as are due by now. */
  async function run(signal: AbortSignal): Promise<string | undefined> {
    const stored = await openStored();
    await checkDamaged(stored, signal);
    const progress = await findRound();
    const read = await continueRound(stored, progress, signal);
    if (read === 0) return undefined;
    const damaged = await operations.countDamage();
    return `Read ${counted(read)}. ${damaged === 0 ? "None is" : `${counted(damaged)} ${damaged === 1 ? "is" : "are"}`} damaged.`;
  }

  /** Returns the progress of the current round, which is a new one if the previous one is over. */
  async function findRound(): Promise<ScrubProgress> {
    const now = clock.now();
    const last = await operations.findScrub();
    const isOver = last !== undefined && isFinished(last) && last.startedAt + days * DAY <= now;
    if (last !== undefined && !isOver) return last;
    return { startedAt: now, after: "", objects: 0, bytes: 0, lastFinishedAt: last?.lastFinishedAt };
  }

  /** Reads objects until the share of all objects equals the elapsed share of the time. Returns how many it read. */
  async function continueRound(stored: Stored, begun: ScrubProgress, signal: AbortSignal): Promise<number> {
    if (isFinished(begun)) return 0;
    const total = costOf(await operations.measurePublished(undefined));
    const due = total * Math.min(1, (clock.now() - begun.startedAt) / (days * DAY));
    const pace: Pace = {
      isDue: (progress) => due >= total || costOf(progress) <= due,
      perSecond: Math.max(SLOWEST, (LEAD * total * 1_000) / (days * DAY)),
    };
    let progress = begun;
    while (pace.isDue(progress)) {
      const page = await operations.listPublishedAfter(progress.after, PAGE);
      if (page.length > 0) {
        progress = await readPage(stored, page, { pace, progress, signal });
        continue;
      }
      await operations.saveScrub({ ...progress, lastFinishedAt: clock.now() });
      break;
    }
    return progress.objects - begun.objects;
  }

  /** Reads those objects of a page that are due, and saves the progress even if it is interrupted. */
  async function readPage(
    stored: Stored,
    page: readonly PublishedObject[],
    { pace, progress: begun, signal }: { pace: Pace; progress: ScrubProgress; signal: AbortSignal },
  ): Promise<ScrubProgress> {
    let progress = begun;
    try {
      for (const object of page) {
        if (!pace.isDue(progress)) break;
        signal.throwIfAborted();
        const bytes = await check(stored, object);
        progress = { ...progress, after: object.code, objects: progress.objects + 1, bytes: progress.bytes + bytes };
        await pause(((bytes + OBJECT_COST) / pace.perSecond) * 1_000, signal);
      }
    } finally {
      await operations.saveScrub(progress);
    }
    return progress;
  }

  /** Compares an object with what was published, and records the result. Returns its size. */
  async function check(stored: Stored, { code, files }: PublishedObject): Promise<number> {
    const size = files.reduce((sum, file) => sum + file.size, 0);
    const problem = await findProblem(stored, code, files);
    if (problem === undefined) return size;
    // It may have been deleted meanwhile.
    if ((await operations.findPublishedObject(code)) === undefined) return size;
    const isNew = await operations.noteDamage({ key: code, code, problem, now: clock.now() });
    if (isNew) log.error({ message: `A published object is damaged: ${problem}.`, fields: { code, key: code } });
    return size;
  }

  async function findProblem(stored: Stored, key: string, files: PublishedObject["files"]) {
    try {
      const content = await stored.readAll(key);
      return content === undefined ? "it is missing" : await checkContent(content, files);
    } catch (error) {
      const problem = describeUnreadable(error);
      if (problem === undefined) throw error;
      return problem;
    }
  }

  /** Checks known damage again, and forgets objects that are intact or deleted. Returns how many it forgot. */
  async function checkDamaged(stored: Stored, signal?: AbortSignal): Promise<number> {
    let forgotten = 0;
    for (const { key, code } of await operations.listDamage(CHECKED_AGAIN)) {
      signal?.throwIfAborted();
      const published = await operations.findPublishedObject(code);
      const problem = published && (await findProblem(stored, key, published.files));
      if (problem !== undefined) {
        await operations.noteDamage({ key, code, problem, now: clock.now() });
        continue;
      }
      await operations.forgetDamage({ keys: [key] });
      forgotten++;
      if (published !== undefined) log.info({ message: "A damaged object is intact again.", fields: { code, key } });
    }
    return forgotten;
  }

  async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
    const aborted = Promise.withResolvers<void>();
    const onAbort = () => aborted.resolve();
    signal.addEventListener("abort", onAbort);
    await Promise.race([wait(milliseconds), aborted.promise]);
    signal.removeEventListener("abort", onAbort);
  }

  /** Returns `degraded` if there are damaged objects, no matter which replica found them. */
  async function health(): Promise<PartState> {
    const count = await operations.countDamage();
    const [example] = await operations.listDamage(1);
    if (example === undefined) return { state: "ok" };
    return {
      state: "degraded",
      detail: `${counted(count)} ${count === 1 ? "is" : "are"} damaged, for example of the report ${example.code}. Run vitrine blobs damaged to list them, and restore them from a backup.`,
    };
  }

  return { run, checkDamaged: async () => checkDamaged(await openStored()), health };
}

const isFinished = ({ startedAt, lastFinishedAt }: ScrubProgress) =>
  lastFinishedAt !== undefined && lastFinishedAt >= startedAt;

const costOf = ({ objects, bytes }: { objects: number; bytes: number }) => bytes + objects * OBJECT_COST;

const counted = (count: number) => (count === 1 ? "1 object" : `${count} objects`);

/** Codes of errors that concern one file: a bad sector, a failed checksum of the file system, or wrong permissions. */
const CODES_OF_ONE = ["EIO", "EBADMSG", "EUCLEAN", "EACCES", "EPERM", "EISDIR"];

/** Describes why one object can't be read. Undefined if the reason isn't the object but the store. */
function describeUnreadable(error: unknown): string | undefined {
  if (error instanceof DamagedObject) return "it is missing or too short";
  if (error instanceof Failure || !(error instanceof Error) || !("code" in error)) return undefined;
  const code = String(error.code);
  return CODES_OF_ONE.includes(code) ? `it can't be read (${code})` : undefined;
}
