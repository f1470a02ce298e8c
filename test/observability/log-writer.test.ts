import { expect, test } from "bun:test";
import { createLogWriter } from "../../src/observability/log-writer.ts";

function openWriter() {
  const written: string[] = [];
  const turns: (() => void)[] = [];
  const dropped: number[] = [];
  const stream = {
    isFree: true,
    drained: [] as (() => void)[],
    write(text: string) {
      written.push(text);
      return stream.isFree;
    },
    once: (_: "drain", listener: () => void) => stream.drained.push(listener),
  };
  const writer = createLogWriter({
    stream,
    later: (work) => turns.push(work),
    dropped: (lines) => dropped.push(lines),
  });
  const endTurn = () => {
    for (const work of turns.splice(0)) work();
  };
  return { writer, stream, written, dropped, endTurn };
}

test("lines of one turn are written at once, in order", () => {
  const { writer, written, endTurn } = openWriter();
  writer.write("one\n", "info");
  writer.write("two\n", "debug");
  expect(written).toEqual([]);
  endTurn();
  expect(written).toEqual(["one\ntwo\n"]);
  endTurn();
  expect(written).toHaveLength(1);
});

test.each(["warn", "error"] as const)("a line at %s is written at once, after those before it", (level) => {
  const { writer, written, endTurn } = openWriter();
  writer.write("one\n", "info");
  writer.write("two\n", level);
  expect(written).toEqual(["one\ntwo\n"]);
  writer.write("three\n", "info");
  endTurn();
  expect(written.join("")).toBe("one\ntwo\nthree\n");
});

test("while the reader doesn't keep up, lines below warn are dropped and counted", () => {
  const { writer, stream, written, dropped, endTurn } = openWriter();
  stream.isFree = false;
  writer.write("one\n", "info");
  endTurn();
  writer.write("lost\n", "info");
  writer.write("lost\n", "debug");
  writer.write("problem\n", "error");
  endTurn();
  expect(written).toEqual(["one\n", "problem\n"]);
  expect(stream.drained).toHaveLength(1);
  stream.isFree = true;
  stream.drained[0]?.();
  expect(dropped).toEqual([2]);
  writer.write("two\n", "info");
  endTurn();
  expect(written.at(-1)).toBe("two\n");
});

test("what is pending is written when the process exits", () => {
  const { writer, written } = openWriter();
  writer.write("last\n", "info");
  writer.flush();
  expect(written).toEqual(["last\n"]);
});
