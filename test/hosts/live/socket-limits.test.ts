import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createGossip } from "../../../src/events/gossip.ts";
import type { GossipMessage } from "../../../src/events/payload.ts";
import { createSocketCount } from "../../../src/hosts/live/socket-limits.ts";
import { runsOf } from "../../support/runs.ts";
import { nextTurn } from "../../support/until.ts";

const REPLICAS = 3;
const LIMIT = 5;

/** Copies that hear what all of them say in one order, each as late as it happens. */
function createReplicas(limits: { total: number; perAddress: number }) {
  const said: GossipMessage[] = [];
  const replicas = Array.from({ length: REPLICAS }, (_, position) => {
    const { gossip, hear } = createGossip({
      id: String(position),
      now: () => 0,
      isHearing: () => true,
      send: (messages) => said.push(...messages),
    });
    let heard = 0;
    /** Several at once, as they come in one packet. */
    const hearMore = (count: number) => {
      for (const message of said.slice(heard, heard + count)) hear(message);
      heard = Math.min(heard + count, said.length);
    };
    return { ...createSocketCount({ limits, topic: "sockets", gossip }), hearMore, heard: () => heard };
  });
  const hearAll = async () => {
    do {
      for (const replica of replicas) replica.hearMore(said.length);
      await nextTurn();
    } while (replicas.some((replica) => replica.heard() < said.length));
  };
  return { replicas, hearAll };
}

const steps = fc.array(
  fc.record({
    replica: fc.nat({ max: REPLICAS - 1 }),
    attempts: fc.nat({ max: 4 }),
    heard: fc.nat({ max: 6 }),
    isPatient: fc.boolean(),
  }),
  { minLength: 1, maxLength: 12 },
);

describe("sockets counted by several replicas", () => {
  for (const limits of [
    { total: 0, perAddress: LIMIT },
    { total: LIMIT, perAddress: 0 },
  ]) {
    test(`are as many as there may be, or as were asked for: ${JSON.stringify(limits)}`, () =>
      fc.assert(
        fc.asyncProperty(steps, async (all) => {
          const { replicas, hearAll } = createReplicas(limits);
          const taken: Promise<boolean>[] = [];
          for (const { replica: position, attempts, heard, isPatient } of all) {
            const replica = replicas[position];
            for (let attempt = 0; attempt < attempts; attempt++)
              taken.push(replica?.take("198.51.100.1") ?? expect.unreachable());
            if (isPatient) await nextTurn();
            replica?.hearMore(heard);
            await nextTurn();
          }
          await hearAll();
          const admitted = (await Promise.all(taken)).filter(Boolean);
          expect(admitted.length).toBe(Math.min(taken.length, LIMIT));
        }),
        { numRuns: runsOf(300) },
      ));
  }

  test("have their places again when they are released, wherever that is", async () => {
    const { replicas, hearAll } = createReplicas({ total: 0, perAddress: LIMIT });
    const [first, second] = replicas;
    const takeAll = async (count: number) => {
      const taking = Array.from({ length: count }, () => first?.take("198.51.100.1"));
      await nextTurn();
      await hearAll();
      return (await Promise.all(taking)).filter(Boolean).length;
    };
    expect(await takeAll(LIMIT + 2)).toBe(LIMIT);
    expect(await second?.take("198.51.100.1")).toBe(false);
    first?.release("198.51.100.1");
    await hearAll();
    const again = second?.take("198.51.100.1");
    await nextTurn();
    await hearAll();
    expect(await again).toBe(true);
    expect(await takeAll(1)).toBe(0);
  });

  test("are told of in several messages where they are of many addresses", async () => {
    const { replicas, hearAll } = createReplicas({ total: 0, perAddress: 1 });
    const addresses = Array.from({ length: 450 }, (_, number) => `2001:db8:${number.toString(16)}::1`);
    const taking = replicas.flatMap(({ take }) => addresses.map((address) => take(address)));
    await nextTurn();
    await hearAll();
    expect((await Promise.all(taking)).filter(Boolean).length).toBe(addresses.length);
  });
});
