/** Where commands write: results to `out` (stdout), messages for people to `note` (stderr). */
export interface Output {
  out(line: string): void;
  note(line: string): void;
  /** Writes bytes to stdout. Resolves when there is room for more. */
  write(bytes: Uint8Array): Promise<void>;
  /** Whether stderr is a terminal. */
  readonly isTerminal: boolean;
  /** Whether stdout is a terminal. */
  readonly isOutTerminal: boolean;
  readonly usesColor: boolean;
  /** Returns the width of the terminal in characters. */
  width(): number;
  /** Writes to stderr without a line break. */
  draw(text: string): void;
  /** Opens the streams ahead of the first write. Call it while waiting for something else. */
  prepare(): void;
  /** Resolves when everything written has left this process. */
  flush(): Promise<void>;
}

const DEFAULT_WIDTH = 80;

interface TerminalOptions {
  usesColor: boolean;
  /** Called when the reader of the output has gone, as `head` does. That is not a failure. */
  end(): void;
}

/** Returns an output on the streams of this process, which take 5 ms to open and are opened on first use. */
export function createTerminalOutput({ usesColor, end }: TerminalOptions): Output {
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
    get isTerminal() {
      return error().isTTY === true;
    },
    get isOutTerminal() {
      return out().isTTY === true;
    },
    usesColor,
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

/** Returns an output that prints only results. */
export const quieted = (output: Output): Output => ({
  ...output,
  note: () => undefined,
  draw: () => undefined,
  isTerminal: false,
});

/** The exit codes of commands, as in `vitrine help exit-codes`. 75 is EX_TEMPFAIL of sysexits.h. */
export const EXIT_CODES = { failed: 1, usage: 2, notSignedIn: 3, unreachable: 4, tryLater: 75 } as const;
type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES];

/** A failure whose message is printed without a stack trace. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = EXIT_CODES.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}
