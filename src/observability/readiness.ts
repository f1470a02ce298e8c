import type { Blobs } from "../domain/model/blobs.ts";
import { newId } from "../domain/model/codes.ts";
import type { Instant } from "../domain/model/entities.ts";
import type { Events } from "../domain/model/events.ts";
import { Failure } from "../domain/model/failure.ts";
import type { Part, PartState } from "../domain/model/health.ts";
import type { Clock, Random } from "../domain/model/ports.ts";
import type { ProbeStore } from "../domain/operations/ports.ts";
import type { ServeStore } from "../domain/reports/ports.ts";
import type { Log } from "./log.ts";

/** Milliseconds after which parts are checked again. */
const FRESHNESS = 1_000;
/** Milliseconds after which a part that has not answered counts as failed. */
const PATIENCE = 2_000;
/** Milliseconds between writes that only check whether writing works. */
const WRITE_INTERVAL = 10_000;
/** Looks like a code but isn't one: codes have a capital letter. */
const NO_CODE = "0000000000000000";
export interface PartReport extends PartState {
  name: string;
  /** When the part was first seen in this state. */
  since: Instant;
}
export interface ReadinessReport {
  isReady: boolean;
  parts: PartReport[];
}
interface ReadinessDependencies {
  /** Called for each report, because parts such as threads come and go. */
  parts(): readonly Part[];
  clock: Clock;
  log: Log;
}
const STOPPING: Part = {
  name: "server",
  check: () => ({ state: "failed", detail: "The server is stopping." }),
};
/** Tells whether the server can serve requests. Checks its parts at most once a second. */
export function createReadiness({ parts, clock, log }: ReadinessDependencies) {
  const seen = new Map<string, { state: PartState["state"]; since: Instant }>();
  let asked: { at: Instant; answer: Promise<ReadinessReport> } | undefined;
  let isStopping = false;

  /** Returns the state of each part. */
  function report(): Promise<ReadinessReport> {
    const now = clock.now();
    if (asked === undefined || Math.abs(now - asked.at) >= FRESHNESS) asked = { at: now, answer: ask() };
    return asked.answer;
  }

  async function ask(): Promise<ReadinessReport> {
    const wanted = isStopping ? [STOPPING, ...parts()] : parts();
    const reports = await Promise.all(wanted.map(async (part) => note(part.name, await stateOf(part))));
    return { isReady: reports.every(({ state }) => state !== "failed"), parts: reports };
  }

  function note(name: string, { state, detail }: PartState): PartReport {
    const known = seen.get(name);
    const hasChanged = known?.state !== state;
    const since = hasChanged ? clock.now() : known.since;
    seen.set(name, { state, since });
    const report = { name, state, since, ...(detail === undefined ? {} : { detail }) };
    // A server that is stopping goes out of service on purpose.
    if (hasChanged && !isStopping) logChange(report, known !== undefined);
    return report;
  }

  function logChange({ name, state, detail }: PartReport, isKnown: boolean): void {
    if (state === "failed") log.error({ message: `The server is not ready: ${name}.`, error: detail });
    else if (state === "degraded") log.warn({ message: `The server is degraded: ${name}.`, error: detail });
    else if (isKnown) log.info({ message: `The server has recovered: ${name}.` });
  }

  async function isReady(): Promise<boolean> {
    return !isStopping && (await report()).isReady && !isStopping;
  }

  /** Makes the server not ready from now on. */
  function stop(): void {
    isStopping = true;
    asked = undefined;
  }

  return { isReady, report, stop };
}
export type Readiness = ReturnType<typeof createReadiness>;
/** Returns the state of a part; one that throws or does not answer in time has failed. */
async function stateOf(part: Part): Promise<PartState> {
  const tooLate = Promise.withResolvers<PartState>();
  const timer = setTimeout(tooLate.resolve, PATIENCE, { state: "failed", detail: `No answer within ${PATIENCE} ms.` });
  try {
    return await Promise.race([part.check(), tooLate.promise]);
  } catch (error) {
    return { state: "failed", detail: reasonOf(error) };
  } finally {
    clearTimeout(timer);
  }
}
/** Returns an error's message and its cause, which is for operators. */
function reasonOf(error: unknown): string {
  if (error instanceof Failure && error.cause !== undefined) return `${error.message} (${reasonOf(error.cause)})`;
  return error instanceof Error ? error.message : String(error);
}
/** Checks that the database answers a query. */
export const databasePart = ({ reports }: { reports: Pick<ServeStore, "findServedState"> }): Part => ({
  name: "database",
  async check() {
    await reports.findServedState(NO_CODE);
    return { state: "ok" };
  },
});
/** Checks that published files can be read and written. */
export const blobsPart = (blobs: Pick<Blobs, "check">): Part => ({
  name: "published files",
  async check() {
    await blobs.check();
    return { state: "ok" };
  },
});
/** Checks that this replica hears what others change. */
export const eventsPart = (events: Pick<Events, "isHearing">): Part => ({
  name: "events",
  check: () => (events.isHearing() ? { state: "ok" } : { state: "failed", detail: "Cut off from the other replicas." }),
});
/**
 * Checks that the database stores changes. Writes at most every 10 s to spare the disk, but repeats a failed write at once
 * to notice recovery. A write that hangs may be lost, so others follow at doubling intervals, which leave connections to
 * requests. A full disk only degrades the server, because reports can still be read.
 */
export function writesPart(
  { operations }: { operations: ProbeStore },
  { clock, random }: { clock: Clock; random: Random },
): Part {
  let last: { at: Instant; outcome: Promise<PartState>; state?: PartState["state"] } | undefined;
  let pending = 0;

  async function write(): Promise<PartState> {
    try {
      await operations.writeProbe({ id: newId(random, "probe"), now: clock.now() });
      return { state: "ok" };
    } catch (error) {
      const isFull = error instanceof Failure && error.kind === "StorageFull";
      return { state: isFull ? "degraded" : "failed", detail: reasonOf(error) };
    }
  }

  function start() {
    pending++;
    const begun: typeof last = { at: clock.now(), outcome: write() };
    begun.outcome.then(({ state }) => {
      pending--;
      begun.state = state;
    });
    return begun;
  }

  function pauseAfter({ state }: { state?: PartState["state"] }): number {
    if (state === "failed") return FRESHNESS;
    return state === undefined ? Math.min(PATIENCE * 2 ** (pending - 1), WRITE_INTERVAL) : WRITE_INTERVAL;
  }

  return {
    name: "database writes",
    check() {
      if (last === undefined || Math.abs(clock.now() - last.at) >= pauseAfter(last)) last = start();
      return last.outcome;
    },
  };
}
