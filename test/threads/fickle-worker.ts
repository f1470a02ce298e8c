import { forbidden } from "../../src/domain/model/failure.ts";
import { serveCalls, Transferred } from "../../src/threads/serve-calls.ts";

/** Ways to die. */
export type Death = "throws" | "rejects" | "exits" | "never answers";

export type FickleCalls = {
  echo(input: string): string;
  opening(input: undefined): unknown;
  delay(input: { milliseconds: number; answer: string }): Promise<string>;
  hold(milliseconds: number): number;
  sum(bytes: Uint8Array): number;
  fill(size: number): Transferred<Uint8Array>;
  forbid(message: string): never;
  fail(code: string): never;
  failLater(code: string): Promise<never>;
  unclonable(input: undefined): () => void;
  die(death: Death): Promise<never>;
  warmUp(input: undefined): undefined;
};

interface Opening {
  /** Why the thread can't be opened. */
  broken?: string;
  /** Counts closings. */
  closed?: SharedArrayBuffer;
}

const failWith = (code: string) => Object.assign(new Error(`failed with ${code}`), { code });

/** A thread that fails in every possible way. */
serveCalls<Opening | undefined, FickleCalls>(async (opening) => {
  if (opening?.broken !== undefined) throw failWith(opening.broken);
  return {
    handlers: {
      echo: (input) => input,
      opening: () => opening,
      delay: ({ milliseconds, answer }) => Bun.sleep(milliseconds).then(() => answer),
      hold: (milliseconds) => {
        Bun.sleepSync(milliseconds);
        return milliseconds;
      },
      sum: (bytes) => bytes.reduce((sum, byte) => sum + byte, 0),
      fill: (size) => {
        const bytes = new Uint8Array(size).fill(7);
        return new Transferred<Uint8Array>(bytes, [bytes.buffer]);
      },
      forbid: (message) => {
        throw forbidden(message);
      },
      fail: (code) => {
        throw failWith(code);
      },
      failLater: async (code) => {
        throw failWith(code);
      },
      unclonable: () => () => undefined,
      die,
      warmUp: () => undefined,
    },
    close: () => {
      if (opening?.closed !== undefined) Atomics.add(new Int32Array(opening.closed), 0, 1);
    },
  };
});

function die(death: Death): Promise<never> {
  if (death === "throws") {
    setImmediate(() => {
      throw new Error("thrown in a thread");
    });
  }
  if (death === "rejects") setImmediate(() => Promise.reject(new Error("rejected in a thread")));
  if (death === "exits") process.exit(3);
  for (;;)
    if (death === "never answers") Bun.sleepSync(1_000);
    else return new Promise(() => undefined);
}
