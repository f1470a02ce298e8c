import { beforeAll, expect, test } from "bun:test";
import { shareItemsRoute } from "../../../../src/contract/sharing/items.ts";
import { shareRoute } from "../../../../src/contract/sharing/people.ts";
import { describeEachEngine } from "../../../support/engines.ts";
import { many } from "../../../support/many.ts";
import { addOrganization, type Organization, type Person } from "../../../support/people.ts";
import { uniqueName, useService } from "../../../support/service.ts";
import { actionsOf } from "../actions.ts";
import { entriesOf } from "../audit/audit-support.ts";
import { casesOf, testCases } from "../cases.ts";

const itemsCase = casesOf<typeof shareItemsRoute>();

describeEachEngine("sharing many reports", (engine) => {
  const service = useService({ engine });
  const act = actionsOf(service);
  let people: Organization;
  let owner: Person;
  let reader: Person;

  beforeAll(async () => {
    people = await addOrganization(service);
    [owner, reader] = [people.owner, people.member];
  });

  const publish = async (visibility: "private" | "public" = "private", count = 1) => {
    const name = uniqueName();
    const [code = ""] = await act.publishVersions(owner.token, name, count, { visibility });
    return { name, code };
  };
  const publishTwo = async () => ({ one: await publish("private", 2), two: await publish("public") });
  const sharesOf = async ({ name }: { name: string }) => {
    const query = { name };
    const { visibility, org, people: shared } = await service.client(owner.token).call(shareRoute, { query });
    return { visibility, org: org?.slug, people: shared.map(({ email }) => email) };
  };
  const unchanged = async ({ one, two }: Awaited<ReturnType<typeof publishTwo>>) => {
    expect(await sharesOf(one)).toEqual({ visibility: "private", org: undefined, people: [] });
    expect(await sharesOf(two)).toEqual({ visibility: "public", org: undefined, people: [] });
  };

  test("one call shares reports in different ways, and what it answers undoes all of it", async () => {
    const { one, two } = await publishTwo();
    const three = await publish();
    await service
      .client(owner.token)
      .call(shareItemsRoute, { body: { items: [{ ...nameOf(three), add: ["old@example.org"] }] } });
    const items = [
      { code: one.code, visibility: "org" as const, org: people.slug },
      { ...nameOf(two), visibility: "private" as const, add: [reader.email, " New@Example.org"] },
      { ...nameOf(three), add: ["old@example.org"], remove: ["never@example.org"] },
    ];
    const answer = await service.client(owner.token).call(shareItemsRoute, { body: { items } });
    expect(answer.updated).toBe(3);
    expect(await sharesOf(one)).toEqual({ visibility: "org", org: people.slug, people: [] });
    expect(await sharesOf(two)).toEqual({
      visibility: "private",
      org: undefined,
      people: ["new@example.org", reader.email].toSorted(),
    });
    expect((await act.read(reader.token, one.code)).status).toBe(200);
    const undo = answer.undo ?? { items: [] };
    expect(undo.items).toHaveLength(2);
    const again = await service.client(owner.token).call(shareItemsRoute, { body: undo });
    await unchanged({ one, two });
    expect((await act.read(reader.token, one.code)).status).toBe(404);
    expect(again.undo?.items).toHaveLength(2);
    expect((await sharesOf(three)).people).toEqual(["old@example.org"]);
  });

  test("200 reports are shared at once", async () => {
    const names = await many(200, async () => nameOf(await publish()));
    const items = names.map((name) => ({ ...name, visibility: "public" as const, add: ["many@example.org"] }));
    const answer = await service.client(owner.token).call(shareItemsRoute, { body: { items } });
    expect(answer).toMatchObject({ updated: 200, undo: { items: { length: 200 } } });
    expect((await sharesOf(names[199] ?? { name: "" })).visibility).toBe("public");
  });

  test("a version's own visibility can't be restored, so there is no undo", async () => {
    const { name, code } = await publish("private", 2);
    await act.setVisibility(owner.token, { code, visibility: "public" });
    const body = { items: [{ name, visibility: "org" as const }] };
    expect((await service.client(owner.token).call(shareItemsRoute, { body })).undo).toBeNull();
  });

  const refused = (
    name: string,
    entries: (given: Awaited<ReturnType<typeof publishTwo>>) => object[],
    { status, error, token = () => owner.token }: { status: number; error: string | RegExp; token?: () => string },
  ) =>
    itemsCase({
      name,
      given: publishTwo,
      request: (given) => ({ token: token(), body: { items: entries(given) } }),
      status,
      error,
      after: unchanged,
    });

  testCases(() => service, shareItemsRoute, [
    itemsCase({
      name: "people only keep the visibility",
      given: publishTwo,
      request: ({ one, two }) => ({
        token: owner.token,
        body: { items: [one, two].map(({ name }) => ({ name, add: ["a@example.org"] })) },
      }),
      status: 200,
      check: async (answer, { one, two }) => {
        expect(answer.undo?.items.map(({ remove }) => remove)).toEqual([["a@example.org"], ["a@example.org"]]);
        expect(await sharesOf(one)).toMatchObject({ visibility: "private", people: ["a@example.org"] });
        expect(await sharesOf(two)).toMatchObject({ visibility: "public", people: ["a@example.org"] });
      },
    }),
    refused(
      "an entry that changes nothing",
      ({ one, two }) => [{ ...nameOf(one), visibility: "public" }, nameOf(two)],
      {
        status: 400,
        error: "Specify visibility, add or remove",
      },
    ),
    refused(
      "a report twice",
      ({ one }) => [
        { ...nameOf(one), visibility: "public" },
        { code: one.code, visibility: "org" },
      ],
      {
        status: 400,
        error: "items[1] is the same report as items[0]. Send one entry per report.",
      },
    ),
    refused(
      "an invalid address in the last entry",
      ({ one, two }) => [
        { ...nameOf(one), visibility: "public" },
        { ...nameOf(two), add: ["nonsense"] },
      ],
      { status: 400, error: /"nonsense" isn't a valid email address/ },
    ),
    refused("an organization without its visibility", ({ one }) => [{ ...nameOf(one), org: people.slug }], {
      status: 400,
      error: "items[0] org requires visibility org.",
    }),
    refused(
      "an organization that doesn't exist",
      ({ one, two }) => [
        { ...nameOf(two), visibility: "private" },
        { ...nameOf(one), visibility: "org", org: "nowhere" },
      ],
      { status: 404, error: /organization/i },
    ),
    refused(
      "more than 2,000 addresses",
      ({ one, two }) => [
        ...[one, two].map(({ name }) => ({ name, add: ["a@example.org"] })),
        ...Array.from({ length: 40 }, (_, n) => ({
          name: `report-${n}`,
          add: Array.from({ length: 50 }, (_at, m) => `${n}.${m}@example.org`),
        })),
      ],
      {
        status: 400,
        error: "items have 2002 addresses in add and remove. The limit is 2000. Send fewer reports or people.",
      },
    ),
    refused(
      "a report that doesn't exist",
      ({ one }) => [
        { ...nameOf(one), visibility: "public" },
        { name: "no-such-report", visibility: "public" },
      ],
      {
        status: 404,
        error: 'items[1]: report "no-such-report" not found. Check the name and that you have access.',
      },
    ),
    itemsCase({
      name: "a colleague's report among one's own",
      given: async () => {
        const theirs = uniqueName();
        await act.publishVersions(people.owner.token, theirs, 1, { owner: people.slug, visibility: "org" });
        return { theirs };
      },
      request: ({ theirs }) => ({ token: reader.token, body: { items: [{ name: theirs, visibility: "public" }] } }),
      status: 403,
      error: /^You can't share items\[0\]/,
    }),
    refused("201 reports", ({ one }) => Array.from({ length: 201 }, () => ({ ...nameOf(one), visibility: "public" })), {
      status: 400,
      error: "items must have at most 200 entries",
    }),
  ]);

  test("leaves an entry in the audit log for each change of each report", async () => {
    const { one, two } = await publishTwo();
    const response = await fetch(`${service.baseUrl}${shareItemsRoute.path}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${owner.token}`, "Content-Type": "application/json" },
      body: JSON.stringify({
        items: [
          { ...nameOf(one), visibility: "public", add: ["a@example.org"] },
          { ...nameOf(two), add: ["b@example.org"] },
        ],
      }),
    });
    const entries = await entriesOf(service, response);
    expect(entries.map(({ action }) => action).toSorted()).toEqual([
      "report.set_visibility",
      "report.share",
      "report.share",
    ]);
  });
});

const nameOf = ({ name }: { name: string }) => ({ name });
