import { expect, test } from "bun:test";
import { createProgress } from "../../src/cli/progress.ts";

function open(isTerminal: boolean) {
  const written = { drawn: [] as string[], notes: [] as string[], time: 0 };
  const output = {
    isTerminal,
    draw: (text: string) => void written.drawn.push(text),
    note: (line: string) => void written.notes.push(line),
  };
  return { written, progress: createProgress(output, () => written.time) };
}

const CLEAR = "\r\u001b[2K";

test("a terminal has a bar, which is gone at the end", () => {
  const { written, progress } = open(true);
  progress.show("Copying", 0.5, "2 objects");
  progress.show("Copying", 0.5, "2 objects");
  progress.show("Copying", 1, "4 objects");
  progress.end();
  expect(written.drawn).toEqual([
    `${CLEAR}Copying ${"█".repeat(12)}${"░".repeat(12)}  50 % 2 objects`,
    `${CLEAR}Copying ${"█".repeat(24)} 100 % 4 objects`,
    CLEAR,
  ]);
  expect(written.notes).toEqual([]);
});

test("a sentence stands in the place of the bar, which comes back below it", () => {
  const { written, progress } = open(true);
  progress.show("Copying", 0.5, "2 objects");
  progress.note("Something is damaged.");
  progress.show("Copying", 0.5, "2 objects");
  expect(written.notes).toEqual(["Something is damaged."]);
  expect(written.drawn[1]).toBe(CLEAR);
  expect(written.drawn[2]).toBe(written.drawn[0] ?? "none");
});

test("elsewhere there is a line now and then", () => {
  const { written, progress } = open(false);
  for (written.time = 0; written.time <= 5_000; written.time += 500) {
    progress.show("Copying", written.time / 5_000, "some");
  }
  progress.end();
  expect(written).toMatchObject({ drawn: [], notes: ["Copying: 40 %, some", "Copying: 80 %, some"] });
});
