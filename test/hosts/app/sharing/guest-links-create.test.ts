import { describe, expect, test } from "bun:test";
import { createGuestLinkRoute } from "../../../../src/contract/sharing/guest-links.ts";
import { GUEST_LINKS_PER_REPORT } from "../../../../src/domain/sharing/guest-limits.ts";
import { executeSql } from "../../../support/direct-sql.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { casesOf, testCases } from "../cases.ts";
import { createGuestLinkScene } from "./guest-link-scene.ts";
import { secretIn, storedRows } from "./guests.ts";

const createCase = casesOf<typeof createGuestLinkRoute>();

describeOneEngine("managing guest links", (engine) => {
  const { service, guests, tokens, given, withLink, linksTo } = createGuestLinkScene(engine);

  describe("create", () => {
    const refused = (name: string, error: string | RegExp, body: object) =>
      createCase({
        name,
        given,
        request: (report) => ({ token: tokens.author, body: { name: report.name, ...body } }),
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
          request: ({ name }) => ({ token: tokens.author, body: { name } }),
          status: 200,
          check: ({ url }) => expect(secretIn(url)).toMatch(/^[0-9A-Za-z]{43}$/),
          after: async ({ name }) => expect(await linksTo(name)).toHaveLength(1),
        }),
      ),
      createCase({
        name: "an owner can share the reports of members, with every limit",
        given,
        request: ({ name }) => ({
          token: tokens.owner,
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
        request: ({ name }) => ({ token: tokens.member, body: { name } }),
        status: 403,
        error: "Ask the person who published it",
        after: async ({ name }) => expect(await linksTo(name)).toEqual([]),
      }),
      createCase({
        name: "a member who may not read the report can't tell that it exists",
        given: () => given("private"),
        request: ({ name }) => ({ token: tokens.member, body: { name } }),
        status: 404,
        error: /^Report ".*" not found/,
      }),
      createCase({
        name: "a stranger can't share a public report",
        given: () => given("public"),
        request: ({ code }) => ({ token: tokens.stranger, body: { code } }),
        status: 404,
        error: /^Version ".*" not found/,
      }),
      createCase({
        name: "one more than the limit",
        async given() {
          const report = await given();
          const { id } = await guests.create(tokens.author, { name: report.name });
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
        request: ({ name }) => ({ token: tokens.author, body: { name } }),
        status: 409,
        error: "100 guest links",
      }),
      createCase({
        name: "neither name nor code",
        given,
        request: () => ({ token: tokens.author, body: {} }),
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
});
