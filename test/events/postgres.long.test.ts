import { afterEach, expect, test } from "bun:test";
import { createConnection, createServer } from "node:net";
import { Client } from "pg";
import type { ChangeEvent } from "../../src/domain/model/events.ts";
import { Failure } from "../../src/domain/model/failure.ts";
import { decodeMessage } from "../../src/events/payload.ts";
import { openPostgresEvents, type SharedEvents } from "../../src/events/postgres.ts";
import { until } from "../support/content.ts";
import { createRecordingLog } from "../support/log.ts";
import { postgresUnavailable, sharedPostgres, startPostgres } from "../support/postgres.ts";
import { describeIf } from "../support/skip.ts";
import { pause } from "../support/until.ts";

interface Replica {
  events: SharedEvents;
  heard: ChangeEvent[];
}

/** What a process publishes after a change. */
const change = (...codes: string[]): ChangeEvent => ({ kind: "versionsChanged", codes });
const codesIn = (heard: readonly ChangeEvent[]) =>
  heard.flatMap((event) => (event.kind === "versionsChanged" ? event.codes : []));
const kindsIn = (heard: readonly ChangeEvent[]) => new Set(heard.map(({ kind }) => kind));

/** Starts a proxy that drops notifications, as poolers in transaction mode do. */
async function startDeafPooler(target: number): Promise<AsyncDisposable & { port: number }> {
  const proxy = createServer((client) => {
    const server = createConnection({ host: "127.0.0.1", port: target });
    let pending = Buffer.alloc(0);
    client.pipe(server).on("error", () => client.destroy());
    client.on("error", () => server.destroy());
    client.on("close", () => server.destroy());
    server.on("close", () => client.destroy());
    server.on("data", (chunk: Buffer) => {
      pending = Buffer.concat([pending, chunk]);
      // A type of one byte, and a length that includes itself (PostgreSQL's documentation, 54.7).
      while (pending.length >= 5 && pending.length >= 1 + pending.readUInt32BE(1)) {
        const end = 1 + pending.readUInt32BE(1);
        if (pending[0] !== NOTIFICATION) client.write(pending.subarray(0, end));
        pending = pending.subarray(end);
      }
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const address = proxy.address();
  if (address === null || typeof address === "string") throw new Error("The pooler has no port.");
  return {
    port: address.port,
    [Symbol.asyncDispose]: () => new Promise((resolve) => void proxy.close(() => resolve())),
  };
}

const NOTIFICATION = "A".charCodeAt(0);

const FOREIGN = ["", "{", "[]", '{"type":"beat"}', '{"type":"event","from":7}'];
const UNKNOWN = JSON.stringify({ type: "event", from: "other", number: 1, event: { kind: "invented", of: 1 } });

test.each(FOREIGN)("the notification %p is none of Vitrine's", (payload) => {
  expect(decodeMessage(payload)).toBeUndefined();
});

test("a change of an unknown kind means that something was missed", () => {
  expect(decodeMessage(UNKNOWN)).toMatchObject({ type: "event", event: { kind: "missed" } });
});

describeIf("events over PostgreSQL", postgresUnavailable(), () => {
  const opened: SharedEvents[] = [];
  const { log, events: logged } = createRecordingLog();

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((events) => events.close()));
    logged.length = 0;
  });

  const newDatabase = async () => (await sharedPostgres()).createDatabase();

  async function openReplica(url: string): Promise<Replica> {
    const events = await openPostgresEvents({ url, id: crypto.randomUUID(), log });
    opened.push(events);
    const heard: ChangeEvent[] = [];
    events.subscribe((event) => heard.push(event));
    return { events, heard };
  }

  async function query(url: string, text: string, values: unknown[] = []) {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query(text, values)).rows;
    } finally {
      await client.end();
    }
  }

  const endListening = (url: string) =>
    query(
      url,
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'vitrine events' and datname = current_database()",
    );

  const isHearingAgain = ({ events }: Replica) => until(async () => events.isHearing() || undefined);

  test("once a change is settled, all replicas have received it, in order", async () => {
    const url = await newDatabase();
    const [one, ...others] = [await openReplica(url), await openReplica(url), await openReplica(url)];
    const codes = Array.from({ length: 500 }, (_, position) => `code-${position}`);
    for (const code of codes) one.events.publish(change(code));
    await one.events.settled();
    for (const { heard } of [one, ...others]) expect(codesIn(heard)).toEqual(codes);
  });

  test("the replica that makes a change receives it once and at once", async () => {
    const { events, heard } = await openReplica(await newDatabase());
    const before = events.changeMark() ?? 0;
    events.publish(change("a"));
    expect(codesIn(heard)).toEqual(["a"]);
    expect(events.changeMark()).toBeGreaterThan(before);
    await events.settled();
    expect(codesIn(heard)).toEqual(["a"]);
    expect(events.settled()).toBeUndefined();
  });

  test("every kind of change arrives unchanged, except those that concern one process only", async () => {
    const url = await newDatabase();
    const [one, other] = [await openReplica(url), await openReplica(url)];
    const shared: ChangeEvent[] = [
      change("0123456789abcdef"),
      { kind: "itemChanged", itemId: 7, workspaceId: "w" },
      { kind: "sessionsEnded", userId: "u" },
      { kind: "membershipChanged", userId: "u", workspaceId: "w", ownWorkspaceId: "o" },
      { kind: "workspaceChanged", workspaceId: "w", about: "cabinet" },
      { kind: "workspaceChanged", workspaceId: "w", about: "shortcuts", userId: "u" },
      { kind: "accountChanged", userId: "u" },
      { kind: "missed" },
    ];
    one.events.publish({ kind: "compressed", code: "c" });
    one.events.publish({ kind: "published", code: "c" });
    for (const event of shared) one.events.publish(event);
    await one.events.settled();
    // A replica that the machine holds up for a second has missed something, too.
    const told = (events: readonly ChangeEvent[]) => events.filter(({ kind }) => kind !== "missed");
    expect(told(other.heard)).toEqual(told(shared));
    expect(kindsIn(other.heard)).toContain("missed");
    expect(kindsIn(other.heard)).not.toContain("compressed");
  });

  test("a change with very many codes arrives complete", async () => {
    const url = await newDatabase();
    const [one, other] = [await openReplica(url), await openReplica(url)];
    const codes = Array.from({ length: 20_000 }, (_, position) => String(position).padStart(16, "x"));
    one.events.publish(change(...codes));
    await one.events.settled();
    expect(codesIn(other.heard)).toEqual(codes);
  });

  test("replicas receive no changes of another database", async () => {
    const [one, other] = [await openReplica(await newDatabase()), await openReplica(await newDatabase())];
    one.events.publish(change("a"));
    await one.events.settled();
    expect(codesIn(other.heard)).toEqual([]);
  });

  test("foreign notifications don't disturb; an unknown kind of message causes a refresh", async () => {
    const url = await newDatabase();
    const replica = await openReplica(url);
    const { heard } = replica;
    const say = (payload: string) => query(url, "select pg_notify('vitrine', $1)", [payload]);
    for (const payload of FOREIGN) await say(payload);
    await say(UNKNOWN);
    await until(async () => heard.length > 0 || undefined);
    expect(kindsIn(heard)).toEqual(new Set(["missed"]));
    await isHearingAgain(replica);
  });

  test("a listener that throws doesn't stop others, here or on other replicas", async () => {
    const url = await newDatabase();
    const [one, other] = [await openReplica(url), await openReplica(url)];
    const late: ChangeEvent[] = [];
    for (const { events } of [one, other]) {
      const fail = () => {
        throw new Error("broken");
      };
      events.subscribe(fail);
      events.subscribe((event) => late.push(event));
    }
    expect(() => one.events.publish(change("a"))).toThrow("versionsChanged");
    await one.events.settled();
    expect(codesIn(late)).toEqual(["a", "a"]);
    expect(logged).toContainEqual(
      expect.objectContaining({ level: "error", message: expect.stringContaining("could not be handled") }),
    );
  });

  test("a lost connection is replaced, and everything said in the meantime counts as missed", async () => {
    const url = await newDatabase();
    const [one, other] = [await openReplica(url), await openReplica(url)];
    for (let round = 0; round < 3; round++) {
      one.heard.length = 0;
      other.heard.length = 0;
      await endListening(url);
      await until(async () => !one.events.isHearing() || undefined);
      expect(one.events.changeMark()).toBeUndefined();
      one.events.publish(change(`round-${round}`));
      await one.events.settled();
      await isHearingAgain(other);
      expect(kindsIn(other.heard)).toContain("missed");
      expect(kindsIn(one.heard)).toContain("missed");
    }
    expect(logged.filter(({ message }) => message.includes("is lost"))).toHaveLength(6);
  });

  test("many changes while connections break: all settle, and every replica learns of each or knows that it missed something", async () => {
    const url = await newDatabase();
    const [one, other] = [await openReplica(url), await openReplica(url)];
    let stale = 0;
    const breaking = (async () => {
      for (let round = 0; round < 5; round++) {
        await pause(100, "the length of a fault");
        await endListening(url);
      }
    })();
    let last = 0;
    // Remembers the newest number that it knows, as a cache does.
    let remembered: number | undefined;
    other.events.subscribe(() => {
      remembered = undefined;
    });
    const end = Date.now() + 3_000;
    while (Date.now() < end) {
      if (other.events.isHearing()) remembered ??= last;
      one.events.publish(change(String(++last)));
      await one.events.settled();
      if (other.events.isHearing() && remembered !== undefined && remembered < last) stale++;
    }
    await breaking;
    expect(last).toBeGreaterThan(3);
    expect(stale).toBe(0);
  });

  test("all replicas, including the senders, receive gossip in the same order", async () => {
    const url = await newDatabase();
    const replicas = [await openReplica(url), await openReplica(url), await openReplica(url)];
    const orders = replicas.map(({ events }) => {
      const order: string[] = [];
      events.gossip.listen("topic", (facts) => {
        order.push(...facts.map(([key]) => key));
        return [order.length];
      });
      return order;
    });
    const told = replicas.flatMap(({ events }, replica) =>
      Array.from({ length: 50 }, (_, count) => events.gossip.tell("topic", [[`${replica}-${count}`, 1]])),
    );
    const places = (await Promise.all(told)).map((outcome) => outcome?.[0]);
    await until(async () => orders.every((order) => order.length === told.length) || undefined);
    expect(orders[1]).toEqual(orders[0] ?? []);
    expect(orders[2]).toEqual(orders[0] ?? []);
    expect(new Set(places).size).toBe(told.length);
  });

  test("a replica that leaves announces it, and others don't wait for it", async () => {
    const url = await newDatabase();
    const [one, other] = [await openReplica(url), await openReplica(url)];
    const gone: string[] = [];
    one.events.gossip.whenGone((replica) => gone.push(replica));
    await other.events.close();
    await until(async () => gone.length > 0 || undefined);
    expect(gone).toEqual([other.events.gossip.ownId]);
    // Shortly after it joins, a replica checks once whether it missed something, which isn't what this test is about.
    await until(async () => kindsIn(one.heard).has("missed") || undefined);
    one.heard.length = 0;
    one.events.publish(change("a"));
    await one.events.settled();
    expect(kindsIn(one.heard)).toEqual(new Set(["versionsChanged"]));
    const listening =
      "select from pg_stat_activity where application_name = 'vitrine events' and datname = current_database()";
    expect(await query(url, listening)).toHaveLength(1);
  });

  test("replicas reconnect to a restarted database; until then changes fail and caches aren't trusted", async () => {
    await using server = await startPostgres();
    const url = await server.createDatabase();
    const [one, other] = [await openReplica(url), await openReplica(url)];
    await server.stop("immediate");
    await until(async () => (!one.events.isHearing() && !other.events.isHearing()) || undefined);
    await until(
      async () => (kindsIn(one.heard).has("interrupted") && kindsIn(other.heard).has("interrupted")) || undefined,
    );
    one.events.publish(change("a"));
    const failure = await Promise.resolve(one.events.settled()).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Failure);
    await server.start();
    await Promise.all([one, other].map(isHearingAgain));
    // It may have joined after that was said.
    await until(async () => codesIn(other.heard).includes("a") || kindsIn(other.heard).has("missed") || undefined);
    one.events.publish(change("b"));
    await one.events.settled();
    expect(codesIn(other.heard)).toContain("b");
    await Promise.all(opened.splice(0).map((events) => events.close()));
  });

  test("a database that delivers no notifications is refused with a reason", async () => {
    const url = new URL(await newDatabase());
    await using pooler = await startDeafPooler(Number(url.port));
    url.port = String(pooler.port);
    const failure = await openPostgresEvents({ url: url.href, id: "x", log }).catch((error: unknown) => error);
    expect(String(failure)).toContain(
      "it delivers no notifications. A connection pooler in front of it must use session pooling.",
    );
  });

  test("closing works after the database has gone", async () => {
    await using server = await startPostgres();
    const { events } = await openReplica(await server.createDatabase());
    await server.stop("immediate");
    events.publish(change("a"));
    opened.length = 0;
    await events.close();
  });
});
