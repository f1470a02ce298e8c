import { describe, expect, test } from "bun:test";
import { createFanOut } from "../../../src/hosts/live/fan-out.ts";

/** Simulates sockets as numbers, and records what each received. */
function setUp() {
  const waiting: (() => void)[] = [];
  const heard = new Map<number, string[]>();
  const fanOut = createFanOut<number>((work) => waiting.push(work));
  const saying = (words: string) => (socket: number) => {
    heard.set(socket, [...(heard.get(socket) ?? []), words]);
  };
  const count = (words: string) => [...heard.values()].filter((all) => all.includes(words)).length;
  /** Runs one turn. Returns whether there was anything to do. */
  const nextTurn = () => {
    const work = waiting.shift();
    work?.();
    return work !== undefined;
  };
  const finish = () => {
    let turns = 0;
    while (nextTurn()) turns++;
    return turns;
  };
  return { ...fanOut, saying, heard, count, nextTurn, finish };
}

const roomOf = (size: number, first = 0) => new Set(Array.from({ length: size }, (_, place) => first + place));

describe("the fan-out", () => {
  test("notifies a small room at once", () => {
    const { tell, saying, count, finish } = setUp();
    tell(roomOf(100), saying("one"));
    expect(count("one")).toBe(100);
    expect(finish()).toBe(0);
  });

  test("notifies everyone in a large room once, over several turns", () => {
    const { tell, saying, heard, count, finish } = setUp();
    tell(roomOf(10_000), saying("one"));
    expect(count("one")).toBeLessThan(500);
    expect(finish()).toBeGreaterThan(20);
    expect(heard.size).toBe(10_000);
    for (const all of heard.values()) expect(all).toEqual(["one"]);
  });

  test("newer messages replace unsent ones, and every socket hears something soon", () => {
    const { tell, saying, heard, nextTurn, finish } = setUp();
    const room = roomOf(1_000);
    for (let number = 1; number <= 8; number++) {
      tell(room, saying(`news ${number}`));
      nextTurn();
    }
    // Eight turns with new messages in each: by then, every socket has received something.
    expect(heard.size).toBe(1_000);
    finish();
    for (const all of heard.values()) {
      expect(all.at(-1)).toBe("news 8");
      expect(all).toEqual(all.toSorted());
    }
  });

  test("earlier messages are dropped after the last one", () => {
    const { tell, saying, heard, count, finish } = setUp();
    const room = roomOf(1_000);
    tell(room, saying("news"));
    const told = count("news");
    tell(room, saying("gone"));
    finish();
    expect(count("news")).toBe(told);
    expect(count("gone")).toBe(1_000);
    expect(heard.get(999)).toEqual(["gone"]);
  });

  test("sockets that left meanwhile or joined later are not notified", () => {
    const { tell, saying, heard, finish } = setUp();
    const room = roomOf(1_000);
    tell(room, saying("one"));
    room.delete(999);
    room.add(5_000);
    finish();
    expect(heard.has(999)).toBe(false);
    expect(heard.has(5_000)).toBe(false);
    expect(heard.size).toBe(999);
  });

  test("a small room is notified while a large one is still in progress", () => {
    const { tell, saying, count, nextTurn } = setUp();
    tell(roomOf(10_000), saying("large"));
    tell(roomOf(10, 20_000), saying("small"));
    for (let turn = 0; turn < 3; turn++) nextTurn();
    expect(count("small")).toBe(10);
    expect(count("large")).toBeLessThan(2_000);
  });
});
