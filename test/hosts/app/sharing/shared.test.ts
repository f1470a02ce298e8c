import { beforeAll, expect, test } from "bun:test";
import { shareWithPeopleRoute } from "../../../../src/contract/sharing/people.ts";
import { sharedRoute } from "../../../../src/contract/sharing/shared.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { addOrganization, addPerson, type Organization, type Person } from "../../../support/people.ts";
import { uniqueName, useService } from "../../../support/service.ts";
import { actionsOf, statusOf } from "../actions.ts";

/** Words that no name contains by chance. */
const WORDS = ["plugh", "xyzzy", "quux", "zyzzyx"] as const;

describeOneEngine("shared with me", (engine) => {
  const service = useService({ engine });
  const act = actionsOf(service);
  let organization: Organization;
  let friend: Person;
  let reader: Person;
  /** Names of what is shared with the reader, oldest first. */
  const names: string[] = [];

  beforeAll(async () => {
    organization = await addOrganization(service);
    [friend, reader] = [await addPerson(service), organization.member];
    for (let n = 0; n < 4; n++) {
      for (const sharer of [organization.owner, organization.admin]) {
        const name = uniqueName();
        await act.publish(sharer.token, { name, title: `Über ${WORDS[3 - n]} ${sharer.slug}`, visibility: "org" });
        names.push(name);
      }
      const name = uniqueName();
      await act.publish(friend.token, { name, title: `Named ${WORDS[n]}` });
      await service.client(friend.token).call(shareWithPeopleRoute, { body: { name, add: [reader.email] } });
      names.push(name);
      // None of these are shared with the reader.
      await act.publish(friend.token, { name: uniqueName(), visibility: "org" });
      await act.publish(organization.owner.token, { name: uniqueName() });
      await act.publish(organization.owner.token, { name: uniqueName(), visibility: "public" });
    }
    await act.publish(reader.token, { name: uniqueName(), visibility: "org" });
  });

  type Query = NonNullable<Parameters<typeof list>[0]>;
  async function list(
    query: { q?: string; owner?: string; sort?: "updated" | "-updated" | "title" | "-title"; limit?: number } = {},
  ) {
    const found = [];
    let cursor: string | null = null;
    do {
      const page: { items: { name?: string | undefined; title: string }[]; next_cursor: string | null } = await service
        .client(reader.token)
        .call(sharedRoute, { query: { ...query, ...(cursor === null ? {} : { cursor }) } });
      expect(page.items.length).toBeLessThanOrEqual(query.limit ?? 50);
      found.push(...page.items);
      cursor = page.next_cursor;
    } while (cursor !== null);
    return found;
  }
  const listed = async (query?: Query) => (await list(query)).map(({ name }) => name);

  test("has what colleagues share and what is shared by name, newest first, in pages of any size", async () => {
    for (const limit of [1, 2, 5, 200]) expect(await listed({ limit })).toEqual(names.toReversed());
    expect(await listed({ sort: "-updated", limit: 3 })).toEqual(names);
  });

  test("is sorted by title", async () => {
    const titles = (await list({ sort: "title", limit: 3 })).map(({ title }) => title);
    const folded = (title: string) => title.replace("Ü", "U").toLowerCase();
    expect(titles).toEqual(titles.toSorted((one, other) => (folded(one) < folded(other) ? -1 : 1)));
    expect(titles).toHaveLength(names.length);
    expect((await list({ sort: "-title", limit: 4 })).map(({ title }) => title)).toEqual(titles.toReversed());
  });

  test("is searched by words and by owner", async () => {
    expect(await listed({ q: "NAMED quux" })).toEqual([names[8]]);
    expect(await listed({ q: "über zyzzyx", limit: 1 })).toEqual([names[1], names[0]]);
    expect(await listed({ owner: friend.slug, limit: 3 })).toEqual([11, 8, 5, 2].map((position) => names[position]));
    expect(await listed({ owner: organization.admin.slug, q: "über" })).toHaveLength(4);
    expect(await listed({ q: "nowhere" })).toEqual([]);
    expect(await listed({ owner: "nobody" })).toEqual([]);
  });

  test("says who shared what, and refuses the cursor of another list", async () => {
    const page = await service.client(reader.token).call(sharedRoute, { query: { limit: 2 } });
    expect(page.items[0]).toMatchObject({
      ...{ kind: "group", owner_slug: friend.slug, visibility: "private", is_version: false },
      shared_by: { slug: friend.slug },
      url: `${service.baseUrl}/${names.at(-1)}/`,
    });
    expect(page.items[1]).toMatchObject({ owner_slug: organization.admin.slug, visibility: "org" });
    const other = service.client(friend.token).call(sharedRoute, { query: { cursor: page.next_cursor ?? "" } });
    expect(await statusOf(other)).toBe(400);
    expect((await service.client(friend.token).call(sharedRoute, { query: {} })).items).toEqual([]);
  });
});
