import { beforeAll, describe, expect, test } from "bun:test";
import { accountRoute } from "../../../../src/contract/people/account.ts";
import { noteSeenRoute, seenRoute, setSeenByRoute } from "../../../../src/contract/seen/seen.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { HTML, type Person } from "../../../support/readers.ts";
import { uniqueName, useService } from "../../../support/service.ts";
import { asPage, signIn } from "../../../support/sessions.ts";
import { casesOf, testCases } from "../cases.ts";
import { createSeenScene } from "./seen-scene.ts";

const getCase = casesOf<typeof seenRoute>();
const setCase = casesOf<typeof setSeenByRoute>();
const noteCase = casesOf<typeof noteSeenRoute>();

describeOneEngine("seen by", (engine) => {
  const service = useService({ engine });
  const { act, readers, setSeenBy, summary, settledSummary, recording, organization, look } = createSeenScene(service);
  let owner: Person;

  beforeAll(async () => {
    owner = await readers.person();
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
