import { Option } from "commander";
import { CommandError, EXIT_CODES, type Output } from "./output.ts";
import { counted, inUnits, shortTime } from "./text.ts";

export const planOption = () =>
  new Option("--plan <plan>", "plan of the workspace (default: VITRINE_DEFAULT_PLAN, or pro)").choices(["free", "pro"]);

export const JSON_OPTION = ["--json", "print the result as JSON"] as const;
export const YES_OPTION = ["-y, --yes", "do not ask for confirmation"] as const;

/** Prints a result as JSON, with names and times as in the API. */
export const printJson = (output: Output, result: object): void => output.out(JSON.stringify(toJson(result)));

function toJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => {
      const name = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      return [name, isTime(name, entry) ? new Date(entry).toISOString() : toJson(entry)];
    }),
  );
}

const isTime = (name: string, value: unknown): value is number =>
  typeof value === "number" && (name.endsWith("_at") || name === "since");

/** Returns a time for a table: short on a terminal, exact elsewhere. */
export function timeCell(output: Output, time: number | null, absent = "never"): string {
  if (time === null) return absent;
  const text = new Date(time).toISOString();
  return output.isOutTerminal ? shortTime(text) : text;
}

/** Returns a size for a table: with a unit on a terminal, in bytes elsewhere. */
export const sizeCell = (output: Output, bytes: number): string =>
  output.isOutTerminal ? inUnits(bytes) : String(bytes);

/** Describes what a workspace contains, such as `3 reports (12 KB)`. */
export const describeContents = ({ reports, storedBytes }: { reports: number; storedBytes: number }): string =>
  `${counted(reports, "report")} (${inUnits(storedBytes)})`;

/** Asks for confirmation on a terminal. Elsewhere throws `CommandError` unless it was given with `--yes`. */
export async function confirm(action: string, { yes = false }: { yes?: boolean | undefined }): Promise<void> {
  if (yes) return;
  if (process.stdin.isTTY !== true) {
    throw new CommandError(`This can't be undone. Pass --yes to ${action}.`, EXIT_CODES.usage);
  }
  const prompts = await import("@clack/prompts");
  const message = `${action.charAt(0).toUpperCase()}${action.slice(1)}? This can't be undone.`;
  const answer = await prompts.confirm({ message, initialValue: false });
  if (prompts.isCancel(answer) || !answer) throw new CommandError("Cancelled. Nothing was changed.");
}
