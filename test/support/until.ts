import { expect, jest } from "bun:test";

/** Resolves to what `ask` answers as soon as that is neither undefined nor false; throws after the deadline. */
export async function until<Value>(
  ask: () => Value | undefined | false | Promise<Value | undefined | false>,
  deadline = 100_000,
): Promise<Value> {
  for (const end = Date.now() + deadline; Date.now() < end; await Bun.sleep(10)) {
    const value = await ask();
    if (value !== undefined && value !== false) return value;
  }
  throw new Error(`The condition did not come true within ${deadline} ms: ${ask}`);
}

/** Waits until what is read equals what is expected; fails with the difference if it never does. */
export async function settled(read: () => Promise<unknown>, expected: unknown): Promise<void> {
  let last: unknown;
  const isThere = async () => {
    last = await read();
    return Bun.deepEquals(last, expected);
  };
  await until(isThere).catch(() => expect(last).toEqual(expected));
}

type Reason =
  | "a client's pace"
  | "the length of a fault"
  | "the moment of a crash"
  | "a window of the server"
  | "a window of the page";

/** Lets time pass if time itself is part of the test. To wait for an event, use `until`. */
export const pause = (milliseconds: number, _reason: Reason): Promise<void> => Bun.sleep(milliseconds);

/** Resolves to undefined if a promise takes longer than this. */
export const within = <Value>(milliseconds: number, promise: Promise<Value>): Promise<Value | undefined> =>
  Promise.race([promise, Bun.sleep(milliseconds).then(() => undefined)]);

/** Waits for the clock's next millisecond, so that what happens next is newer than what happened before. */
export async function nextMillisecond(): Promise<void> {
  const now = Date.now();
  await until(() => Date.now() > now);
}

/** Waits until the event loop has done what is due. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Lets time pass for fake timers (`jest.useFakeTimers`), with everything that follows from it. */
export async function passTime(milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed++) {
    jest.advanceTimersByTime(1);
    await nextTurn();
  }
}
