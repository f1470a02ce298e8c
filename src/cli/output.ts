/** Where commands write: what a script needs to `out`, everything for a person to `note`. */
export interface Output {
  out(line: string): void;
  note(line: string): void;
  /** Whether a person is looking at what `note` writes. */
  readonly isTerminal: boolean;
}

export const terminalOutput: Output = {
  out: (line) => process.stdout.write(`${line}\n`),
  note: (line) => process.stderr.write(`${line}\n`),
  get isTerminal() {
    return process.stderr.isTTY === true;
  },
};

/** A message for whoever typed the command, without a stack. Exit codes: 1 it failed, 2 it was typed wrongly. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}
