import type { Output } from "./output.ts";

const CONTROLS = /[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu;

/** On one line, and with nothing in it that would steer a terminal. */
export const plain = (text: string): string => text.replace(CONTROLS, " ");

type Colour = "bold" | "red" | "green" | "cyan";
const STARTS: Readonly<Record<Colour, string>> = {
  bold: "\u001b[1m",
  red: "\u001b[31m",
  green: "\u001b[32m",
  cyan: "\u001b[36m",
};

/** In a colour where a person is looking at stdout and wants any. */
export const coloured = (output: Output, colour: Colour, text: string): string =>
  output.isOutTerminal && output.isColourful ? `${STARTS[colour]}${text}\u001b[0m` : text;

export const bold = (output: Output, text: string): string => coloured(output, "bold", text);

/** Such as `1 file` and `2 files`. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** A time as people read it in a list, in their own time zone. */
export function shortTime(instant: string): string {
  const date = new Date(instant);
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
