import { expect, test } from "bun:test";
import { SLUG_PATTERN } from "../../src/client/definitions.ts";
import { suggestSlug } from "../../src/portal/shared/slug.ts";

test.each([
  ["Analytics", "analytics"],
  ["  Sales & Marketing, Ltd. ", "sales-marketing-ltd"],
  ["Überlinger Straße", "uberlinger-strasse"],
  ["Équipe №1", "equipe-no1"],
  ["x".repeat(60), "x".repeat(39)],
  [`${"x".repeat(38)} y`, "x".repeat(38)],
  ["---", ""],
  ["数据", ""],
])("%p suggests %p", (name, slug) => {
  expect(suggestSlug(name)).toBe(slug);
  if (slug !== "") expect(slug).toMatch(SLUG_PATTERN);
});
