import type { Output } from "./output.ts";

const CONTROLS = /[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu;

/** Returns text on one line, without characters that control a terminal. */
export const plain = (text: string): string => text.replace(CONTROLS, " ");

/** Returns a message with line breaks at spaces, so that a terminal breaks no words. Elsewhere it stays on one line. */
export function wrapped(output: Output, text: string): string {
  if (!output.isTerminal) return text;
  const width = output.width();
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1) ?? ""} ${word}`;
    if (lines.length > 0 && Bun.stringWidth(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.join("\n");
}

type Color = "bold" | "red" | "green" | "cyan";
const STARTS: Readonly<Record<Color, string>> = {
  bold: "\u001b[1m",
  red: "\u001b[31m",
  green: "\u001b[32m",
  cyan: "\u001b[36m",
};

/** Returns text in a color if stdout is a terminal with colors. */
export const colored = (output: Output, color: Color, text: string): string =>
  output.isOutTerminal && output.usesColor ? `${STARTS[color]}${text}\u001b[0m` : text;

export const bold = (output: Output, text: string): string => colored(output, "bold", text);

/** Returns a count with its noun, such as `1 file` and `2 files`. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** Returns a size such as `1.4 MB`. */
export function inUnits(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 ** 2) return `${(bytes / 1024).toFixed(0)} KB`;
  if (bytes < 1024 ** 3) return `${(bytes / 1024 ** 2).toFixed(1)} MB`;
  return `${(bytes / 1024 ** 3).toFixed(1)} GB`;
}

/** Returns a time for display, in the local time zone. */
export function shortTime(instant: string): string {
  const date = new Date(instant);
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
