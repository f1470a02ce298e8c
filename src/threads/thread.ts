import { unavailable } from "../domain/model/failure.ts";
import { createPendingCalls } from "./pending-calls.ts";
import { type FromThread, receiveError } from "./protocol.ts";
import type { Handlers, Transferred } from "./serve-calls.ts";

type InputOf<Handler> = Handler extends (input: infer Input) => unknown ? Input : never;
type Sent<Output> = Output extends Transferred<infer Inner> ? Inner : Output;
type OutputOf<Handler> = Handler extends (input: never) => infer Output ? Sent<Awaited<Output>> : never;

/** A worker thread that is started when it is needed, and again when it has died. */
export interface Thread<Calls extends Handlers> {
  /** Starts the thread. Rejects with the reason if it can't be opened; then the thread is closed. */
  open(): Promise<void>;
  /**
   * Calls a handler in the thread. Rejects as the handler does, and as `Unavailable` if the thread dies or doesn't answer
   * in time. In that case it is unknown whether the call took effect.
   */
  call<Name extends keyof Calls & string>(
    name: Name,
    input: InputOf<Calls[Name]>,
    transfer?: readonly ArrayBuffer[],
  ): Promise<OutputOf<Calls[Name]>>;
  /** Returns the number of calls that have no answer yet. */
  waiting(): number;
  isRunning(): boolean;
  /** Stops an idle thread and frees its memory. The next call starts it again. */
  rest(): void;
  /** Resolves when the thread has done the calls it was given and has closed what it opened. */
  close(): Promise<void>;
  /** Stops the thread at once, whatever it is doing. */
  stop(): void;
}

export interface ThreadOptions {
  /** Unique, such as "database writer": for the log and for readiness. */
  name: string;
  /** The worker script. `scripts/build.ts` wants it written as `new URL("./x-worker.ts", import.meta.url)`. */
  script: URL;
  /** What the thread opens before it answers calls. */
  opening?: unknown;
  /** Milliseconds that a call may take. A thread that answers nothing for that long is stuck and gets replaced. */
  deadline: number;
}

/** Receives the changes of a thread's state. */
export interface Supervisor {
  /** Notes that the thread has died, and returns the milliseconds after which it may be started again. */
  died(error: unknown): number;
  /** Notes that the thread is dead or starting again, or that it works: then `problem` is undefined. */
  changed(problem: string | undefined): void;
  closed(): void;
}

/** Ticks in a deadline. A process that was suspended misses only one tick, however long the suspension was. */
const TICKS = 8;

type Phase = "idle" | "starting" | "running" | "dead" | "closed";

/** Returns a thread that starts when it is needed and reports its deaths to the supervisor. */
export function superviseThread<Calls extends Handlers>(options: ThreadOptions, supervisor: Supervisor): Thread<Calls> {
  const { name, script, opening, deadline } = options;
  const calls = createPendingCalls();
  const closing = Promise.withResolvers<void>();
  let phase: Phase = "idle";
  let worker: Worker | undefined;
  /** The first start, while `open` waits for it. */
  let opened: PromiseWithResolvers<void> | undefined;
  let restarting: ReturnType<typeof setTimeout> | undefined;
  let ticking: ReturnType<typeof setInterval> | undefined;
  let isRestart = false;
  /** Ticks since the thread was given work or answered. */
  let silence = 0;

  function start(): Worker {
    phase = "starting";
    const started = new Worker(script.href);
    worker = started;
    started.onmessage = (event: MessageEvent<FromThread>) => {
      if (worker === started) receive(event.data);
    };
    started.onerror = (event) => die(started, uncaughtIn(name, event));
    started.onmessageerror = () => die(started, new Error(`The ${name} sent a message that can't be read.`));
    started.addEventListener("close", () => die(started, new Error(`The ${name} ended.`)));
    started.postMessage({ type: "open", input: opening });
    hold();
    watch();
    return started;
  }

  /** Keeps the process alive only while a call waits for the thread. */
  function hold(): void {
    if (calls.count() > 0 || opened !== undefined || phase === "closed") worker?.ref();
    else worker?.unref();
  }

  function receive(message: FromThread): void {
    silence = 0;
    if (message.type === "done") calls.resolve(message.id, message.output);
    else if (message.type === "failed") calls.reject(message.id, receiveError(message.error));
    else if (message.type === "ready") becomeReady();
    else if (message.type === "unusable") beUnusable(receiveError(message.error));
    else end();
    if (calls.count() === 0) hold();
  }

  function becomeReady(): void {
    if (phase === "starting") phase = "running";
    isRestart = false;
    supervisor.changed(undefined);
    opened?.resolve();
    opened = undefined;
  }

  function beUnusable(error: Error): void {
    if (opened === undefined) {
      if (worker !== undefined) die(worker, error);
    } else {
      opened.reject(error);
      opened = undefined;
      end();
    }
  }

  function die(which: Worker, error: Error): void {
    // A worker that was stopped on purpose ends too, and one that throws reports it twice.
    if (worker !== which) return;
    discard();
    opened?.reject(error);
    opened = undefined;
    if (phase === "closed") end();
    else bury(error);
  }

  function bury(error: Error): void {
    phase = "dead";
    supervisor.changed(error.message);
    const pause = supervisor.died(error);
    calls.rejectAll(unfinished(error));
    if (pause === 0) restart();
    else restarting = setTimeout(restart, pause).unref();
  }

  function restart(): void {
    restarting = undefined;
    isRestart = true;
    start();
  }

  function discard(): void {
    clearInterval(ticking);
    ticking = undefined;
    const discarded = worker;
    worker = undefined;
    discarded?.terminate();
  }

  function watch(): void {
    silence = 0;
    ticking ??= setInterval(tick, deadline / TICKS).unref();
  }

  function tick(): void {
    // The first start may run migrations, which can take any time.
    if (opened !== undefined) return;
    const isWaitedFor = calls.count() > 0 || isRestart || phase === "closed";
    if (!isWaitedFor) {
      clearInterval(ticking);
      ticking = undefined;
    } else if (++silence > TICKS && worker !== undefined) {
      die(worker, new Error(`The ${name} hasn't answered for ${deadline} ms.`));
    } else {
      calls.grow(TICKS, () => overloaded(name));
    }
  }

  function end(): void {
    phase = "closed";
    clearTimeout(restarting);
    discard();
    calls.rejectAll(unfinished(new Error(`The ${name} is closed.`)));
    supervisor.closed();
    closing.resolve();
  }

  async function open(): Promise<void> {
    if (phase !== "idle") throw new Error(`The ${name} has been started already.`);
    opened = Promise.withResolvers<void>();
    const { promise } = opened;
    start();
    await promise;
  }

  function call(handler: string, input: unknown, transfer: readonly ArrayBuffer[] = []): Promise<unknown> {
    if (phase === "closed") return Promise.reject(unfinished(new Error(`The ${name} is closed.`)));
    if (phase === "dead") return Promise.reject(unfinished(new Error(`The ${name} is about to be started again.`)));
    const target = worker ?? start();
    const answer = calls.add((id) => target.postMessage({ type: "call", id, name: handler, input }, [...transfer]));
    if (calls.count() === 1) {
      hold();
      watch();
    }
    return answer;
  }

  function rest(): void {
    if (calls.count() > 0 || opened !== undefined || worker === undefined || phase === "closed") return;
    discard();
    phase = "idle";
    isRestart = false;
    supervisor.changed(undefined);
  }

  async function close(): Promise<void> {
    if (phase === "closed") return closing.promise;
    phase = "closed";
    if (worker === undefined) return end();
    worker.postMessage({ type: "close" });
    hold();
    watch();
    await closing.promise;
  }

  return {
    open,
    // Only the caller knows the type of the handler's output.
    call: call as Thread<Calls>["call"],
    waiting: calls.count,
    isRunning: () => phase === "running",
    rest,
    close,
    stop: end,
  };
}

const unfinished = (cause: Error) => unavailable("The server couldn't finish this request. Try again.", { cause });

const overloaded = (name: string) =>
  unavailable("The server is overloaded. Try again.", { cause: new Error(`The ${name} took too long.`) });

/** Returns the buffer of an array as something to move to another thread. A part of a larger buffer is copied instead. */
export const transferable = ({ buffer, byteLength }: Uint8Array): ArrayBuffer[] =>
  buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];

/** Returns an error that says in one line what a thread threw, and in its stack where. */
function uncaughtIn(name: string, { message }: ErrorEvent): Error {
  const [, reason = message.split("\n", 1)[0]] = /^error: (.*)$/m.exec(message) ?? [];
  const error = new Error(`The ${name} failed: ${reason}`);
  error.stack = `${error.message}\n${message}`;
  return error;
}
