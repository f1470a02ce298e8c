import { expect, test } from "bun:test";
import { accountRoute } from "../../../../src/contract/people/account.ts";
import { setDefaultVisibilityRoute } from "../../../../src/contract/people/workspace-settings.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { addOrganization, LEADERS, type Organization, PARTS, statusFor } from "../../../support/people.ts";
import { uniqueName, useService } from "../../../support/service.ts";
import { actionsOf } from "../actions.ts";
import { casesOf, testCases } from "../cases.ts";

const visibilityCase = casesOf<typeof setDefaultVisibilityRoute>();

describeOneEngine("settings/set-default-visibility", (engine) => {
  const service = useService({ engine });
  const act = actionsOf(service);

  const defaultOf = async ({ owner, slug }: Organization) => {
    const { workspaces } = await service.client(owner.token).call(accountRoute);
    return workspaces.find((workspace) => workspace.slug === slug)?.default_visibility;
  };

  testCases(() => service, setDefaultVisibilityRoute, [
    ...PARTS.map((by) => {
      const status = statusFor(by, LEADERS);
      return visibilityCase({
        name: `an ${by} changes it`,
        given: () => addOrganization(service),
        request: (made) => ({ token: made[by].token, body: { owner: made.slug, visibility: "org" } }),
        status,
        check: (answer) => {
          if (status === 200) expect(answer).toEqual({ ok: true, default_visibility: "org" });
        },
        after: async (made) => expect(await defaultOf(made)).toBe(status === 200 ? "org" : "private"),
      });
    }),
    visibilityCase({
      name: "a person's workspace has none",
      given: () => service.build.user(),
      request: ({ slug, token }) => ({ token, body: { owner: slug, visibility: "org" } }),
      status: 400,
      error: /is a person's workspace\. Only organizations have a default visibility\.$/,
    }),
    visibilityCase({
      name: "never public",
      given: () => addOrganization(service),
      request: ({ owner, slug }) => ({ token: owner.token, body: { owner: slug, visibility: "public" } }),
      status: 400,
      error: /^visibility/,
    }),
  ]);

  test("applies to new reports whose upload names no visibility, and to no others", async () => {
    const organization = await addOrganization(service);
    const { slug, owner, member } = organization;
    const name = uniqueName();
    await act.publish(owner.token, { owner: slug, name });
    const set = (visibility: "org" | "private") =>
      service.client(owner.token).call(setDefaultVisibilityRoute, { body: { owner: slug, visibility } });
    await set("org");
    expect((await act.publish(member.token, { owner: slug })).visibility).toBe("org");
    expect((await act.publish(member.token, { owner: slug, name: uniqueName() })).visibility).toBe("org");
    expect((await act.publish(member.token, { owner: slug, visibility: "private" })).visibility).toBe("private");
    expect((await act.publish(member.token, { owner: slug, visibility: "public" })).visibility).toBe("public");
    // The report has its own visibility already, and the request names none.
    expect(await act.publish(owner.token, { owner: slug, name })).toMatchObject({
      visibility: "private",
      warnings: [],
    });
    // It is the organization's, not its members'.
    expect((await act.publish(member.token)).visibility).toBe("private");
    await set("private");
    expect((await act.publish(member.token, { owner: slug })).visibility).toBe("private");
  });
});
