import type { WriteObject, WriteReply } from "./fs-writer-worker.ts";

/** Threads at the most: a second one works while the first waits for the disk. */
const THREADS = 2;
const THREADS_ON_SLOW_DISK = 4;
/** On a disk that takes longer than this to sync an object, in milliseconds, waiting in several threads pays. */
const SLOW_PACE = 1.5;
/** The share of the newest measurement in the running average of the pace. */
const SMOOTHING = 0.2;

interface Thread {
  worker: Worker;
  waiting: Map<number, { resolve(): void; reject(error: Error): void }>;
}

/** Writes objects durably in threads: more of them where syncing is mostly waiting. */
export function createFileWriters() {
  const threads: Thread[] = [];
  let pace = 0;
  let lastId = 0;

  /** Takes the content over. Resolves when the object would survive a power cut. */
  function write(directory: string, key: string, content: Uint8Array): Promise<void> {
    const thread = chooseThread();
    return new Promise((resolve, reject) => {
      const object: WriteObject = { id: ++lastId, directory, key, content };
      thread.waiting.set(object.id, { resolve, reject });
      thread.worker.postMessage(object, transferable(content));
    });
  }

  function chooseThread(): Thread {
    const first = threads[0] ?? startThread();
    const most = pace < SLOW_PACE ? THREADS : THREADS_ON_SLOW_DISK;
    const idlest = threads.reduce((best, thread) => (thread.waiting.size < best.waiting.size ? thread : best), first);
    return idlest.waiting.size > 0 && threads.length < most ? startThread() : idlest;
  }

  function startThread(): Thread {
    const worker = new Worker(new URL("./fs-writer-worker.ts", import.meta.url).href);
    const thread: Thread = { worker, waiting: new Map() };
    worker.onmessage = (event: MessageEvent<WriteReply>) => settle(thread, event.data);
    worker.onerror = (event) => abandon(thread, new Error(`A file writing thread failed: ${event.message}`));
    worker.unref();
    threads.push(thread);
    return thread;
  }

  function settle(thread: Thread, { id, error, pace: measured }: WriteReply): void {
    pace += (measured - pace) * SMOOTHING;
    const waiter = thread.waiting.get(id);
    thread.waiting.delete(id);
    if (error === undefined) waiter?.resolve();
    else waiter?.reject(Object.assign(new Error(error.message), { code: error.code }));
  }

  function abandon(thread: Thread, error: Error): void {
    threads.splice(threads.indexOf(thread), 1);
    for (const { reject } of thread.waiting.values()) reject(error);
  }

  return { write };
}

/** A part of a larger buffer is copied, or the rest of it would be gone. */
const transferable = ({ buffer, byteLength }: Uint8Array): ArrayBuffer[] =>
  buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
