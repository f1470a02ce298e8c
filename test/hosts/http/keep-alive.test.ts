import { expect, test } from "bun:test";
import { createKeepAlive } from "../../../src/hosts/http/keep-alive.ts";

const TURNS = 30;

function setUp(count: number) {
  const keepAlive = createKeepAlive<{ ping(): void }>(TURNS);
  const pings: number[] = Array.from({ length: count }, () => 0);
  const sockets = pings.map((_, place) => ({
    ping() {
      pings[place] = (pings[place] ?? 0) + 1;
    },
  }));
  for (const socket of sockets) keepAlive.add(socket);
  const total = () => pings.reduce((sum, number) => sum + number, 0);
  return { keepAlive, pings, sockets, total };
}

test("every socket gets one ping per round, some in each turn", () => {
  const { keepAlive, pings, total } = setUp(900);
  for (let turn = 1; turn <= TURNS; turn++) {
    keepAlive.takeTurn();
    expect(total()).toBe(turn * 30);
  }
  expect(new Set(pings)).toEqual(new Set([1]));
});

test("few sockets get pings as well, and closed ones don't", () => {
  const { keepAlive, pings, sockets } = setUp(3);
  const [first] = sockets;
  if (first !== undefined) keepAlive.remove(first);
  for (let turn = 0; turn < TURNS; turn++) keepAlive.takeTurn();
  expect(pings[0]).toBe(0);
  expect(Math.min(...pings.slice(1))).toBeGreaterThan(0);
});
