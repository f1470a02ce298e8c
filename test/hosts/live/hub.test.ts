import { expect, test } from "bun:test";
import { createLive } from "../../../src/domain/live/live.ts";
import { authorizeControlItem } from "../../../src/domain/model/access.ts";
import { SCOPES } from "../../../src/domain/model/entities.ts";
import { createLinks } from "../../../src/domain/model/links.ts";
import { sessionRef } from "../../../src/domain/people/sessions.ts";
import { createLiveReaders } from "../../../src/domain/private-links/live-readers.ts";
import { createGuestReaders } from "../../../src/domain/sharing/guest-readers.ts";
import { createLocalEvents } from "../../../src/events/local.ts";
import { createHub, type LiveSocket } from "../../../src/hosts/live/hub.ts";
import { silentLog } from "../../../src/observability/log.ts";
import { addOwner, buildPublication, openTestStore } from "../../store/support.ts";
import { describeEachEngine } from "../../support/engines.ts";
import { clock, uniqueName } from "../../support/service.ts";
import { until } from "../../support/until.ts";
import { use } from "../../support/use.ts";

const links = createLinks({ baseUrl: "http://localhost", contentUrl: "http://127.0.0.1" });
const SESSIONS = 150;

describeEachEngine("readers of a private live link", (engine) => {
  const shared = use(() => openTestStore(engine));

  /** Adds sessions of a user, and returns their refs. */
  async function addSessions(userId: string): Promise<string[]> {
    const ids = Array.from({ length: SESSIONS }, () => crypto.randomUUID());
    const now = Date.now();
    const times = { expires_at: now + 3_600_000, authenticated_at: now, created_at: now, updated_at: now };
    const values = ids.map((id) => ({ id, ref: sessionRef(id), token: `secret of ${id}`, user_id: userId, ...times }));
    await shared.rows.insertInto("sessions").values(values).execute();
    return ids.map(sessionRef);
  }

  /** Opens a hub on the real store, which notes how many readers each lookup is for. */
  function openHub() {
    const { store } = shared;
    const lookups: number[] = [];
    const people: typeof store.people = {
      ...store.people,
      findStandings(subject, refs, now) {
        lookups.push(refs.length);
        return store.people.findStandings(subject, refs, now);
      },
    };
    const events = createLocalEvents();
    const live = createLive({ store, links });
    const readers = createLiveReaders({ store: { people }, links, clock, secret: "secret" });
    const hub = createHub({ live, events, clock, log: silentLog });
    return { lookups, events, readers, hub, [Symbol.dispose]: () => hub.stop() };
  }

  test("are looked up with one query at each change, and see only what each may read", async () => {
    const [owner, stranger] = [await addOwner(shared), await addOwner(shared)];
    const { workspaceId } = owner;
    const name = uniqueName();
    const { itemId } = await shared.store.publishing.publish(buildPublication(owner, { name }));
    using opened = openHub();
    const { hub, lookups, events, readers } = opened;
    const heard: string[][] = [];

    function arrive({ userId, caller }: typeof owner, ref: string): void {
      const own: string[] = [];
      heard.push(own);
      const session = {
        id: ref,
        ref,
        expiresAt: Date.now() + 3_600_000,
        authenticatedAt: 0,
        user: { email: "a@example.org", name: "A" },
        caller: { ...caller, userId, scopes: new Set(SCOPES) },
      };
      const socket: LiveSocket = {
        data: { itemId, workspaceId, reader: readers.signedIn(session), address: "" },
        send: (text) => own.push(JSON.parse(String(text)).type),
        close: () => hub.close(socket),
      };
      hub.open(socket);
    }

    for (const ref of await addSessions(owner.userId)) arrive(owner, ref);
    const [ofStranger = ""] = await addSessions(stranger.userId);
    arrive(stranger, ofStranger);
    await until(() => heard.every(({ length }) => length === 1));
    expect(heard.at(-1)).toEqual(["gone"]);

    lookups.length = 0;
    await shared.store.publishing.publish(buildPublication(owner, { name }));
    events.publish({ kind: "itemChanged", itemId, workspaceId, isAddition: true });
    await until(() => heard.slice(0, -1).every(({ length }) => length === 2));
    expect(lookups).toEqual([SESSIONS]);
    expect(new Set(heard.slice(0, -1).map((types) => types.join()))).toEqual(new Set(["hello,version"]));
  });

  test("with a guest link are cut off when it ends, also if that was set while they arrived", async () => {
    const owner = await addOwner(shared);
    const { sharing, publishing, reports } = shared.store;
    const { code, itemId } = await publishing.publish(buildPublication(owner, { name: uniqueName() }));
    const found = await reports.findVersion(code);
    const item = authorizeControlItem(owner.caller, found);
    if (item === undefined || found === undefined) throw new Error("The report was not stored.");
    const id = `lnk_${uniqueName()}`;
    const state = { id, label: null, takesComments: false, hasPreview: false };
    const link = {
      ...{ ...state, hash: id, subject: { item }, creatorId: owner.userId, createdAt: clock.now(), expiresAt: null },
      ...{ passwordHash: null, emails: null, embedOrigins: null },
    };
    await sharing.addGuestLink({ link, limit: 1 });
    const open = await sharing.findOpenGuestLink(link.hash, clock.now());
    if (open === undefined) throw new Error("The link doesn't open.");
    const guests = createGuestReaders({ store: { sharing }, links, clock, secret: "secret" });
    using opened = openHub();
    const { hub, events } = opened;
    const heard: string[] = [];
    const socket: LiveSocket = {
      data: { itemId, workspaceId: owner.workspaceId, reader: guests.readerOf(open), address: "" },
      send: (text) => heard.push(JSON.parse(String(text)).type),
      close: () => hub.close(socket),
    };

    const expiresAt = clock.now() + 300;
    await sharing.updateGuestLink({ ...state, expiresAt, of: found });
    events.publish({ kind: "guestLinkChanged", linkId: id });
    hub.open(socket);
    await until(() => heard.includes("gone"));
    expect(clock.now()).toBeGreaterThanOrEqual(expiresAt);
    expect(heard).toEqual(["hello", "gone"]);
  });

  test("are looked up whatever their number, without those whose session has ended", async () => {
    const { userId, workspaceId } = await addOwner(shared);
    const refs = await addSessions(userId);
    const find = async (some: readonly string[], now = Date.now()) =>
      (await shared.store.people.findStandings({ workspaceId, itemId: 0, code: "" }, some, now))
        .map(({ ref }) => ref)
        .toSorted();
    for (const count of [0, 1, 2, 3, 5, SESSIONS]) {
      const some = refs.slice(0, count);
      expect(await find(some)).toEqual(some.toSorted());
    }
    expect(await find([...refs.slice(0, 2), "unknown"])).toEqual(refs.slice(0, 2).toSorted());
    expect(await find(refs, Date.now() + 7_200_000)).toEqual([]);
  });
});
