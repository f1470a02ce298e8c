import { expect, test } from "bun:test";
import { createTokenCheck } from "../../../src/hosts/http/operator-token.ts";

const TOKEN = "0123456789abcdef";
const bearing = (authorization?: string) => new Headers(authorization === undefined ? {} : { authorization });

test.each([
  [`Bearer ${TOKEN}`, true],
  [`bearer ${TOKEN}`, true],
  [`Bearer ${TOKEN}0`, false],
  [`Bearer ${TOKEN.slice(1)}`, false],
  [`Basic ${TOKEN}`, false],
  ["Bearer", false],
  [undefined, false],
])("the header %s bears the token: %p", (header, expected) => {
  expect(createTokenCheck(TOKEN)(bearing(header))).toBe(expected);
});

test("without a token, no header bears it", () => {
  const check = createTokenCheck(undefined);
  for (const header of [undefined, "Bearer ", "Bearer undefined", `Bearer ${TOKEN}`]) {
    expect(check(bearing(header))).toBe(false);
  }
});
