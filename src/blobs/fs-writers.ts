import { type Thread, transferable } from "../threads/thread.ts";
import type { Threads } from "../threads/threads.ts";
import type { FileWriterCalls } from "./fs-writer-worker.ts";

/** Threads at the most: a second one works while the first waits for the disk. */
const THREADS = 2;
const THREADS_ON_SLOW_DISK = 4;
/** On a disk that takes longer than this to sync an object, in milliseconds, waiting in several threads pays. */
const SLOW_PACE = 1.5;
/** The share of the newest measurement in the running average of the pace. */
const SMOOTHING = 0.2;

/** Milliseconds. A disk that takes longer for an object has hung. */
const DEADLINE = 30_000;

/** Writes objects durably in threads: more of them where syncing is mostly waiting. */
export function createFileWriters(registry: Threads) {
  const threads: Thread<FileWriterCalls>[] = [];
  let pace = 0;

  /** Takes the content over. Resolves when the object would survive a power cut. */
  async function write(directory: string, key: string, content: Uint8Array): Promise<void> {
    const written = await chooseThread().call("write", { directory, key, content }, transferable(content));
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
