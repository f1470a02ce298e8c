import { beforeAll, describe, expect, test } from "bun:test";
import { deleteItemsRoute, restoreItemsRoute } from "../../../../src/contract/cabinet/items.ts";
import { itemRoute, itemVersionsRoute, previewsRoute, reportRoute } from "../../../../src/contract/reports/details.ts";
import { setTitleRoute } from "../../../../src/contract/reports/settings.ts";
import { shareWithOrganizationRoute } from "../../../../src/contract/sharing/organization.ts";
import { shareRoute, shareWithPeopleRoute } from "../../../../src/contract/sharing/people.ts";
import { sharedRoute } from "../../../../src/contract/sharing/shared.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { addOrganization, addPerson, type Organization, type Person } from "../../../support/people.ts";
import { uniqueName, useService } from "../../../support/service.ts";
import { asPage, signIn } from "../../../support/sessions.ts";
import { actionsOf, statusOf } from "../actions.ts";
import { casesOf, testCases } from "../cases.ts";

const peopleCase = casesOf<typeof shareWithPeopleRoute>();

describeOneEngine("sharing", (engine) => {
  const service = useService({ engine });
  const act = actionsOf(service);
  let owner: Person;
  let reader: Person;
  let stranger: Person;
  let organization: Organization;

  beforeAll(async () => {
    [owner, reader, stranger] = [await addPerson(service), await addPerson(service), await addPerson(service)];
    organization = await addOrganization(service);
  });

  const client = (person: Person) => service.client(person.token);
  const publish = async (person: Person = owner, count = 1) => {
    const name = uniqueName();
    const codes = await act.publishVersions(person.token, name, count, { folder: "Drawer/Folder" });
    return { name, codes, code: codes.at(-1) ?? "" };
  };
  const share = (subject: { name: string } | { code: string }, add: string[], remove: string[] = []) =>
    client(owner).call(shareWithPeopleRoute, { body: { ...subject, add, remove } });
  const sharedWith = async (person: Person, query: { q?: string; owner?: string } = {}) =>
    (await client(person).call(sharedRoute, { query })).items;

  /** What a person is told when they read a report in each way: 200 everywhere, or 404 everywhere. */
  async function doors(person: Person, { name, code }: { name: string; code: string }) {
    const cookie = await signIn(service, person);
    const page = { headers: { Cookie: cookie, Accept: "text/html", "Sec-Fetch-Mode": "navigate" } };
    const api = client(person);
    return {
      readBack: (await act.read(person.token, code)).status,
      report: await statusOf(api.call(reportRoute, { query: { code } })),
      file: (
        await fetch(`${service.baseUrl}/api/report/file?code=${code}&path=index.html`, {
          headers: { Authorization: `Bearer ${person.token}` },
        })
      ).status,
      group: await statusOf(act.group(person.token, name)),
      item: await statusOf(api.call(itemRoute, { query: { name } })),
      versions: await statusOf(api.call(itemVersionsRoute, { query: { name } })),
      preview: (await fetchPreviews(cookie, code)).length === 1 ? 200 : 404,
      versionLink: (await act.open(`/${code}/`, page)).status,
      liveLink: (await act.open(`/${name}/`, page)).status,
      listed: (await sharedWith(person)).some((item) => item.name === name) ? 200 : 404,
    };
  }

  async function fetchPreviews(cookie: string, code: string) {
    const response = await fetch(`${service.baseUrl}/api/previews?code=${code}`, {
      headers: asPage(service, cookie),
    });
    return previewsRoute.response.parse(await response.json()).previews;
  }

  const everywhere = (status: number) => ({
    ...{ readBack: status, report: status, file: status, group: status, item: status, versions: status },
    ...{ preview: status, versionLink: status, liveLink: status, listed: status },
  });

  test("a person reads a private report that is shared with them in every way, until it isn't", async () => {
    const report = await publish();
    expect(await doors(reader, report)).toEqual(everywhere(404));
    const { people } = await share({ name: report.name }, [reader.email.toUpperCase()]);
    expect(people.map(({ email }) => email)).toEqual([reader.email]);
    expect(await doors(reader, report)).toEqual(everywhere(200));
    expect(await doors(stranger, report)).toEqual(everywhere(404));
    await share({ name: report.name }, [], [reader.email]);
    expect(await doors(reader, report)).toEqual(everywhere(404));
  });

  test("readers see neither its folder nor its tags, and change nothing", async () => {
    const { name, code } = await publish();
    await share({ name }, [reader.email]);
    const item = await client(reader).call(itemRoute, { query: { name } });
    expect(item).toMatchObject({ folder: null, folder_id: null, tags: [], may_control: false, owner_slug: owner.slug });
    expect(await act.group(reader.token, name)).toMatchObject({ folder: null, tags: [], owner_slug: owner.slug });
    const api = client(reader);
    const refused = [
      () => api.call(setTitleRoute, { body: { name, title: "Mine" } }),
      () => act.rename(reader.token, name, uniqueName()),
      () => act.setFolder(reader.token, { name, folder: "A" }),
      () => act.setVisibility(reader.token, { name, visibility: "public" }),
      () => act.setLatest(reader.token, name, code),
      () => act.deleteGroup(reader.token, name),
      () => api.call(shareRoute, { query: { name } }),
      () => api.call(shareWithPeopleRoute, { body: { name, add: ["other@example.org"] } }),
      () => api.call(shareWithOrganizationRoute, { body: { name, shared: true } }),
    ];
    for (const call of refused) expect(await statusOf(call())).toBe(403);
    expect(await statusOf(act.publish(reader.token, { name }))).toBe(409);
    expect(await statusOf(api.call(shareRoute, { query: { name: uniqueName() } }))).toBe(404);
  });

  test("one version is shared without its report or the others", async () => {
    const { name, codes } = await publish(owner, 2);
    const [first = "", second = ""] = codes;
    await share({ code: first }, [reader.email]);
    expect((await act.read(reader.token, first)).status).toBe(200);
    expect((await act.read(reader.token, second)).status).toBe(404);
    expect(await statusOf(act.group(reader.token, name))).toBe(404);
    const [entry] = (await sharedWith(reader)).filter((item) => item.name === name);
    expect(entry).toMatchObject({ code: first, is_version: true, url: `${service.baseUrl}/${first}/` });
    expect((await client(owner).call(shareRoute, { query: { name } })).people).toEqual([]);
    expect((await client(owner).call(shareRoute, { query: { code: first } })).people).toHaveLength(1);
  });

  test("an undone deletion brings back the people", async () => {
    const { name, code } = await publish();
    await share({ name }, [reader.email]);
    const { undo } = await client(owner).call(deleteItemsRoute, { body: { items: [{ name }] } });
    expect((await act.read(reader.token, code)).status).toBe(404);
    await client(owner).call(restoreItemsRoute, { body: { undo: undo?.id ?? "" } });
    expect((await act.read(reader.token, code)).status).toBe(200);
  });

  test("an address that nobody has verified waits, whoever claims it", async () => {
    const report = await publish();
    const claimed = await addPerson(service);
    const { store } = service.build;
    await store.people.updateAuthRows({
      table: "users",
      where: [{ column: "id", operator: "=", value: claimed.userId, isAlternative: false }],
      changes: { email_verified: 0 },
    });
    await share({ name: report.name }, [claimed.email, "nobody@example.org"]);
    expect(await doors(claimed, report)).toEqual(everywhere(404));
    await store.people.linkIdentity({
      ...{ issuer: "https://id.example.org", subject: claimed.userId, accountId: `acc_${claimed.userId}` },
      ...{ email: claimed.email, now: Date.now() },
    });
    const token = await service.build.tokens.create({ userSlug: claimed.slug, scopes: ["reports:read"] });
    expect((await act.read(token.token, report.code)).status).toBe(200);
  });

  test("names are those of people in the same organization", async () => {
    const report = await publish(organization.owner);
    const { people } = await client(organization.owner).call(shareWithPeopleRoute, {
      body: { name: report.name, add: [organization.member.email, stranger.email] },
    });
    const names = new Map(people.map(({ email, display_name }) => [email, display_name]));
    expect(names.get(stranger.email)).toBeNull();
    expect(names.has(organization.member.email)).toBe(true);
  });

  describe("with an organization of several", () => {
    test("only its members read what is shared with it, and list it", async () => {
      const other = await addOrganization(service);
      await other.join(organization.member, "member");
      const sharer = organization.member;
      const report = await publish(sharer);
      const set = (body: { org?: string; shared: boolean }) =>
        client(sharer).call(shareWithOrganizationRoute, { body: { name: report.name, ...body } });
      expect(await set({ org: other.slug, shared: true })).toEqual({ ok: true, visibility: "org", org: other.slug });
      expect(await doors(other.admin, report)).toEqual({ ...everywhere(200), versionLink: 200, liveLink: 200 });
      expect(await doors(organization.admin, report)).toEqual(everywhere(404));
      const described = await client(sharer).call(shareRoute, { query: { name: report.name } });
      expect(described.org?.slug).toBe(other.slug);
      expect(described.orgs.map(({ slug }) => slug).toSorted()).toEqual([organization.slug, other.slug].toSorted());
      // A later version is shared with the same organization alone.
      const [later = ""] = await act.publishVersions(sharer.token, report.name, 1);
      expect(await doors(other.admin, { name: report.name, code: later })).toEqual(everywhere(200));
      expect(await doors(organization.admin, { name: report.name, code: later })).toEqual(everywhere(404));
      await set({ shared: true });
      expect(await doors(organization.admin, report)).toEqual(everywhere(200));
      await set({ shared: false });
      expect(await doors(other.admin, report)).toEqual(everywhere(404));
    });

    test("the organization has to be one of the sharer's", async () => {
      const { name } = await publish();
      const body = { name, org: organization.slug, shared: true };
      expect(await statusOf(client(owner).call(shareWithOrganizationRoute, { body }))).toBe(404);
      expect((await act.group(owner.token, name)).visibility).toBe("private");
    });
  });

  testCases(() => service, shareWithPeopleRoute, [
    peopleCase({
      name: "an address twice and one again are one person each",
      given: () => publish(),
      request: ({ name }) => ({ token: owner.token, body: { name, add: ["a@example.org", " A@example.org "] } }),
      status: 200,
      check: (answer) => expect(answer.people.map(({ email }) => email)).toEqual(["a@example.org"]),
    }),
    peopleCase({
      name: "no address",
      given: () => publish(),
      request: ({ name }) => ({ token: owner.token, body: { name } }),
      status: 400,
      error: "add or remove",
    }),
    peopleCase({
      name: "an invalid address changes nothing",
      given: () => publish(),
      request: ({ name }) => ({ token: owner.token, body: { name, add: ["a@example.org", "nonsense"] } }),
      status: 400,
      error: /"nonsense" isn't a valid email address/,
      after: async ({ name }) => expect((await client(owner).call(shareRoute, { query: { name } })).people).toEqual([]),
    }),
    peopleCase({
      name: "51 addresses",
      given: () => publish(),
      request: ({ name }) => ({
        token: owner.token,
        body: { name, add: Array.from({ length: 51 }, (_, n) => `${n}@example.org`) },
      }),
      status: 400,
      error: "add can have at most 50 addresses",
    }),
    peopleCase({
      name: "another's report",
      given: () => publish(),
      request: ({ name }) => ({ token: stranger.token, body: { name, add: ["a@example.org"] } }),
      status: 404,
      error: /^Report ".*" not found/,
    }),
    peopleCase({
      name: "a plain member of the organization, for another member's report",
      given: async () => {
        const { token } = await service.build.tokens.create({
          ...{ userSlug: organization.owner.slug, workspaceSlug: organization.slug },
          scopes: ["reports:write"],
        });
        const name = uniqueName();
        await act.publish(token, { name, visibility: "org" });
        return { name };
      },
      request: ({ name }) => ({ token: organization.member.token, body: { name, add: ["a@example.org"] } }),
      status: 403,
      error: "can't delete this report or change its visibility",
    }),
  ]);
});
