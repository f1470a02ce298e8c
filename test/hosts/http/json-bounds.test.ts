import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Failure } from "../../../src/domain/model/failure.ts";
import { JSON_DEPTH, JSON_VALUES } from "../../../src/domain/model/limits.ts";
import { parseJson } from "../../../src/hosts/http/body.ts";
import { checkJsonBounds } from "../../../src/hosts/http/json-bounds.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

function refusalOf(json: string): string | undefined {
  try {
    checkJsonBounds(bytesOf(json));
    return undefined;
  } catch (error) {
    if (error instanceof Failure && error.kind === "Invalid") return error.message;
    throw error;
  }
}

const arrays = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
const objects = (depth: number) => `${'{"a":'.repeat(depth)}0${"}".repeat(depth)}`;
const list = (commas: number) => `[${"0,".repeat(commas)}0]`;

const DEEP = `nested too deeply. The limit is ${JSON_DEPTH} levels.`;
const MANY = `too many values and keys. The limit is ${JSON_VALUES}.`;

describe("the limits of JSON", () => {
  test.each<[string, string, string | undefined]>([
    ["as many arrays as allowed", arrays(JSON_DEPTH), undefined],
    ["one array more", arrays(JSON_DEPTH + 1), DEEP],
    ["as many objects as allowed", objects(JSON_DEPTH), undefined],
    ["one object more", objects(JSON_DEPTH + 1), DEEP],
    ["unclosed arrays", "[".repeat(100_000), DEEP],
    ["many arrays side by side", `[${"[[]],".repeat(1000)}0]`, undefined],
    ["as many values as allowed", list(JSON_VALUES - 1), undefined],
    ["one value more", list(JSON_VALUES), MANY],
    ["as many keys", `{${'"a":0,'.repeat(JSON_VALUES / 2)}"a":0}`, MANY],
    ["a string that looks like arrays", `"${"[".repeat(100_000)}"`, undefined],
    ["a string with quotes that looks like values", `"${'\\",'.repeat(100_000)}"`, undefined],
    ["backslashes before the end of a string", `["${"\\\\".repeat(50)}", ${arrays(JSON_DEPTH)}]`, DEEP],
    ["brackets that close nothing", `${"]".repeat(100)}${"[".repeat(100)}`, undefined],
    ["an empty body", "", undefined],
  ])("%s", (_, json, refusal) => {
    if (refusal === undefined) expect(refusalOf(json)).toBeUndefined();
    else expect(refusalOf(json)).toContain(refusal);
  });

  test("any JSON within them is parsed as usual", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 20 }), (json) => {
        expect(parseJson(bytesOf(json))).toEqual(JSON.parse(json));
      }),
    );
  });

  test("any JSON is refused once it is repeated or nested often enough", () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        expect(refusalOf(`[${`${json},`.repeat(JSON_VALUES)}0]`)).toBeDefined();
        expect(refusalOf("[".repeat(JSON_DEPTH + 1) + json + "]".repeat(JSON_DEPTH + 1))).toContain(DEEP);
      }),
      { numRuns: 20 },
    );
  });
});
