import { type FromThread, sendError, type ToThread } from "./protocol.ts";

declare const self: Worker;

/** An output whose buffers move to the caller instead of being copied. */
export class Transferred<Output> {
  readonly output: Output;
  readonly buffers: ArrayBuffer[];

  constructor(output: Output, buffers: ArrayBuffer[]) {
    this.output = output;
    this.buffers = buffers;
  }
}

/** The calls that a thread answers, by name. */
export type Handlers = Readonly<Record<string, (input: never) => unknown>>;

export interface Served<Calls extends Handlers> {
  handlers: Calls;
  /** Closes what was opened. Called after all calls are answered. */
  close?(): void | Promise<void>;
}

/**
 * Serves calls in a worker thread. `open` gets what the thread was started with and returns the handlers. An error in a
 * handler is the reply to its call; any other error ends the thread, and its caller starts another one.
 */
export function serveCalls<Opening, Calls extends Handlers>(
  open: (opening: Opening) => Served<Calls> | Promise<Served<Calls>>,
): void {
  let served: Served<Calls> | undefined;
  const early: ToThread[] = [];
  const running = new Set<Promise<void>>();

  self.onmessage = ({ data }: MessageEvent<ToThread>) => {
    // The main thread's types guarantee it.
    if (data.type === "open") start(data.input as Opening);
    else if (served === undefined) early.push(data);
    else take(served, data);
  };

  async function start(input: Opening): Promise<void> {
    try {
      served = await open(input);
      post({ type: "ready" });
      for (const message of early.splice(0)) take(served, message);
    } catch (error) {
      post({ type: "unusable", error: sendError(error) });
    }
  }

  function take({ handlers, close }: Served<Calls>, message: ToThread): void {
    if (message.type === "close") finish(close);
    if (message.type !== "call") return;
    const answering = answer(handlers, message);
    if (answering === undefined) return;
    running.add(answering);
    answering.then(() => running.delete(answering));
  }

  async function finish(close: Served<Calls>["close"]): Promise<void> {
    await Promise.all(running);
    await close?.();
    post({ type: "closed" });
  }
}

/** Answers a call, and returns a promise if the handler is asynchronous. */
function answer(handlers: Handlers, { id, name, input }: Extract<ToThread, { type: "call" }>) {
  const fail = (error: unknown) => post({ type: "failed", id, error: sendError(error) });
  const reply = (result: unknown) => {
    try {
      if (result instanceof Transferred) post({ type: "done", id, output: result.output }, result.buffers);
      else post({ type: "done", id, output: result });
    } catch (error) {
      // The output can't be posted to another thread.
      fail(error);
    }
  };
  try {
    const handler = handlers[name];
    if (handler === undefined) throw new Error(`This thread has no handler named "${name}".`);
    // The caller's types guarantee that input and handler match.
    const result = handler(input as never);
    if (result instanceof Promise) return result.then(reply, fail);
    reply(result);
  } catch (error) {
    fail(error);
  }
  return undefined;
}

function post(message: FromThread, transfer: ArrayBuffer[] = []): void {
  self.postMessage(message, transfer);
}
