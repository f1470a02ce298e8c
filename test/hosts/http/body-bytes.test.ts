import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createByteCollector } from "../../../src/hosts/http/body-bytes.ts";

describe("a body that arrives in pieces", () => {
  const size = fc.oneof(
    fc.nat(40),
    fc.integer({ min: 16_000, max: 17_000 }),
    fc.integer({ min: 60_000, max: 140_000 }),
  );
  const pieces = fc
    .array(size, { maxLength: 12 })
    .map((sizes) => sizes.map((length, at) => new Uint8Array(length).map((_, index) => (at * 31 + index) % 251)));

  const collect = (parts: readonly Uint8Array[]) => {
    const collector = createByteCollector();
    for (const part of parts) collector.add(part);
    return collector.bytes();
  };

  test("is whole and in order", async () => {
    await fc.assert(
      fc.asyncProperty(pieces, async (parts) => {
        const whole = Buffer.concat(parts);
        const got = await collect(parts);
        expect(whole.equals(got)).toBe(true);
        // Other threads get it without a copy.
        expect([got.byteOffset, got.buffer.byteLength]).toEqual([0, whole.length]);
      }),
    );
  });

  test("of many megabytes is joined in several turns", async () => {
    const part = Uint8Array.from({ length: 3_000_000 }, (_, at) => at % 251);
    let isJoined = false;
    let turns = 0;
    const count = () => {
      turns++;
      if (!isJoined) setImmediate(count);
    };
    setImmediate(count);
    const got = await collect([part, part.subarray(1), part]);
    isJoined = true;
    expect(Buffer.concat([part, part.subarray(1), part]).equals(got)).toBe(true);
    expect(turns).toBeGreaterThanOrEqual(8);
  });
});
