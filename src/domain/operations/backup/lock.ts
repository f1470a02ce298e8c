import { conflict } from "../../model/failure.ts";
import type { Clock } from "../../model/ports.ts";
import type { BackupFiles } from "./ports.ts";

const NAME = "lock.json";
/** Milliseconds until the lock of a process that may have died is ignored. */
const LIFETIME = 10 * 60_000;

/** The process that takes a lock. */
export interface Machine {
  host: string;
  pid: number;
  /** Returns whether a process of this host is running. */
  isRunning(pid: number): boolean;
}

interface Content {
  run: string;
  host: string;
  pid: number;
  expires_at: string;
}

interface Dependencies {
  files: BackupFiles;
  clock: Clock;
  machine: Machine;
  run: string;
}

/** Takes the lock of a target, so that no other backup writes to it or deletes from it. Throws `Conflict`. */
export async function takeLock({ files, clock, machine, run }: Dependencies) {
  const { host, pid } = machine;
  const render = () =>
    JSON.stringify({ run, host, pid, expires_at: new Date(clock.now() + LIFETIME).toISOString() } satisfies Content);

  async function take(): Promise<void> {
    if (await files.createText(NAME, render())) return;
    const holder = await read();
    // The answer to an earlier attempt may have been lost.
    if (holder?.run === run) return;
    if (holder !== undefined && !hasDied(holder)) throw busy(holder);
    await files.remove([NAME]);
    if (!(await files.createText(NAME, render()))) throw busy(await read());
  }

  async function read(): Promise<Content | undefined> {
    const text = await files.readText(NAME);
    if (text === undefined) return undefined;
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  }

  function hasDied(holder: Content): boolean {
    if (holder.host === host && !machine.isRunning(holder.pid)) return true;
    return !(Date.parse(holder.expires_at) > clock.now());
  }

  const isOwn = async () => (await read())?.run === run;

  /** Extends the lock. Returns false if it is another's. */
  async function renew(): Promise<boolean> {
    if (!(await isOwn())) return false;
    await files.writeText(NAME, render());
    return true;
  }

  async function release(): Promise<void> {
    if (await isOwn()) await files.remove([NAME]);
  }

  await take();
  return { isOwn, renew, release };
}

export type Lock = Awaited<ReturnType<typeof takeLock>>;

const busy = (holder: Content | undefined) =>
  conflict(
    `Another backup into this target is in progress${holder === undefined ? "" : ` (process ${holder.pid} on ${holder.host})`}. Wait until it has finished.`,
  );
