import { describe, expect, test } from "bun:test";
import { createBucket } from "../../../src/look/frame/client/bucket.ts";
import { readMessage } from "../../../src/look/frame/client/messages.ts";
import {
  addFinding,
  type FrameFindings,
  NO_FINDINGS,
  problemOf,
} from "../../../src/portal/shared/frame-probe/findings.ts";

const pixels = (width: number, height: number, bytes = width * height * 4) => ({
  width,
  height,
  data: new ArrayBuffer(bytes),
});

describe("a message of a framed page", () => {
  const scroll = { kind: "scroll", left: 0, top: 10.5, width: 1280, height: 4000 };
  test.each([
    [{ kind: "error", text: "Uncaught Error: no" }],
    [{ kind: "denied", area: "cookie" }],
    [{ kind: "missing", path: "data.json" }],
    [{ kind: "settled", isBlank: true }],
    [scroll],
    [{ kind: "picture", pixels: null }],
    [{ kind: "picture", pixels: pixels(640, 400) }],
  ])("is read: %j", (message) => {
    const read = readMessage({ ...message, more: "x".repeat(1_000) });
    expect(read).toEqual(readMessage(message));
    expect(JSON.stringify(read)).toBe(JSON.stringify(message));
  });

  test.each([
    [undefined],
    [null],
    ["error"],
    [[]],
    [{}],
    [{ kind: "constructor" }],
    [{ kind: "error" }],
    [{ kind: "error", text: { toString: "x" } }],
    [{ kind: "error", text: "x".repeat(301) }],
    [{ kind: "missing", path: "x".repeat(201) }],
    [{ kind: "denied", area: "indexedDB" }],
    [{ kind: "settled", isBlank: "no" }],
    [{ ...scroll, top: Number.NaN }],
    [{ ...scroll, top: "10" }],
    [{ ...scroll, height: Number.POSITIVE_INFINITY }],
    [{ ...scroll, width: 1e9 }],
    [{ kind: "picture" }],
    [{ kind: "picture", pixels: { width: 1, height: 1, data: "AAAA" } }],
    [{ kind: "picture", pixels: pixels(640, 400, 4) }],
    [{ kind: "picture", pixels: pixels(1281, 1) }],
    [{ kind: "picture", pixels: pixels(0, 1) }],
    [{ kind: "picture", pixels: pixels(1.5, 2) }],
  ])("is refused: %j", (message) => {
    expect(readMessage(message)).toBeUndefined();
  });

  test("is shown on one line, in one direction", () => {
    const text = "one\ntwo\u0000three\u202Efour\u2066five";
    expect(readMessage({ kind: "error", text })).toEqual({ kind: "error", text: "one two three four five" });
  });
});

describe("findings", () => {
  const gathered = (...messages: object[]) =>
    messages.reduce<FrameFindings>((findings, message) => {
      const read = readMessage(message);
      return read === undefined ? findings : addFinding(findings, read);
    }, NO_FINDINGS);
  const error = (text: string) => ({ kind: "error", text });
  const blank = { kind: "settled", isBlank: true };
  const shown = { kind: "settled", isBlank: false };
  const denied = { kind: "denied", area: "localStorage" };
  const missing = { kind: "missing", path: "app.js" };

  test("stay few, whatever a page sends", () => {
    const flood = Array.from({ length: 1_000 }, (_, n) => [error(`${n}`), { kind: "missing", path: `${n}` }, denied]);
    const { errors, missing: files, deniedStorage } = gathered(...flood.flat());
    expect([errors.length, files.length, deniedStorage.length]).toEqual([5, 20, 1]);
  });

  test("don't change with what is known", () => {
    const findings = gathered(error("a"), blank, denied, missing);
    for (const message of [error("a"), blank, denied, missing, { kind: "picture", pixels: null }]) {
      const read = readMessage(message);
      expect(read && addFinding(findings, read)).toBe(findings);
    }
  });

  test.each([
    ["nothing yet", [], undefined],
    ["a page that shows something", [shown], undefined],
    ["a page that copes without storage", [denied, shown], undefined],
    ["a page that copes with a missing file", [missing, shown], undefined],
    ["a blank page that wanted storage", [denied, blank], "storage"],
    [
      "a page that fails for want of storage, but shows something",
      [denied, error("Uncaught SecurityError: Failed to read the 'localStorage' property"), shown],
      "storage",
    ],
    ["a page whose script fails without a word", [denied, error("Script error."), shown], "storage"],
    ["another error, although storage was denied", [denied, error("Uncaught TypeError: x"), shown], "error"],
    ["a blank page with an error", [error("Uncaught TypeError: x"), missing, blank], "error"],
    ["a blank page with a missing file", [missing, blank], "missing"],
    ["a blank page", [blank], "blank"],
    ["a blank page that shows something later", [blank, shown], undefined],
  ] as const)("name the problem of %s", (_, messages, problem) => {
    expect(problemOf(gathered(...messages))).toBe(problem);
  });
});

test("a limit allows a burst, and then so many a second", () => {
  let now = 0;
  const take = createBucket(3, 2, () => now);
  expect([take(), take(), take(), take()]).toEqual([true, true, true, false]);
  now += 500;
  expect([take(), take()]).toEqual([true, false]);
  now += 60_000;
  expect([take(), take(), take(), take()]).toEqual([true, true, true, false]);
});
