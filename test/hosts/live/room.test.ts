import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { createFanOut } from "../../../src/hosts/live/fan-out.ts";
import { createRoom } from "../../../src/hosts/live/room.ts";
import { nextTurn, passTime } from "../../support/until.ts";

/** Milliseconds after which a window has ended. */
const LATER = 80;

/** Simulates a room of sockets that are numbers; the test runs the turns of the event loop. */
function setUp(size: number) {
  const waiting: (() => void)[] = [];
  const heard = new Map<number, string[]>();
  const room = createRoom<number, string>({
    fanOut: createFanOut<number>((work) => waiting.push(work)),
    phrase: (news) => [...news].sort(),
    say: (socket, texts) => heard.set(socket, [...(heard.get(socket) ?? []), ...texts]),
  });
  for (let number = 0; number < size; number++) room.sockets.add(number);
  const finish = () => {
    for (let work = waiting.shift(); work !== undefined; work = waiting.shift()) work();
  };
  return { room, heard, finish };
}

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test("sockets that haven't received the last news get it together with the next", async () => {
  const { room, heard, finish } = setUp(1_000);
  room.add("first");
  await nextTurn();
  expect(heard.size).toBeLessThan(1_000);
  room.add("second");
  await passTime(LATER);
  finish();
  expect(heard.size).toBe(1_000);
  for (const texts of heard.values()) expect([...new Set(texts)]).toEqual(["first", "second"]);
});

test("news that everyone has received is not repeated", async () => {
  const { room, heard, finish } = setUp(1_000);
  room.add("first");
  await nextTurn();
  finish();
  room.add("second");
  await passTime(LATER);
  finish();
  for (const texts of heard.values()) expect(texts).toEqual(["first", "second"]);
});
