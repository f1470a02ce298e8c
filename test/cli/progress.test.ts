import { expect, test } from "bun:test";
import { createProgress, createTransferProgress } from "../../src/cli/progress.ts";

function open(isTerminal: boolean) {
  const written = { drawn: [] as string[], notes: [] as string[], time: 0 };
  const output = {
    isTerminal,
    draw: (text: string) => void written.drawn.push(text),
    note: (line: string) => void written.notes.push(line),
  };
  return { written, output, progress: createProgress(output, () => written.time) };
}

const ERASE_LINE = "\r\u001b[2K";

test("a terminal has a bar, which is erased at the end", () => {
  const { written, progress } = open(true);
  progress.show("Copying", 0.5, "2 objects");
  progress.show("Copying", 0.5, "2 objects");
  progress.show("Copying", 1, "4 objects");
  progress.end();
  expect(written.drawn).toEqual([
    `\rCopying ${"█".repeat(12)}${"░".repeat(12)}  50 % 2 objects\u001b[K`,
    `\rCopying ${"█".repeat(24)} 100 % 4 objects\u001b[K`,
    ERASE_LINE,
  ]);
  expect(written.notes).toEqual([]);
});

test("a note replaces the bar, which returns below it", () => {
  const { written, progress } = open(true);
  progress.show("Copying", 0.5, "2 objects");
  progress.note("Something is damaged.");
  progress.show("Copying", 0.5, "2 objects");
  expect(written.notes).toEqual(["Something is damaged."]);
  expect(written.drawn[1]).toBe(ERASE_LINE);
  expect(written.drawn[2]).toBe(written.drawn[0] ?? "none");
});

test("without a terminal, it prints a line every two seconds", () => {
  const { written, progress } = open(false);
  for (written.time = 0; written.time <= 5_000; written.time += 500) {
    progress.show("Copying", written.time / 5_000, "some");
  }
  progress.end();
  expect(written).toMatchObject({ drawn: [], notes: ["Copying: 40 %, some", "Copying: 80 %, some"] });
});

test("a transfer shows its bytes on a terminal, and prints nothing elsewhere", () => {
  const drawnOn = (isTerminal: boolean) => {
    const { written, output } = open(isTerminal);
    const progress = createTransferProgress(output, "Downloading", 2048);
    progress.add(512);
    progress.add(512);
    progress.show(2048);
    progress.end();
    return written;
  };
  const bars = drawnOn(true).drawn.map((text) => /\d+ % of [\d.]+ \w+/.exec(text)?.[0]);
  expect(bars).toEqual(["25 % of 2 KB", "50 % of 2 KB", "100 % of 2 KB", undefined]);
  expect(drawnOn(false)).toMatchObject({ drawn: [], notes: [] });
});
