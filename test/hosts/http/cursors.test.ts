import { expect, test } from "bun:test";
import fc from "fast-check";
import { Failure } from "../../../src/domain/model/failure.ts";
import { createCursors } from "../../../src/hosts/http/cursors.ts";

const cursors = createCursors<unknown>({ secret: "a secret of at least thirty-two characters" });

function refused(question: string, cursor: string): boolean {
  try {
    cursors.decode(question, cursor);
    return false;
  } catch (error) {
    return error instanceof Failure && error.kind === "Invalid";
  }
}

test("a cursor is valid for the query that returned it, and for no other", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), fc.nat(), (question, other, key, id) => {
      const cursor = cursors.encode(question, { key, id });
      expect(cursors.decode(question, cursor)).toEqual({ key, id });
      expect(cursor).toMatch(/^[\w-]+$/);
      expect(refused(other, cursor)).toBe(other !== question);
    }),
  );
});

test("any other text is refused", () => {
  const cursor = cursors.encode("q", { key: "a", id: 1 });
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.base64String()), (text) => {
      expect(refused("q", text)).toBe(true);
    }),
  );
  const elsewhere = createCursors<unknown>({ secret: "another secret of thirty-two characters" });
  expect(refused("q", elsewhere.encode("q", { key: "a", id: 1 }))).toBe(true);
  const bytes = Buffer.from(cursor, "base64url");
  for (let position = 0; position < bytes.length; position++) {
    const changed = Buffer.from(bytes);
    changed[position] = (changed[position] ?? 0) ^ 1;
    expect(refused("q", changed.toString("base64url"))).toBe(true);
  }
});
