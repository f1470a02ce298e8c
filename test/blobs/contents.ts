import { expect } from "bun:test";
import type { Blobs } from "../../src/domain/model/blobs.ts";
import { newCode } from "../../src/domain/model/codes.ts";
import { random } from "../support/service.ts";

export const newKey = () => newCode(random);

/** Returns bytes that differ from those of any other seed, at every offset. */
export function buildContent(size: number, seed = 1): Uint8Array<ArrayBuffer> {
  const content = new Uint8Array(size);
  let state = seed;
  for (let offset = 0; offset < size; offset++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    content[offset] = state >>> 24;
  }
  return content;
}

/** Compares without printing megabytes if they differ. */
export function expectBytes(actual: Uint8Array | undefined, expected: Uint8Array): void {
  expect(actual?.length).toBe(expected.length);
  expect(actual !== undefined && Buffer.compare(actual, expected) === 0).toBe(true);
}

export async function keysIn(blobs: Blobs): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of blobs.list()) keys.push(key);
  return keys.toSorted();
}

export const rejectionOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "not rejected",
    (error: unknown) => error,
  );
