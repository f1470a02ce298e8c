import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { SLUG_PATTERN } from "../../../src/domain/model/names.ts";
import { slugCandidate } from "../../../src/domain/people/slug-candidates.ts";

describe("a slug for a new user", () => {
  test.each([
    ["ada", "ada"],
    ["Ada.Lovelace@example.org", "ada-lovelace"],
    ["ada+reports@example.org", "ada-reports"],
    ["Élodie Müller", "elodie-muller"],
    ["--ada__", "ada"],
    ["李雷", "user"],
    ["", "user"],
    ["@example.org", "user"],
    ["x".repeat(60), "x".repeat(39)],
    [`${"x".repeat(38)}.y`, "x".repeat(38)],
  ])("%p becomes %p", (name, slug) => {
    expect(slugCandidate(name, 0, "chance")).toBe(slug);
  });

  test("gets a different ending at each attempt", () => {
    const attempts = [0, 1, 2, 8, 9, 15].map((attempt) => slugCandidate("ada", attempt, `abc${attempt}`));
    expect(attempts).toEqual(["ada", "ada-2", "ada-3", "ada-9", "ada-abc9", "ada-abc15"]);
  });

  test("is a valid slug, whatever the name", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 80 }), fc.nat(15), (name, attempt) => {
        expect(slugCandidate(name, attempt, "abc123")).toMatch(SLUG_PATTERN);
      }),
      { numRuns: 2_000 },
    );
  });
});
