import { newId } from "../model/codes.ts";
import type { Clock, OperatorLog, Random } from "../model/ports.ts";
import type { SeenLink } from "../model/seen-by.ts";
import type { Openings, Refusals, SeenBatch, SeenStore } from "./ports.ts";

/** Milliseconds from the first opening of a batch until the batch is added. */
const DELAY = 1_000;
/** Milliseconds from one batch to the next, because adding one takes as much processor time as thousands of reads. */
const INTERVAL = 10_000;
/** Milliseconds before a failed batch is tried again. */
const RETRY_DELAY = 5_000;
/** Different openings and refusals in memory. Attackers can make up any number of refusals, so these have a separate limit. */
const MOST_OPENINGS = 10_000;
const MOST_REFUSALS = 1_000;
/** Different openings and refusals that one transaction adds. */
const BATCH = 1_000;

interface Dependencies {
  store: { seen: Pick<SeenStore, "addSeen"> };
  clock: Clock;
  random: Random;
  log: OperatorLog;
}

type Reference = Refusals["reference"];

/** Creates the counter of openings. It counts in memory and adds what it counted to the store in batches, each once. */
export function createCounting({ store: { seen }, clock, random, log }: Dependencies) {
  const openings = new Set<Openings>();
  /** The same by link, code and user, so that counting one more builds no key. */
  const places = new Map<SeenLink, Map<string, Map<string | null, Openings>>>();
  const refusals = new Map<string, Refusals>();
  /** The batch that is being added, or failed and is to be tried again as it is. */
  let pending: SeenBatch | undefined;
  let adding: Promise<void> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** When the next batch may be added. */
  let nextAt = 0;
  let isClosed = false;
  let dropped = 0;

  /**
   * Counts an opening. `userId` is null for readers who are not to be named. Later openings keep the time of the first in
   * the batch, ten seconds earlier at most.
   */
  function noteOpening(code: string, link: SeenLink, userId: string | null): void {
    const known = places.get(link)?.get(code)?.get(userId);
    if (known !== undefined) known.times++;
    else if (openings.size < MOST_OPENINGS) noteFirst({ code, link, userId, times: 1, lastAt: clock.now() });
    else dropped++;
  }

  function noteFirst(opening: Openings): void {
    openings.add(opening);
    place(opening);
    if (openings.size === BATCH) void add();
    else addLater(DELAY);
  }

  function place(opening: Openings): void {
    const { link, code, userId } = opening;
    const codes = places.get(link) ?? new Map();
    places.set(link, codes.set(code, (codes.get(code) ?? new Map()).set(userId, opening)));
  }

  /** Counts an attempt of someone who may not read the report, whether or not there is one. */
  function noteRefusal(reference: Reference): void {
    const key = "code" in reference ? reference.code : `/${reference.name}`;
    const known = refusals.get(key);
    if (known !== undefined) {
      known.times++;
      known.lastAt = clock.now();
    } else if (refusals.size < MOST_REFUSALS) {
      refusals.set(key, { reference, times: 1, lastAt: clock.now() });
      addLater(DELAY);
    } else dropped++;
  }

  function addLater(delay: number): void {
    if (isClosed || timer !== undefined) return;
    // The clock may have been set back.
    const wait = Math.min(INTERVAL, Math.max(delay, nextAt - clock.now()));
    timer = setTimeout(() => {
      timer = undefined;
      void add();
    }, wait);
    timer.unref();
  }

  /** Adds everything counted so far to the store. Doesn't reject: what couldn't be added is tried again later. */
  function add(): Promise<void> {
    // One that is under way may have begun before the latest openings.
    return adding === undefined ? begin() : adding.then(begin);
  }

  function begin(): Promise<void> {
    adding ??= addBatches().finally(() => {
      adding = undefined;
    });
    return adding;
  }

  async function addBatches(): Promise<void> {
    // What is counted meanwhile waits for the next time, unless it is enough for a batch: a busy server would never come to an end.
    let batches = Math.ceil(Math.max(openings.size, refusals.size) / BATCH) + (pending === undefined ? 0 : 1);
    try {
      while (batches-- > 0 || openings.size >= BATCH) {
        pending ??= takeBatch();
        await seen.addSeen({ batch: pending, now: clock.now() });
        pending = undefined;
        nextAt = clock.now() + INTERVAL;
      }
      if (dropped > 0)
        log.warn({ message: `${dropped} openings of reports weren't counted, because there were too many.` });
      dropped = 0;
      if (openings.size + refusals.size > 0) addLater(DELAY);
    } catch (error) {
      log.warn({ message: "Openings of reports couldn't be recorded. Trying again.", error });
      addLater(RETRY_DELAY);
    }
  }

  function takeBatch(): SeenBatch {
    const taken = take(openings);
    places.clear();
    for (const opening of openings) place(opening);
    return { id: newId(random, "seen"), openings: taken, refusals: take(refusals) };
  }

  /** Adds what is left, and counts nothing more. What can't be added now is lost. */
  async function close(): Promise<void> {
    isClosed = true;
    clearTimeout(timer);
    await add();
  }

  return { noteOpening, noteRefusal, add, close };
}

/** What maps and sets have in common. */
interface Collection<Key, Entry> {
  entries(): Iterable<[Key, Entry]>;
  delete(key: Key): boolean;
}

/** Removes the first entries and returns them. */
function take<Key, Entry>(collection: Collection<Key, Entry>): Entry[] {
  const taken: Entry[] = [];
  for (const [key, entry] of collection.entries()) {
    if (taken.length === BATCH) break;
    taken.push(entry);
    collection.delete(key);
  }
  return taken;
}

export type Counting = ReturnType<typeof createCounting>;
