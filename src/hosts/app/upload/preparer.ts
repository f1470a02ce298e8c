import { Failure } from "../../../domain/failure.ts";
import type { PreparedUpload } from "../../../domain/publish.ts";
import { readUpload } from "./prepare.ts";
import type { PrepareReply } from "./prepare-worker.ts";

/** Bodies up to this many bytes are decoded on the event loop: they hold it for about a millisecond. */
const INLINE_BYTES = 128 * 1024;
/** An idle thread gives its memory back after this many milliseconds. */
const IDLE_TIME = 5_000;

/** Decodes and checks uploads: small ones at once, large ones one after the other in a thread of their own. */
export function createUploadPreparer() {
  let worker: Worker | undefined;
  let idle: ReturnType<typeof setTimeout> | undefined;
  let turn: Promise<unknown> = Promise.resolve();

  /** Throws `Invalid` or `TooLarge`. */
  async function prepare(body: Uint8Array): Promise<PreparedUpload> {
    if (body.length <= INLINE_BYTES) return readUpload(body);
    const mine = turn.then(() => prepareInThread(body));
    turn = mine.catch(() => undefined);
    return mine;
  }

  async function prepareInThread(body: Uint8Array): Promise<PreparedUpload> {
    clearTimeout(idle);
    worker ??= new Worker(new URL("./prepare-worker.ts", import.meta.url).href);
    try {
      const reply = await ask(worker, body);
      if (reply.ok) return { ...reply, findings: () => reply.findings };
      throw reply.kind === undefined ? new Error(reply.message) : new Failure(reply.kind, reply.message);
    } finally {
      idle = setTimeout(stop, IDLE_TIME);
      idle.unref();
    }
  }

  function stop(): void {
    clearTimeout(idle);
    worker?.terminate();
    worker = undefined;
  }

  return { prepare, stop };
}

export type UploadPreparer = ReturnType<typeof createUploadPreparer>;

function ask(worker: Worker, body: Uint8Array): Promise<PrepareReply> {
  return new Promise((resolve, reject) => {
    worker.onmessage = (event: MessageEvent<PrepareReply>) => resolve(event.data);
    worker.onerror = (event) => reject(new Error(`The upload thread failed: ${event.message}`));
    worker.postMessage(body, [body.buffer as ArrayBuffer]);
  });
}
