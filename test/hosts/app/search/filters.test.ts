import { beforeAll, expect, test } from "bun:test";
import type { QueryInput } from "../../../../src/contract/model/route.ts";
import { searchRoute } from "../../../../src/contract/search/search.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { uniqueName, useService } from "../../../support/service.ts";
import { actionsOf } from "../actions.ts";
import { casesOf, testCases } from "../cases.ts";

const searchCase = casesOf<typeof searchRoute>();

describeOneEngine("search by author and time", (engine) => {
  const service = useService({ engine });
  const act = actionsOf(service);
  let organization: Awaited<ReturnType<typeof service.build.organization>>;
  let token: string;
  let second: { slug: string; token: string };

  beforeAll(async () => {
    organization = await service.build.organization({ roles: ["member"] });
    ({ token } = organization.owner);
    const [member] = organization.members;
    if (member === undefined) throw new Error("The organization has no member.");
    second = member;
  });

  const search = (query: Omit<QueryInput<typeof searchRoute>, "owner">, by = token) =>
    service.client(by).call(searchRoute, { query: { owner: organization.slug, ...query } });
  const namesOf = async (query: Omit<QueryInput<typeof searchRoute>, "owner">, by = token) =>
    (await search(query, by)).items.map(({ name }) => name).toSorted();

  test("finds the reports whose first version an author published, not only the current one", async () => {
    const [mine, theirs] = [uniqueName("mine"), uniqueName("theirs")];
    await act.publish(token, { name: mine, visibility: "org" });
    await act.publish(second.token, { name: theirs, visibility: "org" });
    await act.publish(second.token, { name: mine });
    expect(await namesOf({ author: [organization.owner.slug] })).toEqual([mine]);
    expect(await namesOf({ author: [second.slug] })).toEqual([theirs]);
    expect(await namesOf({ author: [second.slug, organization.owner.slug] })).toEqual([mine, theirs]);
    expect(await namesOf({ author: [second.slug, "nobody-here"], q: theirs })).toEqual([theirs]);
    expect(await namesOf({ author: ["nobody-here"] })).toEqual([]);
    expect(await namesOf({ author: [second.slug], visibility: "private" })).toEqual([]);
    const { items } = await search({ q: theirs });
    expect(items).toMatchObject([{ creator: { slug: second.slug, display_name: null } }]);
  });

  test("shows no report that its reader may not read", async () => {
    const name = uniqueName("secret");
    await act.publish(token, { name, visibility: "private" });
    expect(await namesOf({ author: [organization.owner.slug], q: name })).toEqual([name]);
    expect(await namesOf({ author: [organization.owner.slug], q: name }, second.token)).toEqual([]);
  });

  test.each(["updated", "-updated", "title", "created"] as const)(
    "limits the time of the update, sorted by %s",
    async (sort) => {
      const q = uniqueName("timed");
      const times: string[] = [];
      for (const number of [1, 2, 3]) {
        await act.publish(token, { name: `${q}-${number}` });
        const [found] = (await search({ q: `${q}-${number}` })).items;
        times.push(found?.updated_at ?? "");
      }
      const [first = "", middle = "", last = ""] = times;
      expect(new Set(times).size).toBe(3);
      const found = (query: object) => namesOf({ q, sort, ...query });
      expect(await found({ since: middle })).toEqual([`${q}-2`, `${q}-3`]);
      expect(await found({ until: middle })).toEqual([`${q}-1`]);
      expect(await found({ since: first, until: last })).toEqual([`${q}-1`, `${q}-2`]);
      expect(await found({ since: last, until: last })).toEqual([]);
      expect(await found({ since: "2020-01-01" })).toHaveLength(3);
    },
  );

  test("continues with the same filters only", async () => {
    const q = uniqueName("paged");
    for (const number of [1, 2, 3]) await act.publish(token, { name: `${q}-${number}` });
    const filters = { q, author: [organization.owner.slug], since: "2020-01-01", limit: 2 };
    const first = await search(filters);
    const next = await search({ ...filters, cursor: first.next_cursor ?? "" });
    expect([...first.items, ...next.items].map(({ name }) => name)).toEqual([`${q}-3`, `${q}-2`, `${q}-1`]);
    const other = search({ ...filters, since: "2021-01-01", cursor: first.next_cursor ?? "" });
    expect(await other.catch((error) => error.status)).toBe(400);
  });

  const refused = (name: string, query: Record<string, string | string[]>, error: string | RegExp) =>
    searchCase({
      name,
      given: () => undefined,
      request: () => ({ token, query: { owner: organization.slug, ...query } }),
      status: 400,
      error,
    });

  testCases(() => service, searchRoute, [
    refused("a time that is none", { since: "yesterday" }, /^since must be a date or time/),
    refused("an empty time", { until: "" }, /^until must be a date or time/),
    refused("more than 20 authors", { author: Array.from({ length: 21 }, (_, n) => `user-${n}`) }, /^author/),
    refused("an unknown visibility", { visibility: "secret" }, /^visibility/),
  ]);
});
