import type { Events } from "../../domain/event-ports.ts";
import type { FileEntry } from "../../domain/files.ts";
import { compressedKey } from "../../domain/objects.ts";
import type { Blobs, ServeStore } from "../../domain/ports.ts";
import type { Log } from "../failures.ts";
import { isCompressible } from "../media-types.ts";
import type { CompressRequest } from "./compress-worker.ts";

/** Publishing comes first: compression starts when nothing has been published for this many milliseconds. */
const QUIET_TIME = 250;
/** Codes that wait; what is dropped is compressed when somebody reads it. */
const WAITING_CODES = 10_000;
const SMALLEST_BYTES = 256;

interface Parts {
  blobs: Blobs;
  store: ServeStore;
  events: Events;
  log: Log;
}

/** Compresses the text of published reports once, one after the other, in a thread of its own. */
export function createCompressor({ blobs, store, events, log }: Parts) {
  const waiting = new Set<string>();
  let worker: Worker | undefined;
  /** Runs while something has been published lately. */
  let quietTimer: ReturnType<typeof setTimeout> | undefined;
  let busy = false;
  let stopped = false;

  const unsubscribe = events.subscribe((event) => {
    if (event.kind !== "published") return;
    clearTimeout(quietTimer);
    quietTimer = setTimeout(quieten, QUIET_TIME);
    quietTimer.unref();
    enqueue(event.code);
  });

  /** Has a version compressed when there is time. */
  function enqueue(code: string): void {
    if (stopped || waiting.size >= WAITING_CODES) return;
    waiting.add(code);
    work();
  }

  function quieten(): void {
    quietTimer = undefined;
    work();
  }

  async function work(): Promise<void> {
    if (busy) return;
    busy = true;
    for (let code = nextCode(); code !== undefined; code = nextCode()) {
      waiting.delete(code);
      await compress(code).catch((error) =>
        log.error({ message: `The report ${code} could not be compressed.`, requestId: "", error }),
      );
    }
    busy = false;
    if (waiting.size === 0) rest();
  }

  function nextCode(): string | undefined {
    if (stopped || quietTimer !== undefined) return undefined;
    const [code] = waiting;
    return code;
  }

  async function compress(code: string): Promise<void> {
    const served = await store.findServed(code);
    const all = served === undefined ? [] : [...served.files, ...served.standIns];
    const files = all.filter(({ path, size }) => size >= SMALLEST_BYTES && isCompressible(path));
    if (files.length === 0) return;
    const content = await blobs.readAll(code);
    if (content === undefined) return;
    const compressed = await compressInThread(content, files);
    await blobs.put(compressedKey(code), compressed);
    events.publish({ kind: "compressed", code });
  }

  function compressInThread(content: Uint8Array, files: readonly FileEntry[]): Promise<Uint8Array> {
    worker ??= new Worker(new URL("./compress-worker.ts", import.meta.url).href);
    const thread = worker;
    return new Promise((resolve, reject) => {
      thread.onmessage = (event: MessageEvent<Uint8Array>) => resolve(event.data);
      thread.onerror = (event) => reject(new Error(event.message));
      const request: CompressRequest = { content, files };
      thread.postMessage(request, [content.buffer as ArrayBuffer]);
    });
  }

  function rest(): void {
    worker?.terminate();
    worker = undefined;
  }

  function stop(): void {
    stopped = true;
    clearTimeout(quietTimer);
    unsubscribe();
    rest();
  }

  return { enqueue, stop };
}

export type Compressor = ReturnType<typeof createCompressor>;
