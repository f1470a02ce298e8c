import { expect } from "bun:test";

/** Milliseconds after which what a person waits for is not coming. */
const PATIENCE = 10_000;

/** Waits until what is read equals what is expected; fails showing the difference if it does not become so. */
export async function settled(read: () => Promise<unknown>, expected: unknown): Promise<void> {
  const deadline = Date.now() + PATIENCE;
  while (Date.now() < deadline) {
    if (Bun.deepEquals(await read(), expected)) return;
    await Bun.sleep(20);
  }
  expect(await read()).toEqual(expected);
}
