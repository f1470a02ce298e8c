import { beforeAll, describe, expect, test } from "bun:test";
import {
  createGuestLinkRoute,
  guestLinksRoute,
  revokeGuestLinkRoute,
  updateGuestLinkRoute,
} from "../../../../src/contract/sharing/guest-links.ts";
import { GUEST_LINKS_PER_REPORT } from "../../../../src/domain/sharing/guest-limits.ts";
import { executeSql } from "../../../support/direct-sql.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { uniqueName, useService } from "../../../support/service.ts";
import { actionsOf } from "../actions.ts";
import { casesOf, testCases } from "../cases.ts";
import { guestsOf, secretIn, setGuestPassword, storedRows } from "./guests.ts";

const createCase = casesOf<typeof createGuestLinkRoute>();
const listCase = casesOf<typeof guestLinksRoute>();
const updateCase = casesOf<typeof updateGuestLinkRoute>();
const revokeCase = casesOf<typeof revokeGuestLinkRoute>();

describeOneEngine("managing guest links", (engine) => {
  const service = useService({ engine });
  const act = actionsOf(service);
  const guests = guestsOf(service);
  let owner: string;
  let author: string;
  let member: string;
  let stranger: string;
  let slug: string;

  beforeAll(async () => {
    const organization = await service.build.organization({ roles: ["member", "member"] });
    slug = organization.slug;
    owner = organization.owner.token;
    author = organization.members[0]?.token ?? "";
    member = organization.members[1]?.token ?? "";
    stranger = (await service.build.user()).token;
  });

  async function given(visibility: "private" | "org" | "public" = "org") {
    const name = uniqueName();
    const { code } = await act.publish(author, { name, title: "Figures", visibility });
    return { name, code };
  }
  const withLink = async () => {
    const report = await given();
    return { ...report, ...(await guests.create(author, { name: report.name, label: "Board" })) };
  };
  const linksTo = (name: string) => guests.list(author, { name });

  describe("create", () => {
    const refused = (name: string, error: string | RegExp, body: object) =>
      createCase({
        name,
        given,
        request: (report) => ({ token: author, body: { name: report.name, ...body } }),
        status: 400,
        error,
        after: async (report) => expect(await linksTo(report.name)).toEqual([]),
      });
    const origin = (value: string) =>
      refused(`the embed origin ${value}`, /^embed_origins /, { embed_origins: [value] });

    testCases(() => service, createGuestLinkRoute, [
      ...(["private", "org", "public"] as const).map((visibility) =>
        createCase({
          name: `whoever made a ${visibility} report can share it`,
          given: () => given(visibility),
          request: ({ name }) => ({ token: author, body: { name } }),
          status: 200,
          check: ({ url }) => expect(secretIn(url)).toMatch(/^[0-9A-Za-z]{43}$/),
          after: async ({ name }) => expect(await linksTo(name)).toHaveLength(1),
        }),
      ),
      createCase({
        name: "an owner can share the reports of members, with every limit",
        given,
        request: ({ name }) => ({
          token: owner,
          body: {
            name,
            label: " Board meeting ",
            expires_at: "2999-01-31",
            password: "a password of guests",
            embed_origins: ["https://www.notion.so", "https://www.NOTION.so", "http://localhost:3000"],
          },
        }),
        status: 200,
        after: async ({ name }) =>
          expect(await linksTo(name)).toEqual([
            expect.objectContaining({
              label: "Board meeting",
              name,
              code: null,
              title: "Figures",
              expires_at: "2999-01-31T23:59:59.999Z",
              has_password: true,
              emails: [],
              embed_origins: ["https://www.notion.so", "http://localhost:3000"],
              uses: 0,
              last_used_at: null,
            }),
          ]),
      }),
      createCase({
        name: "a member can't share the report of another",
        given,
        request: ({ name }) => ({ token: member, body: { name } }),
        status: 403,
        error: "Ask the person who published it",
        after: async ({ name }) => expect(await linksTo(name)).toEqual([]),
      }),
      createCase({
        name: "a member who may not read the report can't tell that it exists",
        given: () => given("private"),
        request: ({ name }) => ({ token: member, body: { name } }),
        status: 404,
        error: /^Report ".*" not found/,
      }),
      createCase({
        name: "a stranger can't share a public report",
        given: () => given("public"),
        request: ({ code }) => ({ token: stranger, body: { code } }),
        status: 404,
        error: /^Version ".*" not found/,
      }),
      createCase({
        name: "one more than the limit",
        async given() {
          const report = await given();
          const { id } = await guests.create(author, { name: report.name });
          const copies = Array.from({ length: GUEST_LINKS_PER_REPORT - 1 }, (_, n) => `('${id}${n}', '${id}${n}')`);
          await executeSql(
            service.database,
            `insert into guest_links (id, hash, item_id, created_at)
              select more.id, more.hash, guest_links.item_id, 1 from guest_links,
                (select column1 as id, column2 as hash from (values ${copies.join(", ")}) as rows) as more
              where guest_links.id = '${id}'`,
          );
          return report;
        },
        request: ({ name }) => ({ token: author, body: { name } }),
        status: 409,
        error: "100 guest links",
      }),
      createCase({
        name: "neither name nor code",
        given,
        request: () => ({ token: author, body: {} }),
        status: 400,
        error: "either name or code",
      }),
      refused("a time in the past", "expires_at must be in the future", { expires_at: "2020-01-01" }),
      refused("no time", "expires_at must be a date or time", { expires_at: "soon" }),
      refused("a short password", "password must have at least 10 characters", { password: "short" }),
      refused("a preview of a protected link", "preview can't be combined with password or emails", {
        preview: true,
        password: "a password of guests",
      }),
      refused("an empty label", "label can't be empty", { label: " " }),
      refused("emails without a mail server", "Set VITRINE_SMTP_URL", { emails: ["ada@example.org"] }),
      refused("too many origins", "at most 20 origins", {
        embed_origins: Array.from({ length: 21 }, (_, n) => `https://${n}.example`),
      }),
      ...[
        ...["http://intranet", "https://", "notion.so", "*", "https://*", "https://*.notion.so", "null", "'self'"],
        ...[
          "https://notion.so/",
          "https://notion.so/page",
          "https://me@notion.so",
          "https://notion.so?x",
          "https:notion.so",
        ],
        ...["https://a.example;script-src", "https://a.example,https://b.example", "data:text/html,x", "file:///x"],
        ...["https://a.example\nX: y", "https://a.example https://b.example", "javascript:1", "https://a.example:port"],
      ].map(origin),
    ]);

    test("the secret is stored as a hash alone", async () => {
      const { url, id } = await withLink();
      const rows = await storedRows(service, "guest_links");
      expect(rows.map((row) => row["id"])).toContain(id);
      expect(JSON.stringify(rows)).not.toContain(secretIn(url));
    });
  });

  describe("list", () => {
    testCases(() => service, guestLinksRoute, [
      listCase({
        name: "of a report: all links, newest first, also those to one version",
        async given() {
          const { name, code } = await given();
          await guests.create(author, { name, label: "first" });
          await guests.create(author, { code, label: "second" });
          return { name, code };
        },
        request: ({ name }) => ({ token: author, query: { name } }),
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
          await guests.create(author, { code: report.code, label: "pinned" });
          return report;
        },
        request: ({ code }) => ({ token: author, query: { code } }),
        status: 200,
        check: ({ links }) => expect(links.map(({ label }) => label)).toEqual(["pinned"]),
      }),
      listCase({
        name: "of a workspace: for owners all of them",
        given: withLink,
        request: () => ({ token: owner, query: { owner: slug } }),
        status: 200,
        check: ({ links }, { id }) => expect(links.map((link) => link.id)).toContain(id),
      }),
      listCase({
        name: "of a workspace: for members those to reports that they may share",
        async given() {
          const theirs = await withLink();
          const name = uniqueName();
          await act.publish(member, { name });
          return { theirs, own: await guests.create(member, { name }) };
        },
        request: () => ({ token: member, query: {} }),
        status: 200,
        check: ({ links }, { own }) => expect(links.map((link) => link.id)).toEqual([own.id]),
      }),
      listCase({
        name: "for those who may not share the report",
        given: withLink,
        request: ({ name }) => ({ token: member, query: { name } }),
        status: 403,
        error: "Ask the person who published it",
      }),
      listCase({
        name: "of another's workspace",
        given: withLink,
        request: () => ({ token: stranger, query: { owner: slug } }),
        status: 404,
        error: "Workspace",
      }),
      listCase({
        name: "name and owner",
        given: withLink,
        request: ({ name }) => ({ token: author, query: { name, owner: slug } }),
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
        request: ({ id }) => ({ token: owner, body: { id, label: "Auditors", expires_at: "2999-06-30" } }),
        status: 200,
        check: (link) => expect(link).toMatchObject({ label: "Auditors", expires_at: "2999-06-30T23:59:59.999Z" }),
      }),
      updateCase({
        name: "removing the label keeps the expiry",
        async given() {
          const link = await withLink();
          await service.client(author).call(updateGuestLinkRoute, { body: { id: link.id, expires_at: "2999-06-30" } });
          return link;
        },
        request: ({ id }) => ({ token: author, body: { id, label: null } }),
        status: 200,
        after: async ({ name }) =>
          expect((await linksTo(name))[0]).toMatchObject({ label: null, expires_at: "2999-06-30T23:59:59.999Z" }),
      }),
      updateCase({
        name: "nothing",
        given: withLink,
        request: ({ id }) => ({ token: author, body: { id } }),
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
        request: ({ id }) => ({ token: author, body: { id, label: "new", preview: true } }),
        status: 400,
        error: "preview can't be combined with password or emails",
        after: async ({ name }) => expect((await linksTo(name))[0]).toMatchObject({ label: "Board", preview: false }),
      }),
      updateCase({
        name: "a time in the past",
        given: withLink,
        request: ({ id }) => ({ token: author, body: { id, label: "new", expires_at: "2020-01-01" } }),
        status: 400,
        error: "expires_at must be in the future",
        after: async ({ name }) => expect((await linksTo(name))[0]).toMatchObject({ label: "Board" }),
      }),
      updateCase({
        name: "by someone who may not share the report",
        given: withLink,
        request: ({ id }) => ({ token: member, body: { id, label: "mine" } }),
        status: 403,
        error: "Ask the person who published it",
      }),
      updateCase({
        name: "another's link",
        given: withLink,
        request: ({ id }) => ({ token: stranger, body: { id, label: "mine" } }),
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
        request: ({ id }) => ({ token: owner, body: { id } }),
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
          await guests.revoke(author, link.id);
          return link;
        },
        request: ({ id }) => ({ token: author, body: { id } }),
        status: 404,
        error: /^Guest link ".*" not found/,
      }),
      revokeCase({
        name: "by someone who may not share the report",
        given: withLink,
        request: ({ id }) => ({ token: member, body: { id } }),
        status: 403,
        error: "Ask the person who published it",
        after: async ({ url }) => expect((await guests.page(url)).status).toBe(200),
      }),
      revokeCase({
        name: "another's link",
        given: withLink,
        request: ({ id }) => ({ token: stranger, body: { id } }),
        status: 404,
        error: /^Guest link ".*" not found/,
      }),
    ]);
  });
});
