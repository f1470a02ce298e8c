import { isatty } from "node:tty";

/** Where commands write: what a script needs to `out`, everything for a person to `note`. */
export interface Output {
  out(line: string): void;
  note(line: string): void;
  /** Bytes as they are, once there is room for them. */
  write(bytes: Uint8Array): Promise<void>;
  /** Whether a person is looking at what `note` writes. */
  readonly isTerminal: boolean;
  /** Whether a person is looking at what `out` writes. */
  readonly isOutTerminal: boolean;
  readonly isColourful: boolean;
  /** Characters in a line of the terminal. */
  width(): number;
  /** Draws over the last line of the terminal. */
  draw(text: string): void;
  /** Makes ready what is needed to write, for whoever has to wait anyway; else the first who writes takes the time. */
  prepare(): void;
  /** Resolves when all that has been written is out of this process. */
  flush(): Promise<void>;
}

const DEFAULT_WIDTH = 80;

interface TerminalParts {
  isColourful: boolean;
  /** Whoever reads what is written has gone, as `head` does; that is no failure. */
  end(): void;
}

/** The streams of this process, which take 5 ms to make and are not made before they are wanted. */
export function createTerminalOutput({ isColourful, end }: TerminalParts): Output {
  let streams: readonly [out: NodeJS.WriteStream, error: NodeJS.WriteStream] | undefined;

  function open() {
    if (streams !== undefined) return streams;
    streams = [process.stdout, process.stderr];
    for (const stream of streams) {
      stream.on("error", (error: NodeJS.ErrnoException) => {
        if (error.code === "EPIPE") end();
        else throw error;
      });
    }
    return streams;
  }

  const out = () => open()[0];
  const error = () => open()[1];
  return {
    out: (line) => void out().write(`${line}\n`),
    note: (line) => void error().write(`${line}\n`),
    write: (bytes) => new Promise((resolve) => out().write(bytes, () => resolve())),
    isTerminal: isatty(2),
    isOutTerminal: isatty(1),
    isColourful,
    width: () => out().columns || error().columns || DEFAULT_WIDTH,
    draw: (text) => void error().write(text),
    prepare: () => void open(),
    flush: async () => {
      for (const stream of streams ?? []) {
        if (stream.writableLength > 0) await new Promise((resolve) => stream.write("", resolve));
      }
    },
  };
}

/** The same without anything that is only pleasant to know. */
export const quieted = (output: Output): Output => ({
  ...output,
  note: () => undefined,
  draw: () => undefined,
  isTerminal: false,
});

/** How a command ends; `vitrine help exit-codes` and the README say the same. 75 is EX_TEMPFAIL of sysexits.h. */
export const EXIT_CODES = { failed: 1, usage: 2, notSignedIn: 3, unreachable: 4, tryLater: 75 } as const;
type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES];

/** A message for whoever typed the command, without a stack. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = EXIT_CODES.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}
