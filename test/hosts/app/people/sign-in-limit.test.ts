import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Gossip } from "../../../../src/domain/model/events.ts";
import { Failure, unauthenticated, unavailable } from "../../../../src/domain/model/failure.ts";
import { createGossip } from "../../../../src/events/gossip.ts";
import { silence } from "../../../../src/events/local.ts";
import type { GossipMessage } from "../../../../src/events/payload.ts";
import { createSignInLimit, delayOf } from "../../../../src/hosts/app/people/auth/sign-in-limit.ts";
import { createClientAddress } from "../../../../src/hosts/http/client-address.ts";
import { runsOf } from "../../../support/runs.ts";
import { nextTurn } from "../../../support/until.ts";

const WINDOW = 5 * 60_000;
const OWNER = "ada@example.org";
const HOME = "198.51.100.7";

const wrong = async () => {
  throw unauthenticated("wrong");
};
const right = async () => "in";

/** Every address is another customer's. */
const addressOf = (number: number) => `2001:db8:${(number >> 16).toString(16)}:${(number & 0xffff).toString(16)}::/64`;

function createScene({ gossip = silence, isPatient = false }: { gossip?: Gossip; isPatient?: boolean } = {}) {
  let now = 1_800_000_000_000;
  const waits: number[] = [];
  const releases: (() => void)[] = [];
  const limit = createSignInLimit({
    topic: "sign-in",
    clock: { now: () => now },
    gossip,
    wait: (milliseconds) => {
      waits.push(milliseconds);
      return isPatient ? new Promise((resolve) => releases.push(resolve)) : Promise.resolve();
    },
  });
  /** What comes of an attempt: what the work gives, or the kind of failure. */
  const attempt = (address: string, work: () => Promise<unknown> = wrong, account = OWNER) =>
    limit.attempt({ account, address }, work).catch((error) => (error instanceof Failure ? error.kind : error));
  const fail = async (times: number, address: (number: number) => string, account?: string) => {
    const outcomes: unknown[] = [];
    for (let number = 0; number < times; number++) outcomes.push(await attempt(address(number), wrong, account));
    return outcomes;
  };
  return {
    limit,
    attempt,
    fail,
    waits,
    release: () => {
      for (const release of releases.splice(0)) release();
    },
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

const refused = "TooManyRequests";

describe("attempts to sign in", () => {
  test("are ten for an account from one address, in any spelling, and are free again after the window", async () => {
    const scene = createScene();
    expect(await scene.fail(10, () => "203.0.113.1")).toEqual(Array(10).fill("Unauthenticated"));
    expect(await scene.attempt("203.0.113.1", right)).toBe(refused);
    expect(await scene.attempt("203.0.113.1", right, OWNER.toUpperCase())).toBe(refused);
    expect(await scene.attempt("203.0.113.1", right, "bob@example.org")).toBe("in");
    scene.pass(WINDOW - 1);
    expect(await scene.attempt("203.0.113.1", right)).toBe(refused);
    scene.pass(1);
    expect(await scene.attempt("203.0.113.1", right)).toBe("in");
  });

  test("of others lock nobody out: a correct password gets in from another address", async () => {
    const scene = createScene();
    await scene.fail(12, () => "203.0.113.1");
    expect(await scene.attempt(HOME, right)).toBe("in");
    expect(scene.waits).toEqual([]);
    await scene.fail(10_000, addressOf);
    expect(await scene.attempt(HOME, right)).toBe("in");
    expect(await scene.attempt(addressOf(99_999), right)).toBe("in");
  });

  test("wait the longer the more have failed, up to a bound; those on other accounts do not", async () => {
    const scene = createScene();
    await scene.fail(100, addressOf);
    expect(scene.waits).toEqual([]);
    await scene.fail(150, (number) => addressOf(1000 + number));
    expect(scene.waits).toHaveLength(150);
    expect(scene.waits).toEqual(scene.waits.toSorted((one, other) => one - other));
    expect([scene.waits[0], scene.waits[1], scene.waits.at(-1)]).toEqual([50, 100, 5_000]);
    scene.waits.length = 0;
    expect(await scene.attempt(HOME, right, "bob@example.org")).toBe("in");
    expect(scene.waits).toEqual([]);
    scene.pass(WINDOW);
    expect(await scene.attempt(HOME, right)).toBe("in");
    expect(scene.waits).toEqual([]);
  });

  test("wait no longer than five seconds, however many have failed", () =>
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (one, other) => {
        const [fewer, more] = [Math.min(one, other), Math.max(one, other)];
        expect(delayOf(fewer)).toBeLessThanOrEqual(delayOf(more));
        expect(delayOf(more)).toBeLessThanOrEqual(5_000);
        if (more <= 100) expect(delayOf(more)).toBe(0);
      }),
      { numRuns: runsOf(300) },
    ));

  test("that wait are limited in number, and hold up no other account", async () => {
    const scene = createScene({ isPatient: true });
    await scene.fail(100, addressOf);
    const crowd = Array.from({ length: 1_500 }, (_, number) => scene.attempt(addressOf(10_000 + number)));
    expect(await scene.attempt(addressOf(90_000), right)).toBe("Unavailable");
    expect(await scene.attempt(HOME, right, "bob@example.org")).toBe("in");
    expect(scene.waits).toHaveLength(1_000);
    scene.release();
    const outcomes = await Promise.all(crowd);
    expect(outcomes.filter((outcome) => outcome === "Unauthenticated")).toHaveLength(1_000);
    expect(outcomes.filter((outcome) => outcome === "Unavailable")).toHaveLength(500);
    const owner = scene.attempt(HOME, right);
    await nextTurn();
    scene.release();
    expect(await owner).toBe("in");
  });

  test("are sixty from one address, for whatever accounts, and then cost nothing more", async () => {
    const scene = createScene();
    const outcomes: unknown[] = [];
    for (let number = 0; number < 80; number++) {
      outcomes.push(await scene.attempt("203.0.113.1", wrong, `user-${number}@example.org`));
    }
    expect(outcomes).toEqual([...Array(60).fill("Unauthenticated"), ...Array(20).fill(refused)]);
    // None of the refused ones has been counted for its account.
    await scene.fail(100, addressOf, "user-79@example.org");
    expect(scene.waits).toEqual([]);
  });

  test("that succeed, or learn nothing of the password, do not count", async () => {
    const scene = createScene();
    const broken = async () => {
      throw unavailable("away");
    };
    for (let number = 0; number < 200; number++) {
      expect(await scene.attempt(HOME, right)).toBe("in");
      expect(await scene.attempt(HOME, broken)).toBe("Unavailable");
    }
    expect(await scene.fail(10, () => HOME)).toEqual(Array(10).fill("Unauthenticated"));
    expect(await scene.attempt(HOME, right)).toBe(refused);
  });

  test("of one customer's IPv6 addresses are those of one address", async () => {
    const scene = createScene();
    const find = createClientAddress([]);
    await scene.fail(10, (number) => find(`2001:db8:1:2::${number.toString(16)}`, null));
    expect(await scene.attempt(find("2001:db8:1:2:ffff::1", null), right)).toBe(refused);
    expect(await scene.attempt(find("2001:db8:1:3::1", null), right)).toBe("in");
  });

  test("of a flood of addresses do not free an address that has used up its own", async () => {
    const scene = createScene();
    await scene.fail(10, () => "203.0.113.1");
    await scene.fail(120_000, (number) => addressOf(number), "somebody@example.org");
    expect(await scene.attempt("203.0.113.1", right)).toBe(refused);
    expect(await scene.attempt(HOME, right)).toBe("in");
  });

  test("to register are twenty from one address", async () => {
    const scene = createScene();
    for (let count = 0; count < 20; count++) await scene.limit.countRegistration(HOME);
    expect(scene.limit.countRegistration(HOME)).rejects.toThrow("Too many attempts to create an account");
    await scene.limit.countRegistration("198.51.100.8");
    expect(await scene.attempt(HOME, right)).toBe("in");
  });
});

describe("attempts to sign in at several replicas", () => {
  /** Copies that hear what all of them say in one order, at once. */
  function createReplicas(count: number) {
    const said: GossipMessage[] = [];
    const hearings: ((message: GossipMessage) => void)[] = [];
    const scenes = Array.from({ length: count }, (_, position) => {
      const { gossip, hear } = createGossip({
        id: String(position),
        now: () => 0,
        isHearing: () => true,
        send(messages) {
          said.push(...messages);
          queueMicrotask(() => {
            for (const message of messages) for (const each of hearings) each(message);
          });
        },
      });
      hearings.push(hear);
      return createScene({ gossip });
    });
    return { scenes, said };
  }

  test("are as many as at one", async () => {
    const { scenes, said } = createReplicas(3);
    const outcomes: unknown[] = [];
    for (let number = 0; number < 14; number++) outcomes.push(await scenes[number % 3]?.attempt("203.0.113.1"));
    expect(outcomes.filter((outcome) => outcome === "Unauthenticated")).toHaveLength(10);
    // Attempts that are refused are told to nobody.
    const told = said.length;
    for (let number = 0; number < 100; number++) {
      expect(await scenes[number % 3]?.attempt("203.0.113.1", right)).toBe(refused);
    }
    expect(said.length).toBe(told);
    for (const scene of scenes) expect(await scene.attempt(HOME, right)).toBe("in");
  });

  test("are counted here alone when too much is on its way to the others", async () => {
    let sent = 0;
    const { gossip, tick } = createGossip({
      id: "a replica whose database stands still",
      now: () => 10_000,
      isHearing: () => true,
      send: (messages) => {
        sent += messages.length;
      },
    });
    const telling = Array.from({ length: 2_000 }, () => gossip.tell("other", [["key", 1]]));
    const scene = createScene({ gossip });
    expect(await scene.fail(12, () => HOME)).toEqual([...Array(10).fill("Unauthenticated"), refused, refused]);
    expect(sent).toBe(2_000);
    tick();
    expect(telling).toHaveLength(2_000);
  });
});
