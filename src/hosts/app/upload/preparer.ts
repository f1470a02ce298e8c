import { Failure } from "../../../domain/failure.ts";
import type { PreparedUpload } from "../../../domain/publish.ts";
import { readUpload, type UploadBody } from "./prepare.ts";
import type { PrepareReply } from "./prepare-worker.ts";

/** Bodies up to this many bytes are decoded on the event loop: usual ones hold it for less than a millisecond. */
const INLINE_BYTES = 64 * 1024;
/** Bytes decoded in one turn of the event loop, so that many uploads at once do not hold it together. */
const TURN_BYTES = 512 * 1024;
/** An idle thread gives its memory back after this many milliseconds. */
const IDLE_TIME = 5_000;

/** Decodes and checks uploads: small ones at once, large ones one after the other in a thread of their own. */
export function createUploadPreparer() {
  let worker: Worker | undefined;
  let idle: ReturnType<typeof setTimeout> | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  let decodedInTurn = 0;

  /** Throws `Invalid` or `TooLarge`. */
  async function prepare(body: UploadBody): Promise<PreparedUpload> {
    if (body.bytes.length <= INLINE_BYTES) {
      await roomInTurn(body.bytes.length);
      return readUpload(body);
    }
    const mine = turn.then(() => prepareInThread(body));
    turn = mine.catch(() => undefined);
    return mine;
  }

  async function roomInTurn(bytes: number): Promise<void> {
    while (decodedInTurn >= TURN_BYTES) await nextTurn();
    if (decodedInTurn === 0)
      nextTurn().then(() => {
        decodedInTurn = 0;
      });
    decodedInTurn += bytes;
  }

  async function prepareInThread(body: UploadBody): Promise<PreparedUpload> {
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

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

function ask(worker: Worker, body: UploadBody): Promise<PrepareReply> {
  return new Promise((resolve, reject) => {
    worker.onmessage = (event: MessageEvent<PrepareReply>) => resolve(event.data);
    worker.onerror = (event) => reject(new Error(`The upload thread failed: ${event.message}`));
    worker.postMessage(body, [body.bytes.buffer as ArrayBuffer]);
  });
}
