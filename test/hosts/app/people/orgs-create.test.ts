import { expect, test } from "bun:test";
import { createOrganizationRoute } from "../../../../src/contract/people/organizations.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { addOrganization, addPerson, rolesIn } from "../../../support/people.ts";
import { useService } from "../../../support/service.ts";
import { post, signIn } from "../../../support/sessions.ts";
import { actionsOf, settle, statusOf } from "../actions.ts";
import { casesOf, testCases } from "../cases.ts";

const createCase = casesOf<typeof createOrganizationRoute>();
const uniqueSlug = () => `org-${crypto.randomUUID().slice(0, 12)}`;

describeOneEngine("orgs/create", (engine) => {
  const service = useService({ engine, environment: { VITRINE_DEFAULT_PLAN: "free" } });

  const given = async () => ({ person: await addPerson(service), slug: uniqueSlug() });
  const planOf = async (slug: string) => (await service.build.store.people.findWorkspace(slug))?.plan;

  const refused = (name: string, status: number, error: string | RegExp, body: (slug: string) => object) =>
    createCase({
      name,
      given,
      request: ({ person, slug }) => ({ token: person.token, body: body(slug) }),
      status,
      error,
      after: async ({ person, slug }) => {
        expect(await planOf(slug)).toBeUndefined();
        const { owners } = await actionsOf(service).list(person.token);
        expect(owners.map((owner) => owner.slug)).toEqual([person.slug]);
      },
    });

  testCases(() => service, createOrganizationRoute, [
    createCase({
      name: "an organization that the caller owns, on the default plan",
      given,
      request: ({ person, slug }) => ({ token: person.token, body: { slug, name: "  The Analysts " } }),
      status: 200,
      check: (answer, { slug }) => expect(answer).toEqual({ slug, kind: "org", display_name: "The Analysts" }),
      after: async ({ person, slug }) => {
        expect(await rolesIn(service, slug)).toEqual({ [person.slug]: "owner" });
        expect(await planOf(slug)).toBe("free");
      },
    }),
    createCase({
      name: "a taken slug",
      given: async () => ({ ...(await given()), taken: await addOrganization(service) }),
      request: ({ person, taken }) => ({ token: person.token, body: { slug: taken.slug, name: "Mine" } }),
      status: 409,
      error: "taken",
      after: async ({ person, taken }) => expect(await rolesIn(service, taken.slug)).not.toHaveProperty(person.slug),
    }),
    createCase({
      name: "a person's slug",
      given,
      request: ({ person }) => ({ token: person.token, body: { slug: person.slug, name: "Mine" } }),
      status: 409,
      error: "taken",
    }),
    refused("a slug with capitals", 400, /^slug /, (slug) => ({ slug: slug.toUpperCase(), name: "N" })),
    refused("a slug of 40 characters", 400, /^slug /, () => ({ slug: "a".repeat(40), name: "N" })),
    refused("no slug", 400, "slug is required", () => ({ name: "N" })),
    refused("no name", 400, "name is required", (slug) => ({ slug })),
    refused("a blank name", 400, /^name /, (slug) => ({ slug, name: "  " })),
    refused("a name of 121 characters", 400, /^name /, (slug) => ({ slug, name: "n".repeat(121) })),
    createCase({
      name: "a token for an organization",
      given: async () => {
        const { owner, slug: workspaceSlug } = await addOrganization(service);
        return { slug: uniqueSlug(), token: await service.build.token({ userSlug: owner.slug, workspaceSlug }) };
      },
      request: ({ token, slug }) => ({ token, body: { slug, name: "N" } }),
      status: 403,
      error: "belongs to an organization",
      after: async ({ slug }) => expect(await planOf(slug)).toBeUndefined(),
    }),
    createCase({
      name: "a read-only token",
      given: async () => {
        const { slug: userSlug } = await addPerson(service);
        return { slug: uniqueSlug(), token: await service.build.token({ userSlug, scopes: ["reports:read"] }) };
      },
      request: ({ token, slug }) => ({ token, body: { slug, name: "N" } }),
      status: 403,
      error: "reports:write",
      after: async ({ slug }) => expect(await planOf(slug)).toBeUndefined(),
    }),
    createCase({ name: "no token", given, request: ({ slug }) => ({ body: { slug, name: "N" } }), status: 401 }),
  ]);

  test("a signed-in person creates one, from this site's own pages only", async () => {
    const person = await addPerson(service);
    const headers = { Cookie: await signIn(service, person) };
    const body = { slug: uniqueSlug(), name: "N" };
    const evil = { ...headers, Origin: service.contentUrl };
    expect((await post(service, createOrganizationRoute.path, body, evil)).status).toBe(403);
    expect((await post(service, createOrganizationRoute.path, body, headers)).status).toBe(200);
    expect(await rolesIn(service, body.slug)).toEqual({ [person.slug]: "owner" });
  });

  test("of ten who want one slug, one gets it", async () => {
    const people = await Promise.all(Array.from({ length: 10 }, () => addPerson(service)));
    const body = { slug: uniqueSlug(), name: "N" };
    const { answers, refusals } = await settle(
      people.map(({ token }) => service.client(token).call(createOrganizationRoute, { body })),
    );
    expect([answers.length, refusals]).toEqual([1, Array(9).fill(409)]);
    expect(Object.values(await rolesIn(service, body.slug))).toEqual(["owner"]);
  });

  test("a token for the new organization publishes into it", async () => {
    const person = await addPerson(service);
    const body = { slug: uniqueSlug(), name: "N" };
    await service.client(person.token).call(createOrganizationRoute, { body });
    const token = await service.build.token({ userSlug: person.slug, workspaceSlug: body.slug });
    expect(await statusOf(actionsOf(service).publish(token))).toBe(200);
  });
});
