import type { Blobs } from "../../domain/model/blobs.ts";
import type { Events } from "../../domain/model/events.ts";
import type { FileEntry } from "../../domain/model/files.ts";
import { compressedKey } from "../../domain/model/objects.ts";
import type { ServeStore } from "../../domain/reports/ports.ts";
import type { Log } from "../../observability/log.ts";
import { transferable } from "../../threads/thread.ts";
import type { Threads } from "../../threads/threads.ts";
import { isCompressible } from "../http/media-types.ts";
import type { CompressCalls } from "./compress-worker.ts";
import type { CompressedForm } from "./compressed.ts";

/** Milliseconds without a publish after which compression starts, because publishing has priority. */
const QUIET_TIME = 250;
/** Codes in the queue; those beyond it are compressed when they are read. */
const WAITING_CODES = 10_000;
const SMALLEST_BYTES = 256;
/** Milliseconds for one file: 20 MB in three codings on a slow machine. */
const DEADLINE = 5 * 60_000;

interface Dependencies {
  blobs: Blobs;
  store: ServeStore;
  events: Events;
  log: Log;
  threads: Threads;
}

/** Compresses the text files of published reports in a separate thread, one file at a time. */
export function createCompressor({ blobs, store, events, log, threads }: Dependencies) {
  /** Versions that readers got uncompressed, which come before unread ones. */
  const read = new Set<string>();
  const published = new Set<string>();
  const script = new URL("./compress-worker.ts", import.meta.url);
  const thread = threads.create<CompressCalls>({ name: "compressor", script, deadline: DEADLINE });
  /** Resolves a while after the last publish; undefined if there was none. */
  let quiet: PromiseWithResolvers<void> | undefined;
  let quietTimer: ReturnType<typeof setTimeout> | undefined;
  let busy = false;
  let stopped = false;

  const unsubscribe = events.subscribe((event) => {
    if (event.kind !== "published") return;
    quiet ??= Promise.withResolvers();
    clearTimeout(quietTimer);
    quietTimer = setTimeout(becomeQuiet, QUIET_TIME);
    quietTimer.unref();
    add(published, event.code);
  });

  function becomeQuiet(): void {
    quiet?.resolve();
    quiet = undefined;
  }

  /** Adds a version that a reader got uncompressed to the queue. */
  function enqueue(code: string): void {
    published.delete(code);
    add(read, code);
  }

  function add(queue: Set<string>, code: string): void {
    if (stopped || waiting() >= WAITING_CODES) return;
    queue.add(code);
    work();
  }

  const waiting = () => read.size + published.size;

  async function work(): Promise<void> {
    if (busy) return;
    busy = true;
    for (let code = await nextCode(); code !== undefined; code = await nextCode()) {
      await compress(code).catch((error) =>
        log.error({ message: "A report could not be compressed.", error, fields: { code } }),
      );
    }
    busy = false;
    if (!stopped && waiting() > 0) void work();
    else thread.rest();
  }

  async function nextCode(): Promise<string | undefined> {
    await quiet?.promise;
    if (stopped) return undefined;
    const queue = read.size > 0 ? read : published;
    const [code] = queue;
    if (code !== undefined) queue.delete(code);
    return code;
  }

  async function compress(code: string): Promise<void> {
    const served = await store.findServed(code);
    const all = served === undefined ? [] : [...served.files, ...served.standIns];
    const files = all.filter(({ path, size }) => size >= SMALLEST_BYTES && isCompressible(path));
    if (files.length === 0) return;
    const key = compressedKey(code);
    if (!(await isStored(key))) {
      const object = await compressAll(code, files);
      if (object === undefined) return;
      // Another replica may have been faster, and an object is never replaced.
      if (!(await isStored(key))) await blobs.put(key, object);
    }
    events.publish({ kind: "compressed", code });
  }

  /** Returns an object with all forms; undefined if the version was deleted or the server stops. */
  async function compressAll(code: string, files: readonly FileEntry[]): Promise<Uint8Array | undefined> {
    const forms: CompressedForm[] = [];
    for (const file of files) {
      const content = await blobs.read(code, file.offset, file.size);
      if (content === undefined) return undefined;
      forms.push(...(await thread.call("compress", { content, file }, transferable(content))));
      await quiet?.promise;
      if (stopped) return undefined;
    }
    const buffers = forms.map(({ bytes }) => bytes.buffer);
    return thread.call("join", forms, buffers);
  }

  const isStored = async (key: string) => (await blobs.read(key, 0, 1)) !== undefined;

  function stop(): void {
    stopped = true;
    clearTimeout(quietTimer);
    becomeQuiet();
    unsubscribe();
    // Versions still in the queue are compressed when they are read.
    thread.stop();
  }

  return { enqueue, waiting, stop };
}

export type Compressor = ReturnType<typeof createCompressor>;
