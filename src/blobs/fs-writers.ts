import { type Thread, transferable } from "../threads/thread.ts";
import type { Threads } from "../threads/threads.ts";
import type { FileWriterCalls, WriteObject } from "./fs-writer-worker.ts";

/** Maximum threads. A second one works while the first waits for the disk. */
const THREADS = 2;
const THREADS_ON_SLOW_DISK = 4;
/** Milliseconds for an object above which a disk is slow, so that more threads help. */
const SLOW_PACE = 1.5;
/** The weight of the newest measurement in the moving average. */
const SMOOTHING = 0.2;

/** Milliseconds. A disk that takes longer for an object has hung. */
const DEADLINE = 30_000;

/** Writes objects durably, in more threads if the disk is slow. */
export function createFileWriters(registry: Threads) {
  const threads: Thread<FileWriterCalls>[] = [];
  let pace = 0;

  /** Takes ownership of the content. Resolves when the object would survive a power failure. */
  async function write(object: WriteObject): Promise<void> {
    const written = await chooseThread().call("write", object, transferable(object.content));
    pace += (written.pace - pace) * SMOOTHING;
  }

  function chooseThread(): Thread<FileWriterCalls> {
    const first = threads[0] ?? addThread();
    const most = pace < SLOW_PACE ? THREADS : THREADS_ON_SLOW_DISK;
    const idlest = threads.reduce((best, thread) => (thread.waiting() < best.waiting() ? thread : best), first);
    return idlest.waiting() > 0 && threads.length < most ? addThread() : idlest;
  }

  function addThread(): Thread<FileWriterCalls> {
    const thread = registry.create<FileWriterCalls>({
      name: `file writer ${threads.length + 1}`,
      script: new URL("./fs-writer-worker.ts", import.meta.url),
      deadline: DEADLINE,
    });
    threads.push(thread);
    return thread;
  }

  return { write };
}
