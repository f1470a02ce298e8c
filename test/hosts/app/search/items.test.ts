import { beforeAll, expect } from "bun:test";
import { itemsRoute, largestItemsRoute } from "../../../../src/contract/search/items.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { addOrganization } from "../../../support/people.ts";
import { uniqueName, useService } from "../../../support/service.ts";
import { actionsOf } from "../actions.ts";
import { casesOf, testCases } from "../cases.ts";

const itemsCase = casesOf<typeof itemsRoute>();
const largestCase = casesOf<typeof largestItemsRoute>();

const ofSize = (bytes: number) => ({ files: [{ path: "index.html", content: "x".repeat(bytes) }] });

describeOneEngine("several reports", (engine) => {
  const service = useService({ engine });
  const act = actionsOf(service);
  let user: { slug: string; token: string };

  beforeAll(async () => {
    user = await service.build.user();
  });

  /** Creates an organization's reports: one that all members see, and one that its publisher and admins see. */
  async function shared() {
    const { slug, owner, member, stranger } = await addOrganization(service);
    const [open, closed] = [uniqueName("open"), uniqueName("closed")];
    const inside = await service.build.token({ userSlug: owner.slug, workspaceSlug: slug });
    const first = await act.publish(inside, { name: open, visibility: "org", ...ofSize(100) });
    const hidden = await act.publish(inside, { name: closed, visibility: "private", ...ofSize(900) });
    return { slug, owner, member, stranger, open, closed, first, hidden };
  }

  testCases(() => service, itemsRoute, [
    itemsCase({
      name: "reports by name and by the code of any version, in order and once each",
      given: async () => {
        const [one, two] = [uniqueName(), uniqueName()];
        const old = await act.publish(user.token, { name: one, title: "One" });
        await act.publish(user.token, { name: one, title: "One" });
        await act.publish(user.token, { name: two, title: "Two" });
        const unnamed = await act.publish(user.token, { title: "Unnamed" });
        return { one, two, old, unnamed };
      },
      request: ({ one, two, old, unnamed }) => ({
        token: user.token,
        query: { owner: user.slug, name: [two, one, "no-such-name"], code: [unnamed.code, old.code] },
      }),
      status: 200,
      check: ({ owner, items }, { one, two, unnamed }) => {
        expect(owner).toBe(user.slug);
        expect(items.map(({ title }) => title)).toEqual(["Two", "One", "Unnamed"]);
        expect(items).toMatchObject([
          { kind: "group", name: two, url: expect.stringContaining(`/${two}/`) },
          { kind: "group", name: one, version_count: 2 },
          { kind: "report", code: unnamed.code, creator: { slug: user.slug } },
        ]);
      },
    }),
    itemsCase({
      name: "nothing for no references",
      given: () => ({}),
      request: () => ({ token: user.token, query: { owner: user.slug } }),
      status: 200,
      check: ({ items }) => expect(items).toEqual([]),
    }),
    itemsCase({
      name: "a member gets only what they may read",
      given: shared,
      request: ({ slug, member, open, closed, first, hidden }) => ({
        token: member.token,
        query: { owner: slug, name: [closed, open], code: [hidden.code, first.code] },
      }),
      status: 200,
      check: ({ items }, { open }) => expect(items.map(({ name }) => name)).toEqual([open]),
    }),
    itemsCase({
      name: "an admin gets all of them",
      given: shared,
      request: ({ slug, owner, open, hidden }) => ({
        token: owner.token,
        query: { owner: slug, name: open, code: hidden.code },
      }),
      status: 200,
      check: ({ items }, { open, closed }) => expect(items.map(({ name }) => name)).toEqual([open, closed]),
    }),
    itemsCase({
      name: "reports of another workspace are left out, even if the caller may read them",
      given: shared,
      request: ({ owner, open, first }) => ({
        token: owner.token,
        query: { owner: owner.slug, name: open, code: first.code },
      }),
      status: 200,
      check: ({ items }) => expect(items).toEqual([]),
    }),
    itemsCase({
      name: "a workspace that the caller doesn't belong to",
      given: shared,
      request: ({ slug, stranger, open }) => ({ token: stranger.token, query: { owner: slug, name: open } }),
      status: 404,
      error: "Workspace",
    }),
    itemsCase({
      name: "more references than the limit",
      given: () => ({}),
      request: () => ({
        token: user.token,
        query: { owner: user.slug, name: Array.from({ length: 101 }, (_, number) => `n${number}`) },
      }),
      status: 400,
      error: "at most 100 times",
    }),
    itemsCase({
      name: "a delete-only token",
      given: async () => ({
        token: await service.build.token({ userSlug: user.slug, scopes: ["reports:delete"] }),
      }),
      request: ({ token }) => ({ token, query: { owner: user.slug } }),
      status: 403,
      error: "reports:read",
    }),
    itemsCase({
      name: "no credentials",
      given: () => ({}),
      request: () => ({ query: { owner: user.slug } }),
      status: 401,
    }),
  ]);

  testCases(() => service, largestItemsRoute, [
    largestCase({
      name: "the largest reports, with the sizes of all their versions",
      given: async () => {
        const { slug, token } = await service.build.user();
        const [grown, small] = [uniqueName("grown"), uniqueName("small")];
        await act.publish(token, { name: small, ...ofSize(10) });
        await act.publish(token, { name: grown, ...ofSize(300) });
        const single = await act.publish(token, ofSize(400));
        await act.publish(token, { name: grown, ...ofSize(200) });
        return { slug, token, grown, small, single };
      },
      request: ({ slug, token }) => ({ token, query: { owner: slug, limit: "2" } }),
      status: 200,
      check: ({ owner, items }, { slug, grown, single }) => {
        expect(owner).toBe(slug);
        expect(items).toHaveLength(2);
        expect(items).toMatchObject([
          { name: grown, size: 500, version_count: 2, may_control: true },
          { code: single.code, kind: "report", size: 400, may_control: true },
        ]);
      },
    }),
    largestCase({
      name: "an empty workspace",
      given: () => service.build.user(),
      request: ({ slug, token }) => ({ token, query: { owner: slug } }),
      status: 200,
      check: ({ items }) => expect(items).toEqual([]),
    }),
    largestCase({
      name: "a member sees only what they may read, and what of it they may delete",
      given: async () => {
        const given = await shared();
        const inside = await service.build.token({ userSlug: given.member.slug, workspaceSlug: given.slug });
        const own = uniqueName("own");
        await act.publish(inside, { name: own, visibility: "private", ...ofSize(50) });
        return { ...given, own };
      },
      request: ({ slug, member }) => ({ token: member.token, query: { owner: slug } }),
      status: 200,
      check: ({ items }, { open, own }) =>
        expect(items.map(({ name, size, may_control }) => ({ name, size, may_control }))).toEqual([
          { name: open, size: 100, may_control: false },
          { name: own, size: 50, may_control: true },
        ]),
    }),
    largestCase({
      name: "versions that a member may not read don't count",
      given: async () => {
        const given = await shared();
        const inside = await service.build.token({ userSlug: given.owner.slug, workspaceSlug: given.slug });
        const { code } = await act.publish(inside, { name: given.open, ...ofSize(700) });
        await act.publish(inside, { name: given.open, ...ofSize(30) });
        await act.setVisibility(inside, { code, visibility: "private" });
        return given;
      },
      request: ({ slug, member }) => ({ token: member.token, query: { owner: slug } }),
      status: 200,
      check: ({ items }, { open }) => expect(items).toMatchObject([{ name: open, size: 130 }]),
    }),
    largestCase({
      name: "an admin may delete all of them",
      given: shared,
      request: ({ slug, owner }) => ({ token: owner.token, query: { owner: slug } }),
      status: 200,
      check: ({ items }, { open, closed }) =>
        expect(items.map(({ name, may_control }) => ({ name, may_control }))).toEqual([
          { name: closed, may_control: true },
          { name: open, may_control: true },
        ]),
    }),
    largestCase({
      name: "a workspace that the caller doesn't belong to",
      given: shared,
      request: ({ slug, stranger }) => ({ token: stranger.token, query: { owner: slug } }),
      status: 404,
      error: "Workspace",
    }),
    largestCase({
      name: "a limit that is too large",
      given: () => ({}),
      request: () => ({ token: user.token, query: { owner: user.slug, limit: "51" } }),
      status: 400,
      error: "limit must be between 1 and 50",
    }),
    largestCase({
      name: "a delete-only token",
      given: async () => ({
        token: await service.build.token({ userSlug: user.slug, scopes: ["reports:delete"] }),
      }),
      request: ({ token }) => ({ token, query: { owner: user.slug } }),
      status: 403,
      error: "reports:read",
    }),
    largestCase({
      name: "no credentials",
      given: () => ({}),
      request: () => ({ query: { owner: user.slug } }),
      status: 401,
    }),
  ]);
});
