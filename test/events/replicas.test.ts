import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { ChangeEvent } from "../../src/domain/model/events.ts";
import { Failure } from "../../src/domain/model/failure.ts";
import type { ReplicaMessage } from "../../src/events/payload.ts";
import {
  createReplicas,
  DEAF_AFTER,
  KEPT_EVENTS,
  LONGEST_WAIT,
  RELIANCE,
  REPLICA_LIFETIME,
} from "../../src/events/replicas.ts";
import { runsOf } from "../support/runs.ts";
import { nextTurn } from "../support/until.ts";
import { type Simulation, simulateReplicas } from "./simulated-replicas.ts";

const RUNS = runsOf(1_000);

const STEPS = {
  change: 6,
  add: 3,
  cut: 2,
  cutAll: 1,
  stop: 2,
  wake: 2,
  kill: 1,
  join: 1,
} as const;
type Step = keyof typeof STEPS;

const MOST_COPIES = 5;

const steps = fc.array(
  fc.record({
    step: fc.oneof(
      ...Object.entries(STEPS).map(([step, weight]) => ({ arbitrary: fc.constant(step as Step), weight })),
    ),
    which: fc.nat(),
    wait: fc.oneof(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 3_000 })),
  }),
  { maxLength: 40 },
);

function take(world: Simulation, step: Step, which: number): void {
  const living = world.living();
  const process = living[which % living.length];
  if (step === "cutAll") for (const each of living) world.cut(each);
  else if (step === "join" && living.length < MOST_COPIES) world.join();
  else if (process !== undefined && step !== "join" && (step !== "kill" || living.length > 1)) world[step](process);
}

/** Returns random numbers from 0 to 1 that are the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

describe("replicas, under any failures of processes and connections", () => {
  test("no replica remembers anything older than what was acknowledged, and every caller gets an answer", async () => {
    let settled = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.integer(),
        fc.integer({ min: 1, max: 4 }),
        fc.constantFrom(1, 30, 400),
        steps,
        async (seed, count, longestDelay, drawn) => {
          const world = simulateReplicas({ count, longestDelay, random: randomFrom(seed) });
          for (const { step, which, wait } of drawn) {
            take(world, step, which);
            await world.advance(wait);
          }
          for (const process of world.living()) world.wake(process);
          await world.advance(20_000);
          expect(world.violations).toEqual([]);
          expect(world.unanswered()).toBe(0);
          expect(world.untold()).toEqual([]);
          expect(world.living().filter(({ replicas }) => !replicas.isHearing())).toEqual([]);
          settled += world.outcomes.settled;
        },
      ),
      { numRuns: RUNS },
    );
    expect(settled).toBeGreaterThan(RUNS / 5);
  });

  test("without failures, changes settle as soon as all replicas have received them", async () => {
    const world = simulateReplicas({ count: 3, longestDelay: 5, random: randomFrom(1) });
    await world.advance(3_000);
    for (let round = 0; round < 50; round++) {
      for (const process of world.processes) world.change(process);
      await world.advance(100);
    }
    expect(world.outcomes).toMatchObject({ settled: 150, failed: 0 });
    expect(world.outcomes.longestWait).toBeLessThan(30);
  });

  test("a stopped replica doesn't delay others for long", async () => {
    const world = simulateReplicas({ count: 3, longestDelay: 5, random: randomFrom(2) });
    await world.advance(3_000);
    const [first, second] = world.processes;
    if (first === undefined || second === undefined) throw new Error("There are no replicas.");
    world.stop(second);
    world.change(first);
    await world.advance(5_000);
    expect(world.outcomes).toMatchObject({ settled: 1, failed: 0 });
    expect(world.outcomes.longestWait).toBeLessThan(DEAF_AFTER + 300);
    world.change(first);
    await world.advance(1_000);
    expect(world.outcomes).toMatchObject({ settled: 2, failed: 0 });
    world.wake(second);
    await world.advance(1_000);
    expect(world.violations).toEqual([]);
  });
});

describe("one replica", () => {
  interface Heard {
    sent: ReplicaMessage[];
    delivered: ChangeEvent[];
  }

  function createAlone() {
    const heard: Heard = { sent: [], delivered: [] };
    let time = 0;
    const replicas = createReplicas({
      id: "own",
      now: () => time,
      send: (messages) => void heard.sent.push(...messages),
      deliver: (event) => void heard.delivered.push(event),
      joined: () => undefined,
      gone: () => undefined,
    });
    const pass = (milliseconds: number) => {
      time += milliseconds;
    };
    const echo = () => {
      for (const message of heard.sent.splice(0)) replicas.hear(message);
    };
    return { replicas, heard, pass, echo };
  }

  const beat = (from: string, number = 1): ReplicaMessage => ({ type: "beat", from, number, line: 1 });
  const change = (code: string): ChangeEvent => ({ kind: "versionsChanged", codes: [code] });

  test("trusts its cache for a while after its first beat comes back", () => {
    const { replicas, pass, echo } = createAlone();
    replicas.connected();
    expect(replicas.isHearing()).toBe(false);
    pass(300);
    echo();
    expect(replicas.isHearing()).toBe(true);
    pass(RELIANCE - 301);
    expect(replicas.isHearing()).toBe(true);
    pass(1);
    expect(replicas.isHearing()).toBe(false);
  });

  test("ignores beats of an earlier connection", () => {
    const { replicas, heard } = createAlone();
    replicas.connected();
    const old = heard.sent.splice(0);
    replicas.disconnected();
    replicas.connected();
    for (const message of old) replicas.hear(message);
    expect(replicas.isHearing()).toBe(false);
  });

  test("after a reconnect, sends again in order what it hasn't received itself", async () => {
    const { replicas, heard, echo, pass } = createAlone();
    replicas.connected();
    echo();
    replicas.publish(change("a"));
    replicas.disconnected();
    replicas.publish(change("b"));
    const settled = replicas.settled();
    heard.sent.length = 0;
    replicas.connected();
    const events = heard.sent.filter(({ type }) => type === "event");
    expect(events).toEqual([
      { type: "event", from: "own", number: 1, event: change("a") as never },
      { type: "event", from: "own", number: 2, event: change("b") as never },
    ]);
    echo();
    pass(DEAF_AFTER);
    replicas.tick();
    expect(await settled).toBeUndefined();
  });

  test("keeps a limited number of changes while disconnected", () => {
    const { replicas, heard } = createAlone();
    for (let count = 0; count < KEPT_EVENTS; count++) replicas.publish(change(String(count)));
    replicas.connected();
    expect(heard.sent.filter(({ type }) => type === "event")).toHaveLength(KEPT_EVENTS);
    replicas.disconnected();
    heard.sent.length = 0;
    replicas.publish(change("one more"));
    replicas.publish(change("and another"));
    replicas.connected();
    const events = heard.sent.flatMap((message) => (message.type === "event" ? [message.event] : []));
    expect(events).toEqual([{ kind: "missed" }, { kind: "versionsChanged", codes: ["and another"] }]);
  });

  test("fails a change that it can't announce, but not before it has to", async () => {
    const { replicas, pass } = createAlone();
    replicas.publish(change("a"));
    let failure: unknown;
    Promise.resolve(replicas.settled()).catch((error) => {
      failure = error;
    });
    pass(LONGEST_WAIT - 1);
    replicas.tick();
    await nextTurn();
    expect(failure).toBeUndefined();
    pass(1);
    replicas.tick();
    await nextTurn();
    expect(failure).toBeInstanceOf(Failure);
    expect(failure).toMatchObject({ kind: "Unavailable", retryAfter: 1 });
  });

  test("doesn't wait for replicas that have left or joined later", () => {
    const { replicas, echo, pass } = createAlone();
    replicas.connected();
    replicas.hear(beat("left"));
    pass(RELIANCE);
    replicas.publish(change("a"));
    echo();
    expect(replicas.settled()).toBeInstanceOf(Promise);
    replicas.hear({ type: "leave", from: "left" });
    replicas.hear(beat("came later"));
    expect(replicas.settled()).toBeUndefined();
  });

  test("gives up on a silent replica, and assumes that it may have missed something", () => {
    const { replicas, heard, echo, pass } = createAlone();
    replicas.connected();
    const turn = () => {
      pass(200);
      replicas.tick();
      echo();
    };
    for (let passed = 0; passed <= 2 * REPLICA_LIFETIME; passed += 200) {
      replicas.hear(beat("other"));
      turn();
    }
    // Once for the connection, and once for a replica that was killed before it was heard.
    expect(heard.delivered).toEqual([{ kind: "missed" }, { kind: "missed" }]);
    heard.delivered.length = 0;
    for (let passed = 0; passed < REPLICA_LIFETIME; passed += 200) {
      expect(heard.delivered).toEqual([]);
      turn();
    }
    turn();
    expect(heard.delivered).toEqual([{ kind: "missed" }]);
  });

  test("asks for a new connection when the current one is silent", () => {
    const { replicas, echo, pass } = createAlone();
    replicas.connected();
    echo();
    pass(2_900);
    replicas.tick();
    expect(replicas.isDeaf()).toBe(false);
    pass(200);
    expect(replicas.isDeaf()).toBe(true);
    replicas.disconnected();
    expect(replicas.isDeaf()).toBe(false);
  });
});
