import { beforeAll, describe, expect, test } from "bun:test";
import { accountRoute } from "../../../../src/contract/people/account.ts";
import { noteSeenRoute, seenRoute, setSeenByRoute } from "../../../../src/contract/seen/seen.ts";
import type { SeenBy } from "../../../../src/domain/model/seen-by.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { addOrganization } from "../../../support/people.ts";
import { HTML, type Person, readersOf } from "../../../support/readers.ts";
import { uniqueName, useService } from "../../../support/service.ts";
import { asPage, pageClient, signIn } from "../../../support/sessions.ts";
import { settled } from "../../../support/until.ts";
import { actionsOf } from "../actions.ts";
import { casesOf, testCases } from "../cases.ts";
import { guestsOf, setGuestPassword } from "../sharing/guests.ts";

const getCase = casesOf<typeof seenRoute>();
const setCase = casesOf<typeof setSeenByRoute>();
const noteCase = casesOf<typeof noteSeenRoute>();

const TAB = { ...HTML, "Sec-Fetch-Dest": "document" };
const FRAME = { ...HTML, "Sec-Fetch-Dest": "iframe" };

describeOneEngine("seen by", (engine) => {
  const service = useService({ engine });
  const act = actionsOf(service);
  const readers = readersOf(service);
  const guests = guestsOf(service);
  let owner: Person;

  beforeAll(async () => {
    owner = await readers.person();
  });

  const setSeenBy = (token: string, slug: string, seen_by: SeenBy) =>
    service.client(token).call(setSeenByRoute, { body: { owner: slug, seen_by } });
  const seen = (token: string, name: string) => service.client(token).call(seenRoute, { query: { name } });
  const visit = async (code: string, headers: Record<string, string> = TAB, path = "") =>
    (await fetch(`${service.contentUrl}/${path}${code}/`, { headers, redirect: "manual" })).status;

  /** What was recorded, without times. */
  async function summary(token: string, name: string) {
    const { versions, links, readers: people, refused } = await seen(token, name);
    return {
      versions: versions.map(({ version_no, openings }) => [version_no, openings]),
      links: Object.fromEntries(links.map(({ link, openings }) => [link, openings])),
      readers: people.map(({ slug, openings, version_nos }) => [slug, openings, version_nos]),
      refused: refused?.attempts ?? 0,
    };
  }
  const settledSummary = (token: string, name: string, expected: unknown) =>
    settled(() => summary(token, name), expected);

  /** Creates a person whose workspace records something, with a report. */
  async function recording(seenBy: SeenBy, overrides: Parameters<typeof act.publish>[1] = {}) {
    const person = await readers.person();
    await setSeenBy(person.token, person.slug, seenBy);
    const name = uniqueName();
    const { code } = await act.publish(person.token, { name, visibility: "public", ...overrides });
    return { ...person, name, code };
  }

  /** Creates an organization that records something, with a report of its member. */
  async function organization(seenBy: SeenBy, overrides: Parameters<typeof act.publish>[1] = {}) {
    const people = await addOrganization(service);
    const { slug, owner: governor, admin, member } = people;
    const tokenOf = (person: { slug: string }) => service.build.token({ userSlug: person.slug, workspaceSlug: slug });
    const [ownerToken, adminToken, token] = [await tokenOf(governor), await tokenOf(admin), await tokenOf(member)];
    await setSeenBy(ownerToken, slug, seenBy);
    const name = uniqueName();
    const { code } = await act.publish(token, { name, visibility: "org", ...overrides });
    return { ...people, slug, name, code, token, ownerToken, adminToken };
  }

  /** Opens a report as a browser does: the page around it, and then its frame. */
  async function look(code: string, person: { email: string }, headers: Record<string, string> = {}) {
    const cookie = await signIn(service, person);
    const src = await readers.openedFrame(code, { cookie });
    expect((await fetch(src, { headers: { ...FRAME, ...headers } })).status).toBe(200);
    return cookie;
  }

  describe("what counts", () => {
    test.concurrent("each way to a public report, and reading it unchanged from the browser's cache", async () => {
      const { token, name, code } = await recording("counts");
      const first = await fetch(`${service.contentUrl}/${code}/`, { headers: TAB });
      const etag = first.headers.get("etag") ?? "";
      expect(await visit(code, { ...TAB, "If-None-Match": etag })).toBe(304);
      await visit(code, FRAME);
      await visit(code, FRAME, "~embed/");
      await settledSummary(token, name, {
        versions: [[1, 4]],
        links: { version: 2, live: 1, embed: 1 },
        readers: [],
        refused: 0,
      });
    });

    test.concurrent("browsers without fetch metadata, but no programs, scripts, prefetching or other files", async () => {
      const { token, name, code } = await recording("counts");
      await visit(code, { ...HTML, "Upgrade-Insecure-Requests": "1" });
      await visit(code, {});
      await visit(code, { "Sec-Fetch-Dest": "empty" });
      await visit(code, { ...TAB, "Sec-Purpose": "prefetch;prerender" });
      await fetch(`${service.contentUrl}/${code}/`, { method: "HEAD", headers: TAB });
      await fetch(`${service.contentUrl}/${code}/missing.css`, { headers: TAB });
      await act.read(token, code);
      // What is counted last shows that all of it was looked at.
      await visit(code, FRAME);
      await settledSummary(token, name, {
        versions: [[1, 2]],
        links: { version: 1, live: 1 },
        readers: [],
        refused: 0,
      });
    });

    test.concurrent("each guest link by itself, without naming guests, and wrong passwords as refused", async () => {
      const { token, name, code } = await recording("names", { visibility: "private" });
      const [link, guarded] = [await guests.create(token, { name }), await guests.create(token, { code })];
      for (let times = 0; times < 2; times++) {
        const { current } = await guests.opened(link.url);
        expect((await fetch(current.src, { headers: FRAME })).status).toBe(200);
      }
      await setGuestPassword(service, guarded.id, "a password of guests");
      expect((await guests.open(guarded.url, { password: "wrong" })).status).toBe(403);
      const { current } = await guests.opened(guarded.url, { password: "a password of guests" });
      expect((await fetch(current.src, { headers: FRAME })).status).toBe(200);
      await settledSummary(token, name, {
        versions: [[1, 3]],
        links: { [link.id]: 2, [guarded.id]: 1 },
        readers: [],
        refused: 1,
      });
    });

    test.concurrent("nothing in a workspace that records nothing", async () => {
      const { slug, token, name, code } = await recording("off");
      const witness = await recording("counts");
      await visit(code);
      await visit(witness.code);
      await settledSummary(witness.token, witness.name, {
        versions: [[1, 1]],
        links: { version: 1 },
        readers: [],
        refused: 0,
      });
      expect(await seen(token, name)).toEqual({ seen_by: "off", versions: [], links: [], readers: [], refused: null });
      await setSeenBy(token, slug, "counts");
      expect((await summary(token, name)).versions).toEqual([[1, 0]]);
    });

    test.concurrent("the people who open a report, with the versions that each has seen", async () => {
      const { ownerToken, token, name, code, owner: governor, admin, member } = await organization("names");
      await look(code, admin);
      const second = await act.publish(token, { name, visibility: "org" });
      await look(second.code, governor);
      await look(second.code, governor);
      // The one who published it doesn't count.
      await look(second.code, member);
      await settledSummary(ownerToken, name, {
        versions: [
          [2, 2],
          [1, 1],
        ],
        links: { private: 3 },
        readers: [
          [governor.slug, 2, [2]],
          [admin.slug, 1, [1]],
        ],
        refused: 0,
      });
      expect(await summary(token, name)).toEqual(await summary(ownerToken, name));
    });

    test.concurrent("people who open a report in the portal", async () => {
      const { ownerToken, name, code, admin } = await organization("names");
      const cookie = await signIn(service, admin);
      expect(await pageClient(service, cookie).call(noteSeenRoute, { body: { code } })).toEqual({ ok: true });
      await settledSummary(ownerToken, name, {
        versions: [[1, 1]],
        links: { portal: 1 },
        readers: [[admin.slug, 1, [1]]],
        refused: 0,
      });
    });

    test.concurrent("no names of people whose browser asks for privacy, nor where only numbers are recorded", async () => {
      const named = await organization("names");
      await look(named.code, named.admin, { "Sec-GPC": "1" });
      await look(named.code, named.owner, { DNT: "1" });
      const counted = await organization("counts");
      await look(counted.code, counted.admin);
      const expected = (openings: number) => ({
        versions: [[1, openings]],
        links: { private: openings },
        readers: [],
        refused: 0,
      });
      await settledSummary(named.ownerToken, named.name, expected(2));
      await settledSummary(counted.ownerToken, counted.name, expected(1));
    });

    test.concurrent("attempts of people who may not read it, as a number", async () => {
      const { ownerToken, name, code, stranger } = await organization("names", { visibility: "private" });
      const cookie = await signIn(service, stranger);
      expect((await readers.open(`/${code}/`, cookie)).status).toBe(404);
      expect((await readers.open(`/${name}/`, cookie)).status).toBe(404);
      expect(await visit(code)).toBe(404);
      // These lead to the sign-in page.
      await readers.open(`/${code}/`, undefined);
      await readers.open(`/${name}/`, undefined);
      await settledSummary(ownerToken, name, { versions: [[1, 0]], links: {}, readers: [], refused: 3 });
    });
  });

  describe("what readers are told", () => {
    const NOTICE = "The publisher sees that you viewed this";
    const pageOf = async (path: string, cookie: string, headers: Record<string, string> = {}) =>
      (await readers.open(path, cookie, { ...HTML, ...headers })).text();

    test("that they are named, on version links and live links", async () => {
      const { code, name, admin, member } = await organization("names");
      const cookie = await signIn(service, admin);
      for (const path of [`/${code}/`, `/${name}/`]) {
        expect(await pageOf(path, cookie)).toContain(NOTICE);
        expect(await pageOf(path, cookie, { "Sec-GPC": "1" })).not.toContain(NOTICE);
        expect(await pageOf(path, await signIn(service, member))).not.toContain(NOTICE);
      }
    });

    test("nothing where only numbers are recorded", async () => {
      const { code, name, admin } = await organization("counts");
      const cookie = await signIn(service, admin);
      for (const path of [`/${code}/`, `/${name}/`]) expect(await pageOf(path, cookie)).not.toContain(NOTICE);
    });
  });

  describe("changing the setting", () => {
    test("to counts deletes the names, and to off everything", async () => {
      const { slug, ownerToken, name, code, admin } = await organization("names");
      await look(code, admin);
      const counts = { versions: [[1, 1]], links: { private: 1 }, refused: 0 };
      await settledSummary(ownerToken, name, { ...counts, readers: [[admin.slug, 1, [1]]] });
      await setSeenBy(ownerToken, slug, "counts");
      expect(await summary(ownerToken, name)).toEqual({ ...counts, readers: [] });
      await setSeenBy(ownerToken, slug, "names");
      expect(await summary(ownerToken, name)).toEqual({ ...counts, readers: [] });
      await setSeenBy(ownerToken, slug, "off");
      await setSeenBy(ownerToken, slug, "names");
      expect(await summary(ownerToken, name)).toEqual({ versions: [[1, 0]], links: {}, readers: [], refused: 0 });
    });
  });

  testCases(() => service, seenRoute, [
    getCase({
      name: "its owner's",
      given: () => recording("counts"),
      request: ({ token, name }) => ({ token, query: { name } }),
      status: 200,
    }),
    getCase({
      name: "by the code of a version",
      given: () => recording("counts"),
      request: ({ token, code }) => ({ token, query: { code } }),
      status: 200,
    }),
    getCase({
      name: "a member's private report, for an admin",
      given: () => organization("names", { visibility: "private" }),
      request: ({ adminToken, name }) => ({ token: adminToken, query: { name } }),
      status: 200,
    }),
    getCase({
      name: "a report that the caller may only read",
      given: async () => {
        const { slug, stranger, join, name } = await organization("names");
        await join(stranger, "member");
        return { name, token: await service.build.token({ userSlug: stranger.slug, workspaceSlug: slug }) };
      },
      request: ({ token, name }) => ({ token, query: { name } }),
      status: 403,
      error: /^Only the person who published this report, and owners and admins/,
    }),
    getCase({
      name: "another person's public report",
      given: () => recording("counts"),
      request: ({ name }) => ({ token: owner.token, query: { name } }),
      status: 404,
      error: /^Report ".*" not found/,
    }),
    getCase({
      name: "a report that doesn't exist",
      given: () => ({ name: uniqueName() }),
      request: ({ name }) => ({ token: owner.token, query: { name } }),
      status: 404,
      error: /^Report ".*" not found/,
    }),
    getCase({
      name: "no reference",
      given: () => ({}),
      request: () => ({ token: owner.token }),
      status: 400,
      error: "Specify either name or code",
    }),
  ]);

  testCases(() => service, setSeenByRoute, [
    setCase({
      name: "one's own workspace",
      given: () => readers.person(),
      request: ({ token, slug }) => ({ token, body: { owner: slug, seen_by: "names" } }),
      status: 200,
      after: async ({ token }) => {
        const { workspaces } = await service.client(token).call(accountRoute);
        expect(workspaces.map(({ seen_by }) => seen_by)).toEqual(["names"]);
      },
    }),
    setCase({
      name: "an organization, as an admin",
      given: () => organization("off"),
      request: ({ adminToken, slug }) => ({ token: adminToken, body: { owner: slug, seen_by: "counts" } }),
      status: 200,
    }),
    setCase({
      name: "an organization, as a member",
      given: () => organization("off"),
      request: ({ token, slug }) => ({ token, body: { owner: slug, seen_by: "counts" } }),
      status: 403,
      error: /^Only owners and admins/,
    }),
    setCase({
      name: "another workspace",
      given: () => readers.person(),
      request: ({ slug }) => ({ token: owner.token, body: { owner: slug, seen_by: "counts" } }),
      status: 404,
      error: /^Workspace ".*" not found/,
    }),
    setCase({
      name: "something else",
      given: () => readers.person(),
      request: ({ token, slug }) => ({ token, body: { owner: slug, seen_by: "everything" } }),
      status: 400,
      error: /seen_by/,
    }),
  ]);

  testCases(() => service, noteSeenRoute, [
    noteCase({
      name: "a report that the caller may read",
      given: () => act.publish(owner.token),
      request: ({ code }) => ({ headers: asPage(service, owner.cookie), body: { code } }),
      status: 200,
    }),
    noteCase({
      name: "another person's report",
      given: () => recording("names"),
      request: ({ code }) => ({ headers: asPage(service, owner.cookie), body: { code } }),
      status: 404,
      error: /^Version ".*" not found/,
    }),
    noteCase({
      name: "with an access token",
      given: () => act.publish(owner.token),
      request: ({ code }) => ({ token: owner.token, body: { code } }),
      status: 403,
      error: /requires a browser session/,
    }),
  ]);
});
