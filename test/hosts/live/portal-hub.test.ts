import { afterEach, beforeEach, describe, expect, jest, test } from "bun:test";
import { type Membership, SCOPES } from "../../../src/domain/model/entities.ts";
import type { KnownSession, SessionStore } from "../../../src/domain/people/ports.ts";
import { createLocalEvents } from "../../../src/events/local.ts";
import { createPortalHub, type PortalSocket } from "../../../src/hosts/live/portal-hub.ts";
import { createRecordingLog } from "../../support/log.ts";
import { nextTurn, passTime } from "../../support/until.ts";

const HELLO = '{"type":"hello"}';
const ACCOUNT = '{"type":"account"}';
const GONE = '{"type":"gone"}';
const changed = (owner: string, ...about: string[]) => JSON.stringify({ type: "changed", owner, about });
/** Milliseconds after which everything under way has been sent. */
const SETTLED = 150;

const workspace = (slug: string): Membership => ({
  id: `wsp_${slug}`,
  slug,
  kind: slug === "own" ? "user" : "org",
  displayName: null,
  plan: "pro",
  role: "owner",
});

function sessionOf(ref: string, slugs: readonly string[], expiresAt: number): KnownSession {
  const memberships = slugs.map(workspace);
  const caller = {
    userId: "usr_a",
    verifiedEmail: null,
    workspace: workspace("own"),
    memberships,
    scopes: new Set(SCOPES),
    credentialId: "",
    isOperator: false,
  };
  return { id: ref, ref, expiresAt, authenticatedAt: 0, user: { email: "a@example.org", name: "A" }, caller };
}

interface FakeSocket extends PortalSocket {
  heard: string[];
  closedWith: number | undefined;
}

function createSocket(ref: string): FakeSocket {
  const heard: string[] = [];
  const socket: FakeSocket = {
    data: { ref, userId: "usr_a", address: "" },
    heard,
    closedWith: undefined,
    send: (text) => heard.push(String(text)),
    close(code) {
      socket.closedWith = code;
    },
  };
  return socket;
}

describe("the hub of the portal's sockets", () => {
  let belongsTo: string[] | undefined;
  /** Delays reading a session. */
  let reading: Promise<unknown>;
  let reads: number;
  let now: number;
  let errors: ReturnType<typeof createRecordingLog>["events"];
  const sessions: Pick<SessionStore, "findSessionByRef"> = {
    async findSessionByRef(ref) {
      reads++;
      const slugs = belongsTo;
      await reading;
      return slugs && now < 1_000 ? sessionOf(ref, slugs, 1_000) : undefined;
    },
  };
  let events: ReturnType<typeof createLocalEvents>;
  let hub: ReturnType<typeof createPortalHub>;

  beforeEach(() => {
    jest.useFakeTimers();
    belongsTo = ["own", "org"];
    reading = Promise.resolve();
    [reads, now] = [0, 0];
    const recording = createRecordingLog();
    errors = recording.events;
    events = createLocalEvents();
    hub = createPortalHub({ store: { people: sessions }, events, clock: { now: () => now }, log: recording.log });
  });
  afterEach(() => {
    hub.stop();
    jest.useRealTimers();
  });

  async function arrive(ref = "one"): Promise<FakeSocket> {
    const socket = createSocket(ref);
    hub.open(socket);
    await passTime(SETTLED);
    expect(socket.heard.splice(0)).toEqual([HELLO]);
    return socket;
  }

  const change = (slug: string) => events.publish({ kind: "itemChanged", itemId: 1, workspaceId: `wsp_${slug}` });
  const loseOrg = () => {
    belongsTo = ["own"];
    events.publish({ kind: "membershipChanged", userId: "usr_a", workspaceId: "wsp_org", ownWorkspaceId: "wsp_own" });
  };

  test("simultaneous news is one message, and the rest waits for the end of the window", async () => {
    const socket = await arrive();
    change("org");
    events.publish({ kind: "workspaceChanged", workspaceId: "wsp_org", about: "cabinet" });
    change("org");
    await passTime(1);
    expect(socket.heard).toEqual([changed("org", "cabinet", "items")]);
    for (let count = 0; count < 10; count++) change("org");
    await passTime(1);
    expect(socket.heard).toHaveLength(1);
    await passTime(SETTLED);
    expect(socket.heard).toEqual([changed("org", "cabinet", "items"), changed("org", "items")]);
  });

  test("a removed member gets no more messages, not even pending ones", async () => {
    const socket = await arrive();
    change("org");
    loseOrg();
    change("org");
    await passTime(SETTLED);
    change("org");
    await passTime(SETTLED);
    expect(socket.heard).toEqual([ACCOUNT, HELLO]);
    change("own");
    await passTime(SETTLED);
    expect(socket.heard.at(-1)).toBe(changed("own", "items"));
  });

  test("a lookup that started before the removal doesn't count", async () => {
    const socket = await arrive();
    const slow = Promise.withResolvers<void>();
    reading = slow.promise;
    events.publish({ kind: "accountChanged", userId: "usr_a" });
    await passTime(1);
    loseOrg();
    slow.resolve();
    await passTime(1);
    change("org");
    await passTime(SETTLED);
    change("org");
    await passTime(SETTLED);
    expect(socket.heard.filter((text) => text.includes("org"))).toEqual([]);
    expect(socket.heard).toContain(ACCOUNT);
  });

  test("news during a lookup is not lost: the page is told to fetch everything", async () => {
    const socket = await arrive();
    const slow = Promise.withResolvers<void>();
    reading = slow.promise;
    events.publish({ kind: "accountChanged", userId: "usr_a" });
    events.publish({ kind: "workspaceChanged", workspaceId: "wsp_own", about: "shortcuts", userId: "usr_a" });
    change("own");
    await passTime(SETTLED);
    expect(socket.heard).toEqual([]);
    slow.resolve();
    await passTime(SETTLED);
    expect(socket.heard).toEqual([ACCOUNT, HELLO]);
  });

  test("shortcuts of other people or in other workspaces are not announced", async () => {
    const socket = await arrive();
    events.publish({ kind: "workspaceChanged", workspaceId: "wsp_other", about: "shortcuts", userId: "usr_a" });
    events.publish({ kind: "workspaceChanged", workspaceId: "wsp_org", about: "shortcuts", userId: "usr_b" });
    events.publish({ kind: "accountChanged", userId: "usr_b" });
    await passTime(SETTLED);
    expect(socket.heard).toEqual([]);
  });

  test("a session that can't be read is read again, and gets no messages until then", async () => {
    const socket = await arrive();
    reading = Promise.reject(new Error("away"));
    events.publish({ kind: "accountChanged", userId: "usr_a" });
    change("own");
    await passTime(SETTLED);
    expect([socket.heard, errors.length]).toEqual([[], 1]);
    reading = Promise.resolve();
    await passTime(1_100);
    expect(socket.heard).toEqual([ACCOUNT, HELLO]);
  });

  test("an expired session is closed within a second, even if nothing happens", async () => {
    const [socket, other] = [await arrive(), await arrive("two")];
    now = 1_000;
    await passTime(900);
    for (const { heard, closedWith } of [socket, other]) expect([heard, closedWith]).toEqual([[GONE], 1000]);
  });

  test("everyone in a large organization gets every kind of change, without blocking the event loop", async () => {
    const crowd = Array.from({ length: 3_000 }, (_, number) => createSocket(`of ${number}`));
    for (const socket of crowd) hub.open(socket);
    await passTime(500);
    change("org");
    await nextTurn();
    expect(crowd.filter(({ heard }) => heard.length > 1).length).toBeLessThan(500);
    events.publish({ kind: "workspaceChanged", workspaceId: "wsp_org", about: "cabinet" });
    await passTime(500);
    for (const { heard } of crowd) {
      const text = heard.join();
      expect([text.includes("items"), text.includes("cabinet")]).toEqual([true, true]);
    }
  });

  test("a socket that leaves gets nothing more and leaves no memory behind", async () => {
    const socket = await arrive();
    hub.close(socket);
    const before = reads;
    events.publish({ kind: "accountChanged", userId: "usr_a" });
    change("org");
    await passTime(SETTLED);
    expect([socket.heard, reads]).toEqual([[], before]);
  });
});
