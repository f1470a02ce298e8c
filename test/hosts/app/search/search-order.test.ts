import { expect, test } from "bun:test";
import { describeOneEngine } from "../../../support/engines.ts";
import { uniqueName, useService } from "../../../support/service.ts";
import { actionsOf } from "../actions.ts";
import { type Query, searchOf } from "./search-support.ts";

describeOneEngine("search", (engine) => {
  const service = useService({ engine });
  const act = actionsOf(service);
  const search = searchOf(service);

  async function everyPage(token: string, query: Query): Promise<string[]> {
    const codes: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page = await search(token, { ...query, ...(cursor === "" ? {} : { cursor }) });
      expect(page.items.length).toBeLessThanOrEqual(Number(query.limit));
      codes.push(...page.items.map(({ code }) => code));
      cursor = page.next_cursor;
    }
    return codes;
  }

  /** Creates a workspace with titles that distinguish the ways of sorting. */
  async function alphabet() {
    const { token, slug } = await service.build.user();
    for (const title of ["b", "Ä", "c", "a", "Ö"])
      await act.publish(token, { title, name: uniqueName(`${title}x`.normalize("NFD").charAt(0).toLowerCase()) });
    await act.publish(token, { title: "a" });
    return { token, owner: slug };
  }

  test.each(["updated", "created", "title", "name"])(
    "the order by %s and its reverse, in pages of any size",
    async (sort) => {
      const { token, owner } = await alphabet();
      const all = (await search(token, { owner, sort })).items.map(({ code }) => code);
      const reversed = (await search(token, { owner, sort: `-${sort}` })).items.map(({ code }) => code);
      expect(reversed).toEqual(all.toReversed());
      for (const limit of ["1", "2", "5", "6"]) expect(await everyPage(token, { owner, sort, limit })).toEqual(all);
    },
  );

  test("titles are sorted as people expect, and unnamed reports come after named ones", async () => {
    const { token, owner } = await alphabet();
    const byTitle = (await search(token, { owner, sort: "title" })).items.map(({ title }) => title);
    expect(byTitle).toHaveLength(6);
    expect(byTitle.map((title) => title.normalize("NFD").charAt(0).toLowerCase())).toEqual([
      "a",
      "a",
      "a",
      "b",
      "c",
      "o",
    ]);
    const byName = (await search(token, { owner, sort: "name" })).items;
    expect(byName.map(({ kind }) => kind).at(-1)).toBe("report");
  });

  test("reports added between pages appear at most once, and none is left out", async () => {
    const { token, slug } = await service.build.user();
    const before: string[] = [];
    for (let count = 0; count < 6; count++) before.push((await act.publish(token)).code);
    const first = await search(token, { owner: slug, limit: "2" });
    for (let count = 0; count < 3; count++) await act.publish(token);
    const rest = await search(token, { owner: slug, cursor: first.next_cursor ?? "" });
    const seen = [...first.items, ...rest.items].map(({ code }) => code);
    expect(seen.toSorted()).toEqual(before.toSorted());
  });
});
