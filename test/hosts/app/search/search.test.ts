import { expect, test } from "bun:test";
import { searchRoute } from "../../../../src/contract/search/search.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { uniqueName, useService } from "../../../support/service.ts";
import { signIn } from "../../../support/sessions.ts";
import { orderActionsOf } from "../cabinet/order-actions.ts";
import { casesOf, testCases } from "../cases.ts";
import { type Query, searchOf } from "./search-support.ts";

const searchCase = casesOf<typeof searchRoute>();

describeOneEngine("search", (engine) => {
  const service = useService({ engine });
  const act = orderActionsOf(service);
  const search = searchOf(service);

  const user = () => service.build.user();

  const titlesOf = async (token: string, query: Query) =>
    (await search(token, query)).items.map(({ title }) => title).sort();

  /** Creates a workspace with a drawer, folders, nested tags and reports. */
  async function library() {
    const { slug, token } = await user();
    const drawer = await act.createDrawer(token, slug, "Finance");
    const folder = await act.createFolder(token, slug, "Forecasts", drawer.id);
    const root = await act.createFolder(token, slug, "Loose");
    const parent = await act.createTag(token, slug, "Region");
    const child = await act.createTag(token, slug, "Österreich", parent.id);
    const other = await act.createTag(token, slug, "Draft");
    const names = { plan: uniqueName("plan"), sales: uniqueName("sales") };
    await act.publish(token, { name: names.plan, title: "Plan" });
    const first = await act.publish(token, { name: names.sales, title: "Sales old" });
    const sales = await act.publish(token, { name: names.sales, title: "Sales new" });
    const report = await act.publish(token, { title: "Einzelstück", visibility: "public" });
    await act.fileItems(token, { items: [{ name: names.plan }], folder_id: folder.id });
    await act.fileItems(token, { items: [{ name: names.sales }], folder_id: root.id });
    await act.tagItems(token, { items: [{ name: names.plan }], set: [child.id, other.id] });
    await act.tagItems(token, { items: [{ code: report.code }], set: [parent.id] });
    return { slug, token, drawer, folder, root, parent, child, other, names, first, sales, report };
  }
  type Library = Awaited<ReturnType<typeof library>>;

  const finds = (name: string, query: (made: Library) => Query, titles: string[]) =>
    test(`${name}: ${titles.join(", ") || "nothing"}`, async () => {
      const made = await library();
      expect(await titlesOf(made.token, { owner: made.slug, ...query(made) })).toEqual(titles);
    });

  finds("everything", () => ({}), ["Einzelstück", "Plan", "Sales new"]);
  finds("a word of the title", () => ({ q: "EINZELSTÜCK" }), ["Einzelstück"]);
  finds("a word of an earlier title", () => ({ q: "old" }), []);
  finds("part of a name", ({ names }) => ({ q: names.plan.slice(2, -2) }), ["Plan"]);
  finds("an earlier version's code", ({ first }) => ({ q: first.code.toLowerCase() }), ["Sales new"]);
  finds("a folder's title", () => ({ q: "forecast" }), ["Plan"]);
  finds("a drawer's title", () => ({ q: "financ" }), ["Plan"]);
  finds("a tag's title", () => ({ q: "ÖSTERREICH" }), ["Plan"]);
  finds("words from everywhere", () => ({ q: "plan finance draft" }), ["Plan"]);
  finds("words that nothing has all of", () => ({ q: "sales finance" }), []);
  finds("a folder", ({ root }) => ({ folder_id: root.id }), ["Sales new"]);
  finds("a drawer", ({ drawer }) => ({ drawer_id: drawer.id }), ["Plan"]);
  finds("what is unfiled", () => ({ folder_id: "none" }), ["Einzelstück"]);
  finds("what is unfiled, asked otherwise", () => ({ drawer_id: "none" }), ["Einzelstück"]);
  finds("a tag alone", ({ parent }) => ({ tag_id: parent.id }), ["Einzelstück"]);
  finds("a tag with those below", ({ parent }) => ({ tag_id: parent.id, tag_scope: "subtree" }), [
    "Einzelstück",
    "Plan",
  ]);
  finds("two tags", ({ child, other }) => ({ tag_id: [child.id, other.id] }), ["Plan"]);
  finds("two tags that nothing has both of", ({ parent, other }) => ({ tag_id: [parent.id, other.id] }), []);
  finds("what is untagged", () => ({ tag_id: "none" }), ["Sales new"]);
  finds("a visibility", () => ({ visibility: "public" }), ["Einzelstück"]);

  test("a new title of a folder, drawer or tag is found by the next search", async () => {
    const { token, slug, drawer, folder, child } = await library();
    await act.renameFolder(token, folder.id, "Zukunft");
    expect(await titlesOf(token, { owner: slug, q: "zukunft" })).toEqual(["Plan"]);
    expect(await titlesOf(token, { owner: slug, q: "forecasts" })).toEqual([]);
    await act.renameDrawer(token, drawer.id, "Geld");
    expect(await titlesOf(token, { owner: slug, q: "geld" })).toEqual(["Plan"]);
    await act.renameTag(token, child.id, "Schweiz");
    expect(await titlesOf(token, { owner: slug, q: "schweiz" })).toEqual(["Plan"]);
    await act.deleteTag(token, child.id);
    expect(await titlesOf(token, { owner: slug, q: "schweiz" })).toEqual([]);
  });

  test("current names, titles and versions are found", async () => {
    const { token, slug, names, first, sales } = await library();
    const newName = uniqueName("renamed");
    await act.rename(token, names.sales, newName);
    expect(await titlesOf(token, { owner: slug, q: names.sales })).toEqual([]);
    expect(await titlesOf(token, { owner: slug, q: newName })).toEqual(["Sales new"]);
    await act.setLatest(token, newName, first.code);
    expect(await titlesOf(token, { owner: slug, q: newName })).toEqual(["Sales old"]);
    await act.deleteCode(token, first.code);
    expect(await titlesOf(token, { owner: slug, q: first.code })).toEqual([]);
    expect(await titlesOf(token, { owner: slug, q: sales.code })).toEqual(["Sales new"]);
    await act.deleteGroup(token, newName);
    expect(await titlesOf(token, { owner: slug })).toEqual(["Einzelstück", "Plan"]);
  });

  test("a result has all of its fields", async () => {
    const { token, slug, names, folder, drawer, child, other, report, first, sales } = await library();
    const { items } = await search(token, { owner: slug, q: names.plan });
    const { current_code } = await act.group(token, names.plan);
    expect(items).toEqual([
      {
        kind: "group",
        name: names.plan,
        code: current_code,
        title: "Plan",
        version_count: 1,
        visibility: "private",
        current_visibility: "private",
        folder_id: folder.id,
        drawer_id: drawer.id,
        tags: [
          { id: other.id, title: "Draft" },
          { id: child.id, title: "Österreich" },
        ],
        creator: { slug, display_name: null },
        created_at: expect.any(String),
        updated_at: expect.any(String),
        thumbnail_url: null,
        url: `${service.baseUrl}/${names.plan}/`,
      },
    ]);
    const [single] = (await search(token, { owner: slug, q: "einzel" })).items;
    expect(single).toMatchObject({ kind: "report", code: report.code, url: report.url, folder_id: null });
    expect(single?.tags.map(({ title }) => title)).toEqual(["Region"]);
    expect(single).not.toHaveProperty("name");
    const [group] = (await search(token, { owner: slug, q: names.sales })).items;
    expect(group).toMatchObject({ version_count: 2, code: sales.code, created_at: first.created_at });
  });

  test("a member finds what they may read in an organization, and counts nothing else", async () => {
    const { slug, owner, members } = await service.build.organization({ roles: ["member", "member"] });
    const [author, colleague] = members;
    await act.publish(author?.token ?? "", { title: "Mine" });
    await act.publish(author?.token ?? "", { title: "Ours", visibility: "org" });
    await act.publish(author?.token ?? "", { title: "Everybody's", visibility: "public" });
    expect(await titlesOf(owner.token, { owner: slug })).toEqual(["Everybody's", "Mine", "Ours"]);
    expect(await titlesOf(author?.token ?? "", { owner: slug })).toEqual(["Everybody's", "Mine", "Ours"]);
    expect(await titlesOf(colleague?.token ?? "", { owner: slug })).toEqual(["Everybody's", "Ours"]);
    expect(await titlesOf(colleague?.token ?? "", { owner: slug, q: "mine" })).toEqual([]);
  });

  test("a session searches like a token", async () => {
    const person = await user();
    await act.publish(person.token, { title: "Seen" });
    const cookie = await signIn(service, person);
    const response = await fetch(`${service.baseUrl}/api/search?owner=${person.slug}&q=seen`, {
      headers: { Cookie: cookie },
    });
    expect(searchRoute.response.parse(await response.json()).items).toHaveLength(1);
  });

  const refused = (name: string, query: Query, error: string | RegExp, status = 400) =>
    searchCase({
      name,
      given: user,
      request: ({ token, slug }) => ({ token, query: { owner: slug, ...(query as Record<string, string>) } }),
      status,
      error,
    });

  testCases(() => service, searchRoute, [
    searchCase({
      name: "an empty workspace",
      given: user,
      request: ({ token, slug }) => ({ token, query: { owner: slug } }),
      status: 200,
      check: (answer, { slug }) => {
        expect(answer).toEqual({ items: [], next_cursor: null, searchedScope: slug, fullText: false });
      },
    }),
    searchCase({
      name: "no owner",
      given: user,
      request: ({ token }) => ({ token }),
      status: 400,
      error: "owner is required",
    }),
    searchCase({
      name: "another user's workspace",
      given: async () => ({ stranger: await user(), token: (await user()).token }),
      request: ({ stranger, token }) => ({ token, query: { owner: stranger.slug } }),
      status: 404,
      error: /^Workspace ".*" not found/,
    }),
    searchCase({
      name: "a delete-only token",
      given: async () => {
        const { slug } = await user();
        return { slug, token: await service.build.token({ userSlug: slug, scopes: ["reports:delete"] }) };
      },
      request: ({ slug, token }) => ({ token, query: { owner: slug } }),
      status: 403,
    }),
    searchCase({
      name: "another workspace's folder",
      given: async () => ({ made: await library(), me: await user() }),
      request: ({ made, me }) => ({ token: me.token, query: { owner: me.slug, folder_id: made.folder.id } }),
      status: 404,
      error: /^Folder ".*" not found/,
    }),
    searchCase({
      name: "another workspace's drawer",
      given: async () => ({ made: await library(), me: await user() }),
      request: ({ made, me }) => ({ token: me.token, query: { owner: me.slug, drawer_id: made.drawer.id } }),
      status: 404,
      error: /^Drawer ".*" not found/,
    }),
    searchCase({
      name: "another workspace's tag",
      given: async () => ({ made: await library(), me: await user() }),
      request: ({ made, me }) => ({ token: me.token, query: { owner: me.slug, tag_id: made.child.id } }),
      status: 404,
      error: /^Tag ".*" not found/,
    }),
    searchCase({
      name: "another search's cursor",
      given: async () => {
        const made = await library();
        const { next_cursor } = await search(made.token, { owner: made.slug, limit: "1" });
        return { ...made, cursor: next_cursor ?? "" };
      },
      request: ({ token, slug, cursor }) => ({ token, query: { owner: slug, cursor, q: "plan" } }),
      status: 400,
      error: "cursor isn't valid for this request",
    }),
    refused("folder and drawer", { folder_id: "a", drawer_id: "b" }, "folder_id or drawer_id, not both"),
    refused("an unknown sort", { sort: "size" }, /^sort must be updated, -updated/),
    refused(
      "an unknown visibility",
      { visibility: "secret" },
      /^visibility must be public, org, or private|^visibility must be /,
    ),
    refused("an unknown tag scope", { tag_scope: "all" }, /^tag_scope must be tag or subtree, not "all"/),
    refused("no limit", { limit: "0" }, "limit must be between 1 and 200"),
    refused("a limit too large", { limit: "201" }, "limit must be between 1 and 200"),
    refused("a limit that is no number", { limit: "ten" }, "limit must be a number"),
    refused("a made-up cursor", { cursor: "AAAA" }, "cursor isn't valid for this request"),
    refused("10 KB of text", { q: "q".repeat(10_240) }, "q must have at most 500 characters"),
    refused("many words", { q: Array.from({ length: 21 }, (_, word) => word).join(" ") }, "q has 21 words"),
    refused("an unknown folder", { folder_id: "fld_none" }, /^Folder ".*" not found/, 404),
    refused("NUL in an id", { folder_id: "\0" }, "folder_id must be valid Unicode text without NUL"),
  ]);

  test("a thousand tags are refused with an explanation", async () => {
    const { slug, token } = await user();
    const query = new URLSearchParams({ owner: slug });
    for (let count = 0; count < 1_000; count++) query.append("tag_id", "tag_x");
    const response = await fetch(`${service.baseUrl}/api/search?${query}`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: "tag_id can be repeated at most 50 times." });
  });

  test.each(["%", "_", '"', "*", "OR", "\\", "'", "\0", "\ud800", "NEAR(a b)", "a^2", "-", "{col}:x"])(
    "%p is ordinary text",
    async (q) => {
      const { slug, token } = await user();
      const { code } = await act.publish(token, { title: "Nothing of it" });
      const has = q.isWellFormed() && !q.includes("\0");
      if (has) await act.publish(token, { title: `before ${q} after` });
      const byCode = code.toLowerCase().includes(q.toLowerCase()) ? ["Nothing of it"] : [];
      const response = await fetch(
        `${service.baseUrl}/api/search?${new URLSearchParams({ owner: slug, q: q.isWellFormed() ? q : "\ufffd" })}`,
        { headers: { Authorization: `Bearer ${token}` } },
      );
      const { items } = searchRoute.response.parse(await response.json());
      expect(items.map(({ title }) => title)).toEqual(has ? [`before ${q} after`, ...byCode] : []);
    },
  );
});
