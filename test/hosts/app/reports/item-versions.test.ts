import { beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type ItemVersionEntry, itemVersionsRoute } from "../../../../src/contract/reports/details.ts";
import { executeSql } from "../../../support/direct-sql.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { addOrganization } from "../../../support/people.ts";
import { buildUpload, uniqueName, useService } from "../../../support/service.ts";
import { actionsOf } from "../actions.ts";
import { casesOf, testCases } from "../cases.ts";
import { casesOfCredentials } from "./item-support.ts";

const versionsCase = casesOf<typeof itemVersionsRoute>();

describeOneEngine("the versions of a report", (engine) => {
  const service = useService({ engine });
  const act = actionsOf(service);
  let owner: { slug: string; token: string };

  beforeAll(async () => {
    owner = await service.build.user();
  });

  async function group(count = 1) {
    const name = uniqueName();
    return { name, codes: await act.publishVersions(owner.token, name, count) };
  }
  const numbersOf = (versions: readonly ItemVersionEntry[]) => versions.map(({ version_no }) => version_no);
  const page = (query: Record<string, string>) => (given: { name: string }) => ({
    token: owner.token,
    query: { name: given.name, ...query },
  });
  const refused = (name: string, query: Record<string, string>, error: string) =>
    versionsCase({ name, given: () => group(), request: page(query), status: 400, error });

  testCases(() => service, itemVersionsRoute, [
    versionsCase({
      name: "every field",
      given: async () => {
        const { token } = owner;
        const name = uniqueName();
        const files = [
          { path: "index.html", content: "x".repeat(100) },
          { path: "a.css", content: "" },
          { path: "b.css", content: "y".repeat(11) },
        ];
        const first = await act.publish(token, { name, title: "First", files });
        await act.setVisibility(token, { code: first.code, visibility: "public" });
        const second = await act.publish(token, buildUpload({ name, title: "Second" }));
        return { name, first, second };
      },
      request: page({}),
      status: 200,
      check: ({ versions, next_before }, { first, second }) => {
        const creator = { slug: owner.slug, display_name: null };
        expect(versions).toEqual([
          {
            code: second.code,
            title: "Second",
            note: null,
            version_no: 2,
            created_at: second.created_at,
            visibility: "private",
            storage: "none",
            size: Buffer.byteLength(buildUpload().files[0]?.content ?? ""),
            file_count: 1,
            creator,
            url: `${service.baseUrl}/${second.code}/`,
            thumbnail_url: null,
            may_control: true,
            protected: false,
          },
          {
            code: first.code,
            title: "First",
            note: null,
            version_no: 1,
            created_at: first.created_at,
            visibility: "public",
            storage: "none",
            size: 111,
            file_count: 3,
            creator,
            url: `${service.contentUrl}/${first.code}/`,
            thumbnail_url: null,
            may_control: true,
            protected: false,
          },
        ]);
        expect(next_before).toBeNull();
      },
    }),
    versionsCase({
      name: "a page, and the cursor of the next",
      given: () => group(5),
      request: page({ limit: "2" }),
      status: 200,
      check: ({ versions, next_before }) => expect([numbersOf(versions), next_before]).toEqual([[5, 4], 4]),
    }),
    versionsCase({
      name: "a later page",
      given: () => group(5),
      request: page({ limit: "2", before: "4" }),
      status: 200,
      check: ({ versions, next_before }) => expect([numbersOf(versions), next_before]).toEqual([[3, 2], 2]),
    }),
    versionsCase({
      name: "a last page that is full",
      given: () => group(4),
      request: page({ limit: "2", before: "3" }),
      status: 200,
      check: ({ versions, next_before }) => expect([numbersOf(versions), next_before]).toEqual([[2, 1], null]),
    }),
    versionsCase({
      name: "below the first",
      given: () => group(2),
      request: page({ before: "1" }),
      status: 200,
      check: (answer) => expect(answer).toEqual({ versions: [], next_before: null }),
    }),
    versionsCase({
      name: "with numbers missing after deletions",
      given: async () => {
        const made = await group(5);
        for (const place of [1, 3]) await act.deleteCode(owner.token, made.codes[place] ?? "");
        return made;
      },
      request: page({ limit: "2", before: "5" }),
      status: 200,
      check: ({ versions, next_before }) => expect([numbersOf(versions), next_before]).toEqual([[3, 1], null]),
    }),
    versionsCase({
      name: "by the code of any version",
      given: () => group(3),
      request: ({ codes }) => ({ token: owner.token, query: { code: codes[0] ?? "" } }),
      status: 200,
      check: ({ versions }) => expect(numbersOf(versions)).toEqual([3, 2, 1]),
    }),
    versionsCase({
      name: "the only one of an unnamed report",
      given: () => act.publish(owner.token),
      request: ({ code }) => ({ token: owner.token, query: { code } }),
      status: 200,
      check: ({ versions }, { code }) => expect(versions).toMatchObject([{ code, version_no: 1 }]),
    }),
    versionsCase({
      name: "the publisher of each, by their current name",
      given: async () => {
        const { slug, admin, member } = await addOrganization(service);
        const name = uniqueName();
        const inside = async (user: { slug: string }) =>
          service.build.token({ userSlug: user.slug, workspaceSlug: slug });
        await act.publish(await inside(admin), { name, visibility: "org" });
        await act.publish(await inside(member), { name });
        await executeSql(service.database, `update users set name = 'Grace' where id = '${member.userId}'`);
        return { name, admin, member };
      },
      request: ({ name, member }) => ({ token: member.token, query: { name } }),
      status: 200,
      check: ({ versions }, { admin, member }) =>
        expect(versions.map(({ creator, may_control }) => [creator, may_control])).toEqual([
          [{ slug: member.slug, display_name: "Grace" }, true],
          [{ slug: admin.slug, display_name: null }, false],
        ]),
    }),
    refused("no limit", { limit: "0" }, "limit must be between 1 and 200"),
    refused("a limit that is too high", { limit: "201" }, "limit must be between 1 and 200"),
    refused("a limit that is no number", { limit: "x" }, "limit must be a number"),
    versionsCase({
      name: "before the highest possible number",
      given: () => group(2),
      request: page({ before: "2147483647" }),
      status: 200,
      check: ({ versions }) => expect(numbersOf(versions)).toEqual([2, 1]),
    }),
    refused("before what no version can be", { before: "2147483648" }, "before must be between 1 and 2147483647"),
    refused("before nothing", { before: "0" }, "before must be between 1 and"),
    refused("before half a version", { before: "1.5" }, "before must be a whole number"),
    refused("before what no number can say", { before: "1e999" }, "before must be"),
    refused("name and code", { code: "x" }, "either name or code"),
    versionsCase({
      name: "another user's public report",
      given: async () => {
        const made = await group();
        await act.setVisibility(owner.token, { name: made.name, visibility: "public" });
        return { ...made, token: (await service.build.user()).token };
      },
      request: ({ name, token }) => ({ token, query: { name } }),
      status: 404,
      error: /^Report ".*" not found/,
    }),
    ...casesOfCredentials<typeof itemVersionsRoute>({
      service: () => service,
      owner: () => owner,
      group: () => group(),
    }),
  ]);

  describe("page after page", () => {
    /** Reads all pages as a reader. Returns the versions and the length of each page. */
    async function walk(token: string, name: string, limit: number) {
      const versions: ItemVersionEntry[] = [];
      const lengths: number[] = [];
      for (let before: number | null | undefined; before !== null; ) {
        const query = before === undefined ? { name, limit } : { name, limit, before };
        const answer = await service.client(token).call(itemVersionsRoute, { query });
        versions.push(...answer.versions);
        lengths.push(answer.versions.length);
        before = answer.next_before;
      }
      return { versions, lengths };
    }

    const COUNT = 14;
    const version = fc.record({ isPrivate: fc.boolean(), isMembers: fc.boolean() });

    test("a reader sees all versions they may read once, and only the last page is short", async () => {
      const { slug, admin, member, stranger: colleague, join } = await addOrganization(service);
      await join(colleague, "member");
      const tokenOf = (user: { slug: string }) => service.build.token({ userSlug: user.slug, workspaceSlug: slug });
      const [admins, members, colleagues] = [await tokenOf(admin), await tokenOf(member), await tokenOf(colleague)];
      const name = uniqueName();
      // An admin's report with versions of several members, so that everyone may read a different part.
      for (let number = 1; number < COUNT; number++) {
        await act.publish(number % 3 === 0 ? members : admins, { name, visibility: "org" });
      }
      await act.publish(admins, { name });
      const { versions } = await act.group(admins, name);
      const earlier = versions.slice(1);

      const everything = fc.tuple(
        fc.array(version, { minLength: earlier.length, maxLength: earlier.length }),
        fc.integer({ min: 1, max: COUNT + 1 }),
      );
      const allPrivate = earlier.map(() => ({ isPrivate: true, isMembers: false }));
      const property = fc.asyncProperty(everything, async ([wanted, limit]) => {
        const hidden = earlier.filter((_, place) => wanted[place]?.isPrivate).map(({ code }) => `'${code}'`);
        await executeSql(
          service.database,
          `update versions set visibility = case when code in (${hidden.join(",") || "''"})
              then 'private' else 'org' end where item_id = (select id from items where name = '${name}')`,
        );
        for (const token of [admins, members, colleagues]) {
          const expected = (await act.group(token, name)).versions;
          const { versions: seen, lengths } = await walk(token, name, limit);
          expect(seen.map(({ code, version_no }) => [code, version_no])).toEqual(
            expected.map(({ code, version_no }) => [code, version_no]),
          );
          const pages = Math.ceil(expected.length / limit);
          expect(lengths).toEqual(
            Array.from({ length: pages }, (_, place) => Math.min(limit, expected.length - place * limit)),
          );
        }
      });
      await fc.assert(property, { numRuns: 15, examples: [[[allPrivate, 1]], [[allPrivate, 5]]] });
    });
  });
});
