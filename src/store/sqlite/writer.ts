import { unavailable } from "../../domain/failure.ts";
import type { InputOf, OperationName, OutputOf, Write } from "../operations.ts";
import { receiveError, type WriterMessage } from "./messages.ts";

interface Waiting {
  resolve(output: unknown): void;
  reject(error: Error): void;
}

/** Starts the writing thread; resolves when the database is there and at the newest schema. */
export async function startWriter(path: string): Promise<{ write: Write; close(): Promise<void> }> {
  const worker = new Worker(new URL("./writer-worker.ts", import.meta.url).href);
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  const opened = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();

  /** Why no write can be done any more. */
  let broken: Error | undefined;

  function failAll(error: Error): void {
    broken = error;
    opened.reject(error);
    closed.resolve();
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  }

  function settle(id: number, act: (waiter: Waiting) => void): void {
    const waiter = waiting.get(id);
    waiting.delete(id);
    if (waiter) act(waiter);
  }

  worker.onmessage = (event: MessageEvent<WriterMessage | { type: "closed" }>) => {
    const message = event.data;
    if (message.type === "done") settle(message.id, (waiter) => waiter.resolve(message.output));
    else if (message.type === "failed") settle(message.id, (waiter) => waiter.reject(receiveError(message.error)));
    else if (message.type === "ready") opened.resolve();
    else if (message.type === "closed") closed.resolve();
    else failAll(receiveError(message.error));
  };
  worker.onerror = (event) => failAll(new Error(`The database's writing thread failed: ${event.message}`));
  worker.postMessage({ path });
  try {
    await opened.promise;
  } catch (error) {
    worker.terminate();
    throw error;
  }

  function write<Name extends OperationName>(name: Name, input: InputOf<Name>): Promise<OutputOf<Name>> {
    if (broken !== undefined) return Promise.reject(unavailable("The database cannot be written.", { cause: broken }));
    return new Promise((resolve, reject) => {
      const id = ++lastId;
      // What comes back under this id is this operation's output; the thread sends nothing else.
      waiting.set(id, { resolve: (output) => resolve(output as OutputOf<Name>), reject });
      worker.postMessage({ id, name, input });
    });
  }

  async function close(): Promise<void> {
    if (broken === undefined) worker.postMessage("close");
    await closed.promise;
    worker.terminate();
  }

  return { write, close };
}
