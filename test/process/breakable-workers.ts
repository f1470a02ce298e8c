import { fileURLToPath } from "node:url";
import { z } from "zod";
import { until } from "../support/until.ts";

/**
 * Sent to a server that was started with this module as its preload: stop the threads of a kind, with those that
 * start until they may live, or only the next one; then end them or let them continue; or report how many messages they received.
 */
const orderSchema = z.object({
  order: z.enum(["hold", "hold next", "throw", "exit", "live", "terminate", "count"]),
  script: z.string(),
});

export type Order = z.infer<typeof orderSchema>;

declare const self: Worker;

const HELD = 0;
const FATE = 1;
const FATES = { live: 1, throw: 2, exit: 3 } as const;

interface Breakable {
  script: string;
  worker: Worker;
  posted: number;
  /** Two numbers that both threads share: whether it is held, and what happens to it then. */
  shared: Int32Array;
}

/** In a worker: stops on command, then does what the next command says. */
function breakInWorker(): void {
  self.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    if (!(data instanceof Int32Array)) return;
    Atomics.store(data, HELD, 1);
    Atomics.wait(data, FATE, 0);
    const fate = Atomics.load(data, FATE);
    Atomics.store(data, HELD, 0);
    if (fate === FATES.exit) process.exit(9);
    if (fate === FATES.throw) throw new Error("A test broke this thread.");
  });
}

/** In the server: keeps track of its workers, and breaks those that a test names. */
function breakInServer(): void {
  const workers: Breakable[] = [];
  const held = new Set<string>();
  const heldNext = new Set<string>();
  const Original = globalThis.Worker;

  class BreakableWorker extends Original {
    private readonly breakable: Breakable;

    constructor(script: string | URL, options: WorkerOptions = {}) {
      super(script, { ...options, preload: [fileURLToPath(import.meta.url)] });
      const shared = new Int32Array(new SharedArrayBuffer(8));
      const file = String(script).replace(/^.*\//, "");
      this.breakable = { script: file, worker: this, posted: 0, shared };
      workers.push(this.breakable);
      this.addEventListener("close", () => workers.splice(workers.indexOf(this.breakable), 1));
      if (heldNext.delete(file) || held.has(file)) this.postMessage(shared);
    }

    override postMessage(message: unknown, options?: Bun.Transferable[] | Bun.StructuredSerializeOptions): void {
      if (!(message instanceof Int32Array)) this.breakable.posted++;
      if (Array.isArray(options)) super.postMessage(message, options);
      else super.postMessage(message, options);
    }
  }
  globalThis.Worker = BreakableWorker;

  async function obey({ order, script }: Order): Promise<number> {
    const found = () => workers.filter((other) => other.script === script);
    if (order === "hold next") heldNext.add(script);
    if (order === "hold") {
      held.add(script);
      await Promise.all(found().map(hold));
    }
    if (order === "live") held.delete(script);
    if (order === "terminate") found().at(-1)?.worker.terminate();
    if (order === "throw" || order === "exit" || order === "live") {
      for (const one of await untilHeld(found)) release(one, FATES[order]);
    }
    return found().reduce((sum, { posted }) => sum + posted, 0);
  }

  async function hold({ worker, shared }: Breakable): Promise<void> {
    worker.postMessage(shared);
    await until(() => Atomics.load(shared, HELD) === 1);
  }

  const untilHeld = (find: () => readonly Breakable[]): Promise<readonly Breakable[]> =>
    until(() => {
      const stopped = find().filter(({ shared }) => Atomics.load(shared, HELD) === 1);
      return stopped.length > 0 ? stopped : undefined;
    });

  function release({ shared }: Breakable, fate: number): void {
    Atomics.store(shared, FATE, fate);
    Atomics.notify(shared, FATE);
  }

  process.on("message", async (message) => {
    process.send?.({ posted: await obey(orderSchema.parse(message)) });
  });
}

if (Bun.isMainThread) breakInServer();
else breakInWorker();
