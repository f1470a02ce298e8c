import { expect, test } from "bun:test";
import { resolvePair, writtenPairs } from "./pairs.ts";

test("texts of edited, reordered and rewritten pages are found, and none at a wrong place", () => {
  const outcomes = writtenPairs(7).map(resolvePair);
  const wrong = outcomes.flatMap((outcome) => outcome.wrong);
  const surviving = outcomes.reduce((sum, outcome) => sum + outcome.surviving, 0);
  const found = outcomes.reduce((sum, outcome) => sum + outcome.found, 0);
  expect(wrong).toEqual([]);
  expect(found / surviving).toBeGreaterThanOrEqual(0.9);
});
