import type { Route } from "../../../../src/contract/model/route.ts";
import type { Scenario } from "../../../support/scenarios.ts";
import type { Service } from "../../../support/service.ts";
import { casesOf } from "../cases.ts";

interface Asked {
  service(): Service;
  /** The owner of the report. */
  owner(): { slug: string };
  group(): Promise<{ name: string }>;
}

/** Returns cases of requests by name that lack the required credentials. */
export function casesOfCredentials<R extends Route>({ service, owner, group }: Asked): Scenario[] {
  const wanted = casesOf<R>();
  return [
    wanted({
      name: "a delete-only token",
      given: async () => ({
        ...(await group()),
        token: await service().build.token({ userSlug: owner().slug, scopes: ["reports:delete"] }),
      }),
      request: ({ token, name }) => ({ token, query: { name } }),
      status: 403,
      error: "reports:read",
    }),
    wanted({ name: "no credentials", given: group, request: ({ name }) => ({ query: { name } }), status: 401 }),
  ];
}
