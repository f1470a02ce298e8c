import { describe, expect, test } from "bun:test";
import { accountRoute, setDisplayNameRoute } from "../../../../src/contract/people/account.ts";
import { membersRoute } from "../../../../src/contract/people/members.ts";
import { executeSql } from "../../../support/direct-sql.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { addOrganization, addPerson, LEADERS, PARTS, type Person, statusFor } from "../../../support/people.ts";
import { buildUpload, uniqueName, useService } from "../../../support/service.ts";
import { asPage, signIn } from "../../../support/sessions.ts";
import { statusOf } from "../actions.ts";
import { orderActionsOf } from "../cabinet/order-actions.ts";
import { casesOf, testCases } from "../cases.ts";

const accountCase = casesOf<typeof accountRoute>();
const nameCase = casesOf<typeof setDisplayNameRoute>();

describeOneEngine("the account", (engine) => {
  const service = useService({ engine, environment: { VITRINE_QUOTA_PRO: "1GB", VITRINE_QUOTA_FREE: "5MB" } });
  const act = orderActionsOf(service);

  const person = () => addPerson(service);
  const account = (token: string) => service.client(token).call(accountRoute);
  const byToken = ({ token }: { token: string }) => ({ token });

  /** Returns a person in two organizations whose names and slugs sort differently. */
  async function joiner() {
    const user = await person();
    const { accounts } = service.build;
    const slugs = ["b", "a"].map((letter) => `${letter}-${uniqueName()}`.slice(0, 39));
    const names = ["alpha", "Beta"];
    for (const [position, slug] of slugs.entries()) {
      const name = names[position] ?? "";
      await accounts.createOrganization({ slug, name, ownerSlug: (await person()).slug, plan: "free" });
      await accounts.addMember({ organizationSlug: slug, userSlug: user.slug, role: "member" });
    }
    return { ...user, slugs };
  }

  testCases(() => service, accountRoute, [
    accountCase({
      name: "everything about a new user",
      given: person,
      request: byToken,
      status: 200,
      check: (answer, user) =>
        expect(answer).toEqual({
          user: {
            id: user.userId,
            slug: user.slug,
            display_name: null,
            email: user.email,
            is_operator: false,
            has_password: true,
          },
          workspace: user.slug,
          workspaces: [
            {
              slug: user.slug,
              kind: "user",
              display_name: null,
              role: "owner",
              plan: "pro",
              stored_bytes: 0,
              quota_bytes: 1024 ** 3,
              default_folder_id: null,
              default_visibility: "private",
              seen_by: "off",
            },
          ],
          limits: {
            files_per_upload: 100,
            file_bytes: 10 * 1024 ** 2,
            request_bytes: 20 * 1024 ** 2,
            free_plan_file_bytes: 1024 ** 2,
            title_characters: 300,
            items_per_call: 200,
          },
          is_sign_up_open: false,
          content_url: service.contentUrl,
        }),
    }),
    accountCase({
      name: "bytes and the default folder of a workspace in use",
      given: async () => {
        const user = await person();
        const folder = await act.createFolder(user.token, user.slug);
        await act.setDefaultFolder(user.token, user.slug, folder.id);
        const upload = buildUpload({ files: [{ path: "index.html", content: "x".repeat(1234) }] });
        await act.publish(user.token, upload);
        await act.publish(user.token, upload);
        return { ...user, folder };
      },
      request: byToken,
      status: 200,
      check: ({ workspaces }, { folder }) =>
        expect(workspaces).toMatchObject([{ stored_bytes: 2468, default_folder_id: folder.id }]),
    }),
    accountCase({
      name: "the user's workspace first, then organizations by name",
      given: joiner,
      request: byToken,
      status: 200,
      check: ({ workspaces }, user) =>
        expect(workspaces.map(({ slug, role, quota_bytes }) => [slug, role, quota_bytes])).toEqual([
          [user.slug, "owner", 1024 ** 3],
          [user.slugs[0] ?? "", "member", 5 * 1024 ** 2],
          [user.slugs[1] ?? "", "member", 5 * 1024 ** 2],
        ]),
    }),
    accountCase({
      name: "the same with a token for an organization, and in a session",
      given: async () => {
        const user = await joiner();
        const token = await service.build.token({ userSlug: user.slug, workspaceSlug: user.slugs[1] ?? "" });
        return {
          slugs: user.slugs,
          own: await account(user.token),
          inside: await account(token),
          cookie: await signIn(service, user),
        };
      },
      request: ({ cookie }) => ({ headers: { Cookie: cookie } }),
      status: 200,
      check: (answer, { slugs, own, inside }) =>
        expect([inside, answer]).toEqual([{ ...own, workspace: slugs[1] }, own]),
    }),
    accountCase({
      name: "of a user without a password",
      given: async () => {
        const user = await person();
        await executeSql(service.database, `delete from accounts where user_id = '${user.userId}'`);
        return user;
      },
      request: byToken,
      status: 200,
      check: ({ user }) => expect(user.has_password).toBe(false),
    }),
    accountCase({
      name: "a delete-only token",
      given: async () => ({
        token: await service.build.token({ userSlug: (await person()).slug, scopes: ["reports:delete"] }),
      }),
      request: byToken,
      status: 403,
      error: "reports:read",
    }),
    accountCase({ name: "no credentials", given: () => undefined, request: () => ({}), status: 401 }),
  ]);

  const setName = (by: Person, owner: string, display_name: string) =>
    service.client(by.token).call(setDisplayNameRoute, { body: { owner, display_name } });

  testCases(() => service, setDisplayNameRoute, [
    nameCase({
      name: "of the caller: both the workspace and the person",
      given: person,
      request: ({ token, slug }) => ({ token, body: { owner: slug, display_name: "  Ada Lovelace 👩‍💻 " } }),
      status: 200,
      check: (answer) => expect(answer).toEqual({ ok: true, display_name: "Ada Lovelace 👩‍💻" }),
      after: async (user) => {
        const display_name = "Ada Lovelace 👩‍💻";
        expect(await account(user.token)).toMatchObject({ user: { display_name }, workspaces: [{ display_name }] });
        const session = await act.open("/api/auth/get-session", { headers: { Cookie: await signIn(service, user) } });
        expect(await session.json()).toMatchObject({ user: { name: display_name } });
      },
    }),
    nameCase({
      name: "of an organization: only the organization",
      given: () => addOrganization(service),
      request: ({ slug, admin }) => ({ token: admin.token, body: { owner: slug, display_name: "The Analysts" } }),
      status: 200,
      after: async ({ slug, admin, member }) => {
        const { user, workspaces } = await account(member.token);
        expect(user.display_name).toBeNull();
        expect(workspaces[1]).toMatchObject({ slug, display_name: "The Analysts" });
        const { members } = await service.client(admin.token).call(membersRoute, { query: { owner: slug } });
        expect(members.map(({ display_name }) => display_name)).toEqual([null, null, null]);
      },
    }),
    nameCase({
      name: "in a session, from Vitrine's own page",
      given: async () => {
        const user = await person();
        return { ...user, cookie: await signIn(service, user) };
      },
      request: ({ slug, cookie }) => ({ headers: asPage(service, cookie), body: { owner: slug, display_name: "A" } }),
      status: 200,
    }),
    nameCase({
      name: "in a session, from another site's page",
      given: async () => {
        const user = await person();
        return { ...user, cookie: await signIn(service, user) };
      },
      request: ({ slug, cookie }) => ({
        headers: { Cookie: cookie, Origin: "https://evil.example" },
        body: { owner: slug, display_name: "A" },
      }),
      status: 403,
      after: async ({ token }) => expect((await account(token)).user.display_name).toBeNull(),
    }),
    nameCase({
      name: "with 120 characters",
      given: person,
      request: ({ token, slug }) => ({ token, body: { owner: slug, display_name: "\u{1f600}".repeat(120) } }),
      status: 200,
    }),
    ...[
      ["with 121 characters", "é".repeat(121), "display_name must have at most 120 characters"],
      ["with blanks only", " \t ", "display_name can't be empty"],
      ["with NUL", "a\0b", "display_name must be valid Unicode text"],
      ["that isn't text", 7, "display_name must be a string"],
      ["that is missing", undefined, "display_name is required"],
    ].map(([name, display_name, error]) =>
      nameCase({
        name: `a name ${name}`,
        given: person,
        request: ({ token, slug }) => ({ token, body: { owner: slug, display_name } }),
        status: 400,
        error: String(error),
        after: async ({ token }) => expect((await account(token)).user.display_name).toBeNull(),
      }),
    ),
    nameCase({
      name: "of another person",
      given: async () => ({ user: await person(), other: await person() }),
      request: ({ user, other }) => ({ token: user.token, body: { owner: other.slug, display_name: "Mine" } }),
      status: 404,
      error: /^Workspace ".*" not found/,
      after: async ({ other }) => expect((await account(other.token)).user.display_name).toBeNull(),
    }),
    nameCase({
      name: "of an unknown workspace",
      given: person,
      request: ({ token }) => ({ token, body: { owner: "nobody-here", display_name: "Mine" } }),
      status: 404,
      error: /^Workspace ".*" not found/,
    }),
    nameCase({
      name: "with a read-only token",
      given: async () => {
        const user = await person();
        return { ...user, token: await service.build.token({ userSlug: user.slug, scopes: ["reports:read"] }) };
      },
      request: ({ token, slug }) => ({ token, body: { owner: slug, display_name: "A" } }),
      status: 403,
      error: "reports:write",
    }),
  ]);

  describe("an organization's name", () => {
    test.each(PARTS.map((part) => [part, statusFor(part, LEADERS)] as const))(
      "by its %s → %d",
      async (part, status) => {
        const made = await addOrganization(service);
        const before = (await account(made.owner.token)).workspaces[1]?.display_name;
        expect(await statusOf(setName(made[part], made.slug, "Renamed"))).toBe(status);
        const after = (await account(made.owner.token)).workspaces[1]?.display_name;
        expect(after).toBe(status === 200 ? "Renamed" : before);
      },
    );
  });

  test("a role lost a moment ago doesn't allow renaming", async () => {
    const { slug, admin } = await addOrganization(service);
    const workspace = await service.build.store.people.findWorkspace(slug);
    const change = { workspaceId: workspace?.id ?? "", userId: admin.userId, displayName: "Late", now: Date.now() };
    await executeSql(
      service.database,
      `update memberships set role = 'member' where workspace_id = '${workspace?.id}' and user_id = '${admin.userId}'`,
    );
    expect(await service.build.store.people.setDisplayName(change)).toBe(false);
    expect(await service.build.store.people.findWorkspace(slug)).toEqual(workspace);
  });
});
