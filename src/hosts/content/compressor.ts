import type { Blobs } from "../../domain/model/blobs.ts";
import type { Events } from "../../domain/model/events.ts";
import { compressedKey } from "../../domain/model/objects.ts";
import type { ServeStore } from "../../domain/reports/ports.ts";
import type { Log } from "../../observability/log.ts";
import { transferable } from "../../threads/thread.ts";
import type { Threads } from "../../threads/threads.ts";
import { isCompressible } from "../http/media-types.ts";
import type { CompressCalls } from "./compress-worker.ts";

/** Milliseconds without a publish after which compression starts, because publishing has priority. */
const QUIET_TIME = 250;
/** Codes in the queue; those beyond it are compressed when they are read. */
const WAITING_CODES = 10_000;
const SMALLEST_BYTES = 256;
/** Milliseconds for one report: 20 MB in three codings on a slow machine. */
const DEADLINE = 5 * 60_000;

interface Dependencies {
  blobs: Blobs;
  store: ServeStore;
  events: Events;
  log: Log;
  threads: Threads;
}

/** Compresses the text files of published reports in a separate thread, one report at a time. */
export function createCompressor({ blobs, store, events, log, threads }: Dependencies) {
  const waiting = new Set<string>();
  const script = new URL("./compress-worker.ts", import.meta.url);
  const thread = threads.create<CompressCalls>({ name: "compressor", script, deadline: DEADLINE });
  /** Runs for a while after each publish. */
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

  /** Adds a version to the queue. */
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
        log.error({ message: "A report could not be compressed.", error, fields: { code } }),
      );
    }
    busy = false;
    if (waiting.size === 0) thread.rest();
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
    const compressed = await thread.call("compress", { content, files }, transferable(content));
    await blobs.put(compressedKey(code), compressed);
    events.publish({ kind: "compressed", code });
  }

  function stop(): void {
    stopped = true;
    clearTimeout(quietTimer);
    unsubscribe();
    // Versions still in the queue are compressed when they are read.
    thread.stop();
  }

  return { enqueue, waiting: () => waiting.size, stop };
}

export type Compressor = ReturnType<typeof createCompressor>;
