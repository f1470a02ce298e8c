import { beforeAll, expect, test } from "bun:test";
import {
  acceptRequestRoute,
  accessRequestsRoute,
  declineRequestRoute,
  requestAccessRoute,
} from "../../../../src/contract/sharing/requests.ts";
import { newCode } from "../../../../src/domain/model/codes.ts";
import { REPLICAS } from "../../../support/behind-nginx.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { addOrganization, addPerson, type Person } from "../../../support/people.ts";
import { random, uniqueName, useService } from "../../../support/service.ts";
import { signIn } from "../../../support/sessions.ts";
import { until } from "../../../support/until.ts";
import { actionsOf, statusOf } from "../actions.ts";

describeOneEngine("requests for access", (engine) => {
  const service = useService({ engine });
  const act = actionsOf(service);
  let owner: Person;
  let reader: Person;

  beforeAll(async () => {
    [owner, reader] = [await addPerson(service), await addPerson(service)];
  });

  const client = (person: Pick<Person, "token">) => service.client(person.token);
  const ask = (person: Person, body: { name?: string; code?: string; message?: string }) =>
    client(person).call(requestAccessRoute, { body });
  const requestsFor = async (person: Person, name: string) =>
    (await client(person).call(accessRequestsRoute)).requests.filter((request) => request.name === name);
  const requestFor = (person: Person, name: string) => until(async () => (await requestsFor(person, name))[0]);

  async function publish() {
    const name = uniqueName();
    const codes = await act.publishVersions(owner.token, name, 2);
    return { name, codes };
  }

  test("the owner accepts, and the person reads the report", async () => {
    const { name, codes } = await publish();
    await ask(reader, { name, message: "  For Monday.\nPlease " });
    const request = await requestFor(owner, name);
    expect(request).toMatchObject({
      ...{ email: reader.email, message: "For Monday.\nPlease", is_version: false, owner_slug: owner.slug },
    });
    expect(await requestsFor(reader, name)).toEqual([]);
    expect(await statusOf(client(reader).call(acceptRequestRoute, { body: { id: request.id } }))).toBe(404);
    await client(owner).call(acceptRequestRoute, { body: { id: request.id } });
    for (const code of codes) expect((await act.read(reader.token, code)).status).toBe(200);
    expect(await requestsFor(owner, name)).toEqual([]);
    expect(await statusOf(client(owner).call(acceptRequestRoute, { body: { id: request.id } }))).toBe(404);
  });

  test("a version that was asked for is shared alone", async () => {
    const { name, codes } = await publish();
    const [first = "", second = ""] = codes;
    await ask(reader, { code: first });
    const request = await requestFor(owner, name);
    expect(request).toMatchObject({ code: first, is_version: true, message: null });
    await client(owner).call(acceptRequestRoute, { body: { id: request.id } });
    expect((await act.read(reader.token, first)).status).toBe(200);
    expect((await act.read(reader.token, second)).status).toBe(404);
  });

  test("a declined request is gone, and asking again at once changes nothing", async () => {
    const { name, codes } = await publish();
    const other = await publish();
    await ask(reader, { name });
    const request = await requestFor(owner, name);
    await client(owner).call(declineRequestRoute, { body: { id: request.id } });
    await ask(reader, { name });
    // The requests of one person are handled in order, so the first has had no effect once this one has arrived.
    await ask(reader, { name: other.name });
    await requestFor(owner, other.name);
    expect(await requestsFor(owner, name)).toEqual([]);
    expect((await act.read(reader.token, codes[0] ?? "")).status).toBe(404);
  });

  test("owners, admins and the maker answer, plain members don't", async () => {
    const organization = await addOrganization(service);
    const { token } = await service.build.tokens.create({
      ...{ userSlug: organization.member.slug, workspaceSlug: organization.slug },
      scopes: ["reports:write"],
    });
    const other = await addPerson(service);
    await organization.join(other, "member");
    const name = uniqueName();
    await act.publish(token, { name });
    await ask(reader, { name });
    for (const person of [organization.owner, organization.admin, organization.member]) {
      expect((await requestFor(person, name)).email).toBe(reader.email);
    }
    expect(await requestsFor(other, name)).toEqual([]);
  });

  test("the answer is the same whether or not there is a report", async () => {
    const asker = await addPerson(service);
    const { name, codes } = await publish();
    const unknown = `u${name.slice(1)}`;
    const answers = [];
    for (const body of [{ name }, { name: unknown }, { code: codes[0] ?? "" }, { code: newCode(random) }]) {
      const response = await fetch(`${service.baseUrl}${requestAccessRoute.path}`, {
        method: "POST",
        headers: { Authorization: `Bearer ${asker.token}`, "Content-Type": "application/json" },
        body: JSON.stringify(body),
      });
      const { date: _, "x-request-id": _id, ...headers } = Object.fromEntries(response.headers);
      answers.push({ status: response.status, body: await response.text(), headers });
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
  });

  test("a link without access offers to ask, whether or not there is a report", async () => {
    const cookie = await signIn(service, reader);
    const { name, codes } = await publish();
    const page = async (path: string) => {
      const response = await act.open(path, { headers: { Cookie: cookie, Accept: "text/html" } });
      return { status: response.status, text: await response.text() };
    };
    const unknown = `u${name.slice(1)}`;
    const [known, missing] = [await page(`/${name}/`), await page(`/${unknown}/`)];
    expect(known.text).toContain('href="?request-access"');
    expect(known).toEqual(missing);
    const [version, other] = [codes[0] ?? "", newCode(random)];
    const [ofVersion, ofOther] = [await page(`/${version}/`), await page(`/${other}/`)];
    expect(ofVersion).toEqual(ofOther);
    expect(ofVersion).toEqual(known);
    for (const [path, query] of [
      [`/${name}/`, `name=${name}`],
      [`/${unknown}/`, `name=${unknown}`],
      [`/${version}/`, `code=${version}`],
      [`/${other}/`, `code=${other}`],
    ] as const) {
      const { headers } = await act.open(`${path}?request-access`, {
        headers: { Cookie: cookie, Accept: "text/html" },
      });
      expect(headers.get("location")).toBe(`/-/request-access?${query}`);
    }
  });

  test("only verified addresses ask, and not too often", async () => {
    const claimed = await addPerson(service);
    await service.build.store.people.updateAuthRows({
      table: "users",
      where: [{ column: "id", operator: "=", value: claimed.userId, isAlternative: false }],
      changes: { email_verified: 0 },
    });
    await expect(ask(claimed, { name: uniqueName() })).rejects.toThrow("isn't verified");
    const eager = await addPerson(service);
    // Each replica counts for itself.
    const statuses: number[] = [];
    for (let n = 0; n <= 20 * REPLICAS; n++) statuses.push(await statusOf(ask(eager, { name: uniqueName() })));
    expect(statuses.slice(0, 20)).toEqual(Array(20).fill(200));
    expect(statuses.at(-1)).toBe(429);
  });
});
