import { describe, expect, test } from "bun:test";
import { createLog } from "../../src/observability/create-log.ts";

const TIME = "2026-11-22T05:00:00.000Z";

function openLog() {
  const lines: string[] = [];
  const log = createLog({ clock: { now: () => Date.parse(TIME) }, write: (line) => lines.push(line) });
  return { log, lines, events: () => lines.map((line) => JSON.parse(line)) };
}

describe("the JSON log", () => {
  test("writes one line for each event, with its level", () => {
    const { log, lines, events } = openLog();
    log.error({ message: "one\ntwo" });
    log.warn({ message: "three" });
    log.info({ message: "four", fields: { code: "A1", bytes: 7, isLast: true } });
    expect(lines.map((line) => line.split("\n").length)).toEqual([2, 2, 2]);
    expect(events()).toEqual([
      { time: TIME, level: "error", message: "one\ntwo" },
      { time: TIME, level: "warn", message: "three" },
      { time: TIME, level: "info", message: "four", code: "A1", bytes: 7, isLast: true },
    ]);
  });

  test("adds the request's id to the lines of a child alone", () => {
    const { log, events } = openLog();
    log.child({ requestId: "r1" }).error({ message: "failed" });
    log.error({ message: "failed" });
    expect(events()).toEqual([
      { time: TIME, level: "error", message: "failed", requestId: "r1" },
      { time: TIME, level: "error", message: "failed" },
    ]);
  });

  test("writes an error with its stack and its causes", () => {
    const { log, events } = openLog();
    const cause = new Error("the disk is gone");
    log.error({ message: "failed", error: new Error("not stored", { cause }) });
    const [{ detail }] = events();
    expect(detail).toContain("create-log.test.ts");
    expect(detail.indexOf("not stored")).toBeLessThan(detail.indexOf("Caused by: "));
    expect(detail.indexOf("Caused by: ")).toBeLessThan(detail.indexOf("the disk is gone"));
  });

  test("ends with errors that cause themselves", () => {
    const { log, lines } = openLog();
    const error = new Error("around");
    error.cause = error;
    log.error({ message: "failed", error });
    expect(lines).toHaveLength(1);
  });

  test.each([
    ["text", "text", "text"],
    ["undefined", undefined, undefined],
    ["null", null, "null"],
    [
      "the first of several errors",
      new AggregateError([new Error("refused")], "all"),
      expect.stringContaining("refused"),
    ],
  ])("takes whatever was thrown: %s", (_, error, detail) => {
    const { log, events } = openLog();
    log.error({ message: "failed", error });
    expect(events()[0].detail).toEqual(detail);
  });
});
