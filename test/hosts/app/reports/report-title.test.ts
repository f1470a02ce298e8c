import { beforeAll, expect, test } from "bun:test";
import { shortcutsRoute } from "../../../../src/contract/cabinet/shortcuts.ts";
import { itemRoute, itemVersionsRoute, reportRoute } from "../../../../src/contract/reports/details.ts";
import { setTitleRoute } from "../../../../src/contract/reports/settings.ts";
import { searchRoute } from "../../../../src/contract/search/search.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { addOrganization, type Organization, PARTS } from "../../../support/people.ts";
import { uniqueName, useService } from "../../../support/service.ts";
import { readLive } from "../../live/readers.ts";
import { actionsOf } from "../actions.ts";
import { orderActionsOf } from "../cabinet/order-actions.ts";
import { casesOf, testCases } from "../cases.ts";

const titleCase = casesOf<typeof setTitleRoute>();

describeOneEngine("report/title", (engine) => {
  const service = useService({ engine });
  const act = actionsOf(service);
  let slug: string;
  let token: string;

  beforeAll(async () => {
    ({ slug, token } = await service.build.user());
  });

  const set = (name: string, title: string | null) =>
    service.client(token).call(setTitleRoute, { body: { name, title } });
  const item = (name: string) => service.client(token).call(itemRoute, { query: { name } });
  const search = (query: { q?: string; sort?: "title" }) =>
    service.client(token).call(searchRoute, { query: { owner: slug, ...query } });

  async function named(title = "Its document's") {
    const name = uniqueName();
    return { ...(await act.publish(token, { name, title })), name };
  }

  testCases(() => service, setTitleRoute, [
    titleCase({
      name: "by name",
      given: () => named(),
      request: ({ name }) => ({ token, body: { name, title: "  Größe 四月 😀 " } }),
      status: 200,
      check: (answer) => expect(answer).toEqual({ ok: true, title: "Größe 四月 😀" }),
      after: async ({ name }) =>
        expect(await item(name)).toMatchObject({
          title: "Größe 四月 😀",
          display_title: "Größe 四月 😀",
          document_title: "Its document's",
        }),
    }),
    titleCase({
      name: "by the code of an earlier version",
      given: async () => {
        const made = await named();
        await act.publish(token, { name: made.name });
        return made;
      },
      request: ({ code }) => ({ token, body: { code, title: "Mine" } }),
      status: 200,
      after: async ({ name }) => expect(await item(name)).toMatchObject({ title: "Mine" }),
    }),
    titleCase({
      name: "of an unnamed report",
      given: () => act.publish(token),
      request: ({ code }) => ({ token, body: { code, title: "Mine" } }),
      status: 200,
      after: async ({ code }) =>
        expect((await act.list(token)).standalone.find((one) => one.code === code)).toMatchObject({ title: "Mine" }),
    }),
    ...[
      ["an empty one", "", /^title can't be empty/],
      ["a blank one", " \n", /^title can't be empty/],
      ["a long one", "x".repeat(301), /^title must have at most 300 characters/],
      ["one with a NUL", "a\0b", /^title/],
      ["one that is no text", 5, /^title/],
      ["none", undefined, /^title/],
    ].map(([name, title, error]) =>
      titleCase({
        name: String(name),
        given: () => named(),
        request: (made) => ({ token, body: { name: made.name, title } }),
        status: 400,
        error: error as RegExp,
        after: async (made) => expect(await item(made.name)).toMatchObject({ display_title: null }),
      }),
    ),
    titleCase({
      name: "both a name and a code",
      given: () => named(),
      request: ({ name, code }) => ({ token, body: { name, code, title: "A" } }),
      status: 400,
      error: /Specify either name or code/,
    }),
    titleCase({
      name: "an unknown report",
      given: () => undefined,
      request: () => ({ token, body: { name: uniqueName(), title: "A" } }),
      status: 404,
    }),
    ...PARTS.flatMap((by) =>
      (["org", "private"] as const).map((visibility) => {
        const mayRead = by !== "stranger" && (visibility === "org" || by !== "member");
        return titleCase({
          name: `${by === "stranger" ? "a" : "an"} ${by} renames the ${visibility} report of an owner`,
          given: async () => {
            const organization = await addOrganization(service);
            const name = uniqueName();
            await act.publish(organization.owner.token, { owner: organization.slug, name, visibility, title: "Old" });
            return { ...organization, name };
          },
          request: (made: Organization & { name: string }) => ({
            token: made[by].token,
            body: { name: made.name, title: "New" },
          }),
          status: mayRead ? 200 : 404,
          after: async ({ owner, name }) =>
            expect((await service.client(owner.token).call(itemRoute, { query: { name } })).title).toBe(
              mayRead ? "New" : "Old",
            ),
        });
      }),
    ),
  ]);

  test("is what the report is shown with, found by and sorted by, over later versions", async () => {
    const { name, code } = await named("Zebra");
    const other = await named("Middle");
    await set(name, "Aardvark");
    const expectShown = async (title: string) => {
      expect((await act.list(token)).groups.find((group) => group.name === name)?.latest_title).toBe(title);
      const { items } = await search({ sort: "title" });
      const order = items.map((found) => found.name).filter((found) => found === name || found === other.name);
      expect(order).toEqual(title === "Aardvark" ? [name, other.name] : [other.name, name]);
      expect(await item(name)).toMatchObject({ title });
      expect((await search({ q: title })).items.map((found) => found.title)).toContain(title);
    };
    await expectShown("Aardvark");
    expect((await search({ q: "zebra" })).items.filter((found) => found.name === name)).toEqual([]);
    const later = await act.publish(token, { name, title: "Yak" });
    await expectShown("Aardvark");
    expect(await item(name)).toMatchObject({ document_title: "Yak" });
    await act.setLatest(token, name, code);
    await expectShown("Aardvark");
    await act.deleteCode(token, code);
    await expectShown("Aardvark");
    const report = await service.client(token).call(reportRoute, { query: { code: later.code } });
    expect(report).toMatchObject({ title: "Aardvark", document_title: "Yak" });
    const { versions } = await service.client(token).call(itemVersionsRoute, { query: { name } });
    expect(versions.map((version) => version.title)).toEqual(["Yak"]);
    expect(await set(name, null)).toEqual({ ok: true, title: "Yak" });
    await expectShown("Yak");
    expect((await search({ q: "aardvark" })).items).toEqual([]);
  });

  test("survives being renamed, deleted and restored", async () => {
    const order = orderActionsOf(service);
    const { name } = await named("Zebra");
    await set(name, "Shown");
    const renamed = uniqueName();
    await act.rename(token, name, renamed);
    expect((await search({ q: `shown ${renamed}` })).items).toMatchObject([{ title: "Shown" }]);
    const { undo } = await order.deleteItems(token, [{ name: renamed }]);
    await order.restoreItems(token, undo?.id ?? "");
    expect((await search({ q: `shown ${renamed}` })).items).toMatchObject([{ title: "Shown" }]);
    await order.addShortcut(token, { owner: slug, kind: "group", ref: renamed });
    const { shortcuts } = await service.client(token).call(shortcutsRoute, { query: { owner: slug } });
    expect(shortcuts).toContainEqual({ kind: "group", ref: renamed, title: "Shown" });
  });

  test("live readers see it at once", async () => {
    const name = uniqueName();
    await act.publish(token, { name, title: "Document", visibility: "public" });
    const reader = await readLive(`${service.contentUrl}/@${slug}/${name}/`);
    expect(await reader.next()).toMatchObject({ type: "hello", title: "Document" });
    await set(name, "Shown");
    expect(await reader.news()).toMatchObject({ type: "version", title: "Shown" });
    const page = await (await fetch(`${service.contentUrl}/@${slug}/${name}/`)).text();
    expect(page).toContain("<title>Shown");
    reader.socket.close();
  });
});
