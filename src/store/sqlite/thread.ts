import { unavailable } from "../../domain/failure.ts";
import { receiveError, type ThreadMessage } from "./messages.ts";

interface Waiting {
  resolve(output: unknown): void;
  reject(error: Error): void;
}

export interface Thread {
  /** What the operation of this name answers in the thread. */
  ask(name: string, input: unknown): Promise<unknown>;
  close(): Promise<void>;
}

/** Has a worker open a database; resolves when it is ready for work, which is done in the order in which it is asked. */
export async function startThread(worker: Worker, path: string): Promise<Thread> {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  const opened = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();

  /** Why nothing can be done any more. */
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

  worker.onmessage = (event: MessageEvent<ThreadMessage | { type: "closed" }>) => {
    const message = event.data;
    if (message.type === "done") settle(message.id, (waiter) => waiter.resolve(message.output));
    else if (message.type === "failed") settle(message.id, (waiter) => waiter.reject(receiveError(message.error)));
    else if (message.type === "ready") opened.resolve();
    else if (message.type === "closed") closed.resolve();
    else failAll(receiveError(message.error));
  };
  worker.onerror = (event) => failAll(new Error(`A thread of the database failed: ${event.message}`));
  worker.postMessage({ path });
  try {
    await opened.promise;
  } catch (error) {
    worker.terminate();
    throw error;
  }

  function ask(name: string, input: unknown): Promise<unknown> {
    if (broken !== undefined) return Promise.reject(unavailable("The database cannot be used.", { cause: broken }));
    return new Promise((resolve, reject) => {
      const id = ++lastId;
      waiting.set(id, { resolve, reject });
      worker.postMessage({ id, name, input });
    });
  }

  async function close(): Promise<void> {
    if (broken === undefined) worker.postMessage("close");
    await closed.promise;
    worker.terminate();
  }

  return { ask, close };
}
