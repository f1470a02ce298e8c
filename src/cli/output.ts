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
  readonly width: number;
  /** Draws over the last line of the terminal. */
  draw(text: string): void;
  /** Resolves when all that has been written is out of this process. */
  flush(): Promise<void>;
}

const DEFAULT_WIDTH = 80;

export const createTerminalOutput = ({ isColourful }: { isColourful: boolean }): Output => ({
  out: (line) => void process.stdout.write(`${line}\n`),
  note: (line) => void process.stderr.write(`${line}\n`),
  write: (bytes) => new Promise((resolve) => process.stdout.write(bytes, () => resolve())),
  get isTerminal() {
    return process.stderr.isTTY === true;
  },
  get isOutTerminal() {
    return process.stdout.isTTY === true;
  },
  isColourful,
  get width() {
    return process.stdout.columns || process.stderr.columns || DEFAULT_WIDTH;
  },
  draw: (text) => void process.stderr.write(text),
  flush: async () => {
    for (const stream of [process.stdout, process.stderr]) {
      if (stream.writableLength > 0) await new Promise((resolve) => stream.write("", resolve));
    }
  },
});

/** The same without anything that is only pleasant to know. */
export const quieted = (output: Output): Output => ({
  ...output,
  note: () => undefined,
  draw: () => undefined,
  isTerminal: false,
  isOutTerminal: output.isOutTerminal,
  width: output.width,
});

/** Whoever reads what is written has gone, as `head` does; that is no failure. */
export function endWithReader(end: () => void): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE") end();
      else throw error;
    });
  }
}

/** How a command ends; `vitrine help exit-codes` and the README say the same. */
export const EXIT_CODES = { failed: 1, usage: 2, notSignedIn: 3, unreachable: 4 } as const;
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
