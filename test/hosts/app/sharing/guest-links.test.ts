import { describe, expect } from "bun:test";
import {
  guestLinksRoute,
  revokeGuestLinkRoute,
  updateGuestLinkRoute,
} from "../../../../src/contract/sharing/guest-links.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { uniqueName } from "../../../support/service.ts";
import { casesOf, testCases } from "../cases.ts";
import { createGuestLinkScene } from "./guest-link-scene.ts";
import { setGuestPassword } from "./guests.ts";

const listCase = casesOf<typeof guestLinksRoute>();
const updateCase = casesOf<typeof updateGuestLinkRoute>();
const revokeCase = casesOf<typeof revokeGuestLinkRoute>();

describeOneEngine("managing guest links", (engine) => {
  const { service, act, guests, organization, tokens, given, withLink, linksTo } = createGuestLinkScene(engine);

  describe("list", () => {
    testCases(() => service, guestLinksRoute, [
      listCase({
        name: "of a report: all links, newest first, also those to one version",
        async given() {
          const { name, code } = await given();
          await guests.create(tokens.author, { name, label: "first" });
          await guests.create(tokens.author, { code, label: "second" });
          return { name, code };
        },
        request: ({ name }) => ({ token: tokens.author, query: { name } }),
        status: 200,
        check: ({ links, can_mail }, { code }) => {
          expect(can_mail).toBe(false);
          expect(links.map((link) => [link.label, link.code])).toEqual([
            ["second", code],
            ["first", null],
          ]);
        },
      }),
      listCase({
        name: "of a version: only links to it",
        async given() {
          const report = await withLink();
          await guests.create(tokens.author, { code: report.code, label: "pinned" });
          return report;
        },
        request: ({ code }) => ({ token: tokens.author, query: { code } }),
        status: 200,
        check: ({ links }) => expect(links.map(({ label }) => label)).toEqual(["pinned"]),
      }),
      listCase({
        name: "of a workspace: for owners all of them",
        given: withLink,
        request: () => ({ token: tokens.owner, query: { owner: organization.slug } }),
        status: 200,
        check: ({ links }, { id }) => expect(links.map((link) => link.id)).toContain(id),
      }),
      listCase({
        name: "of a workspace: for members those to reports that they may share",
        async given() {
          const theirs = await withLink();
          const name = uniqueName();
          await act.publish(tokens.member, { name });
          return { theirs, own: await guests.create(tokens.member, { name }) };
        },
        request: () => ({ token: tokens.member, query: {} }),
        status: 200,
        check: ({ links }, { own }) => expect(links.map((link) => link.id)).toEqual([own.id]),
      }),
      listCase({
        name: "for those who may not share the report",
        given: withLink,
        request: ({ name }) => ({ token: tokens.member, query: { name } }),
        status: 403,
        error: "Ask the person who published it",
      }),
      listCase({
        name: "of another's workspace",
        given: withLink,
        request: () => ({ token: tokens.stranger, query: { owner: organization.slug } }),
        status: 404,
        error: "Workspace",
      }),
      listCase({
        name: "name and owner",
        given: withLink,
        request: ({ name }) => ({ token: tokens.author, query: { name, owner: organization.slug } }),
        status: 400,
        error: "only one of name, code and owner",
      }),
    ]);
  });

  describe("change", () => {
    testCases(() => service, updateGuestLinkRoute, [
      updateCase({
        name: "the label and the expiry",
        given: withLink,
        request: ({ id }) => ({ token: tokens.owner, body: { id, label: "Auditors", expires_at: "2999-06-30" } }),
        status: 200,
        check: (link) => expect(link).toMatchObject({ label: "Auditors", expires_at: "2999-06-30T23:59:59.999Z" }),
      }),
      updateCase({
        name: "removing the label keeps the expiry",
        async given() {
          const link = await withLink();
          await service
            .client(tokens.author)
            .call(updateGuestLinkRoute, { body: { id: link.id, expires_at: "2999-06-30" } });
          return link;
        },
        request: ({ id }) => ({ token: tokens.author, body: { id, label: null } }),
        status: 200,
        after: async ({ name }) =>
          expect((await linksTo(name))[0]).toMatchObject({ label: null, expires_at: "2999-06-30T23:59:59.999Z" }),
      }),
      updateCase({
        name: "nothing",
        given: withLink,
        request: ({ id }) => ({ token: tokens.author, body: { id } }),
        status: 400,
        error: "Specify at least one of label, expires_at, comments and preview.",
      }),
      updateCase({
        name: "a preview of a protected link",
        async given() {
          const link = await withLink();
          await setGuestPassword(service, link.id, "a password of guests");
          return link;
        },
        request: ({ id }) => ({ token: tokens.author, body: { id, label: "new", preview: true } }),
        status: 400,
        error: "preview can't be combined with password or emails",
        after: async ({ name }) => expect((await linksTo(name))[0]).toMatchObject({ label: "Board", preview: false }),
      }),
      updateCase({
        name: "a time in the past",
        given: withLink,
        request: ({ id }) => ({ token: tokens.author, body: { id, label: "new", expires_at: "2020-01-01" } }),
        status: 400,
        error: "expires_at must be in the future",
        after: async ({ name }) => expect((await linksTo(name))[0]).toMatchObject({ label: "Board" }),
      }),
      updateCase({
        name: "by someone who may not share the report",
        given: withLink,
        request: ({ id }) => ({ token: tokens.member, body: { id, label: "mine" } }),
        status: 403,
        error: "Ask the person who published it",
      }),
      updateCase({
        name: "another's link",
        given: withLink,
        request: ({ id }) => ({ token: tokens.stranger, body: { id, label: "mine" } }),
        status: 404,
        error: /^Guest link ".*" not found/,
      }),
    ]);
  });

  describe("revoke", () => {
    testCases(() => service, revokeGuestLinkRoute, [
      revokeCase({
        name: "by an owner",
        given: withLink,
        request: ({ id }) => ({ token: tokens.owner, body: { id } }),
        status: 200,
        after: async ({ name, url }) => {
          expect(await linksTo(name)).toEqual([]);
          expect((await guests.page(url)).status).toBe(404);
        },
      }),
      revokeCase({
        name: "twice",
        async given() {
          const link = await withLink();
          await guests.revoke(tokens.author, link.id);
          return link;
        },
        request: ({ id }) => ({ token: tokens.author, body: { id } }),
        status: 404,
        error: /^Guest link ".*" not found/,
      }),
      revokeCase({
        name: "by someone who may not share the report",
        given: withLink,
        request: ({ id }) => ({ token: tokens.member, body: { id } }),
        status: 403,
        error: "Ask the person who published it",
        after: async ({ url }) => expect((await guests.page(url)).status).toBe(200),
      }),
      revokeCase({
        name: "another's link",
        given: withLink,
        request: ({ id }) => ({ token: tokens.stranger, body: { id } }),
        status: 404,
        error: /^Guest link ".*" not found/,
      }),
    ]);
  });
});
