import { unavailable } from "../../domain/model/failure.ts";

/** Where a long read runs: reads that turn out to be slow move to their own lane, so that others don't wait for them. */
export type Lane = "quick" | "slow";

/** Limits how long a read takes. */
export interface Pace {
  /** Throws if the read has taken too long. Reads call it between statements. */
  check(): void;
}

/** Thrown by a read that has used up its time. */
export class OutOfTime extends Error {
  override readonly name = "OutOfTime";
}

export const unhurried: Pace = { check: () => undefined };

/** In milliseconds. */
export interface PaceLimits {
  time: number;
  /** Of the processor, used by this thread; as much as the time allows by default. */
  work?: number;
}

/** Returns the pace of a read that starts now. */
export function createPace({ time, work = Number.POSITIVE_INFINITY }: PaceLimits): Pace {
  const end = performance.now() + time;
  const begunAt = workDone();
  return {
    check() {
      const isOver = performance.now() > end || workDone() - begunAt > work;
      if (isOver) throw new OutOfTime(`The read has taken more than ${time} ms, or ${work} ms of the processor.`);
    },
  };
}

/** Returns the milliseconds for which this thread has used a processor. */
export function workDone(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** In milliseconds. */
export interface ReadTimes {
  /** Of work, after which a read leaves the quick lane. It starts again in the slow one. */
  readonly quick: number;
  /** After which a read in the slow lane is stopped. */
  readonly slow: number;
}

export const READ_TIMES: ReadTimes = { quick: 25, slow: 10_000 };

/** How much longer than its work a read in the quick lane may take: others use the processors, too, or the disk is slow. */
export const TOLERANCE = 4;

/** Milliseconds that a read may wait for its turn. */
export const PATIENCE = 20_000;
/** Seconds after which a client should try a stopped read again. */
const RETRY_AFTER = 10;

export const tookTooLong = () =>
  unavailable("This request took too long, so the server stopped it. Narrow it down, or try again later.", {
    retryAfter: RETRY_AFTER,
  });

/** Returns whom a read is for, so that users take turns, and then those who ask for the same one. */
export function turnOf(input: unknown): { user: string; member: string } {
  const member = typeof input === "object" && input !== null && "reader" in input ? idOf(input.reader) : "";
  const workspace = typeof input === "object" && input !== null && "workspaceId" in input ? input.workspaceId : member;
  return { user: String(workspace), member };
}

const idOf = (reader: unknown): string =>
  typeof reader === "object" && reader !== null && "userId" in reader ? String(reader.userId) : "";
