import { createTokenRoute, tokensRoute } from "../../../../src/contract/tokens/tokens.ts";
import { executeSql } from "../../../support/direct-sql.ts";
import type { Service } from "../../../support/service.ts";
import { asPage, pageClient, signIn } from "../../../support/sessions.ts";

/** Returns the fields of a new token except its owner; valid unless overridden. */
export const tokenFields = (overrides: object = {}) => ({
  name: "Build",
  scopes: ["reports:read"],
  expires_in_days: null,
  ...overrides,
});

/** Returns what signed-in people do with their access tokens. */
export function tokenActionsOf(service: Service) {
  /** Returns a signed-in person without tokens. */
  async function person() {
    const user = await service.build.user();
    await executeSql(
      service.database,
      `delete from tokens where user_id = (select user_id from memberships
        join workspaces on workspaces.id = workspace_id where slug = '${user.slug}')`,
    );
    const cookie = await signIn(service, user);
    return { slug: user.slug, cookie, page: pageClient(service, cookie) };
  }
  type Person = Awaited<ReturnType<typeof person>>;

  const create = ({ page, slug }: Person, overrides: object = {}) =>
    page.call(createTokenRoute, {
      body: { owner: slug, name: "Build", scopes: ["reports:read"], expires_in_days: null, ...overrides },
    });
  const listed = async ({ page }: Person) => (await page.call(tokensRoute)).tokens;
  const byPage = ({ cookie }: { cookie: string }) => ({ headers: asPage(service, cookie) });

  /** Returns a signed-in person with one token. */
  async function owner() {
    const user = await person();
    return { ...user, made: await create(user) };
  }

  return { person, create, listed, byPage, owner };
}
