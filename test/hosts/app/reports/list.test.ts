import { expect } from "bun:test";
import { listRoute } from "../../../../src/contract/reports/lists.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { many } from "../../../support/many.ts";
import { uniqueName, useService } from "../../../support/service.ts";
import { actionsOf } from "../actions.ts";
import { casesOf, testCases } from "../cases.ts";

const listCase = casesOf<typeof listRoute>();
/** More than the server reads from the database at a time. */
const MANY = 520;

describeOneEngine("list", (engine) => {
  const service = useService({ engine });
  const act = actionsOf(service);

  const user = () => service.build.user();

  testCases(() => service, listRoute, [
    listCase({
      name: "of a new user",
      given: user,
      request: ({ token }) => ({ token }),
      status: 200,
      check: (answer, { slug }) => {
        expect(answer).toEqual({
          owners: [{ slug, kind: "user", display_name: null }],
          groups: [],
          standalone: [],
          signedIn: true,
        });
      },
    }),
    listCase({
      name: "a named report, with all its fields",
      given: async () => {
        const owner = await user();
        const name = uniqueName();
        const first = await act.publish(owner.token, { name, visibility: "public", folder: "Sales/2026" });
        const second = await act.publish(owner.token, { name, title: "Newest" });
        return { owner, name, first, second };
      },
      request: ({ owner }) => ({ token: owner.token }),
      status: 200,
      check: ({ groups, standalone }, { owner, name, first, second }) => {
        expect(standalone).toEqual([]);
        expect(groups).toEqual([
          {
            name,
            current_code: second.code,
            owner_slug: owner.slug,
            latest_title: "Newest",
            version_count: 2,
            visibility: "public",
            current_visibility: "public",
            storage: "none",
            folder: "Sales/2026",
            thumbnail_url: null,
            created_at: first.created_at,
          },
        ]);
      },
    }),
    listCase({
      name: "a public report whose current version is private",
      given: async () => {
        const { token } = await user();
        const { name, code } = await act.publish(token, { name: uniqueName(), visibility: "public" });
        await act.setVisibility(token, { code, visibility: "private" });
        return { token, name };
      },
      request: ({ token }) => ({ token }),
      status: 200,
      check: ({ groups }, { name }) =>
        expect(groups).toEqual([
          expect.objectContaining({ name, visibility: "public", current_visibility: "private" }),
        ]),
    }),
    listCase({
      name: "an unnamed report, with all its fields",
      given: async () => {
        const owner = await user();
        return { owner, report: await act.publish(owner.token, { title: "Alone", folder: "Sales" }) };
      },
      request: ({ owner }) => ({ token: owner.token }),
      status: 200,
      check: ({ groups, standalone }, { owner, report }) => {
        expect(groups).toEqual([]);
        expect(standalone).toEqual([
          {
            code: report.code,
            title: "Alone",
            owner_slug: owner.slug,
            visibility: "private",
            current_visibility: "private",
            storage: "none",
            folder: "Sales",
            folder_id: expect.stringMatching(/^fld_/),
            thumbnail_url: null,
            version_no: 1,
            created_at: report.created_at,
          },
        ]);
      },
    }),
    listCase({
      name: "an unfiled report has no folder",
      given: async () => {
        const { token } = await user();
        await act.publish(token);
        await act.publish(token, { name: uniqueName() });
        return { token };
      },
      request: ({ token }) => ({ token }),
      status: 200,
      check: ({ groups, standalone }) => {
        expect(groups).toMatchObject([{ folder: null }]);
        expect(standalone).toMatchObject([{ folder: null, folder_id: null }]);
      },
    }),
    listCase({
      name: "latest_title is the current version's, also after setlatest",
      given: async () => {
        const { token } = await user();
        const name = uniqueName();
        const [first = ""] = await act.publishVersions(token, name, 2);
        await act.setLatest(token, name, first);
        return { token, first };
      },
      request: ({ token }) => ({ token }),
      status: 200,
      check: ({ groups }, { first }) => {
        expect(groups).toMatchObject([{ latest_title: "Version 1", current_code: first, version_count: 2 }]);
      },
    }),
    listCase({
      name: "newest first",
      given: async () => {
        const { token } = await user();
        const names = [uniqueName(), uniqueName(), uniqueName()];
        const codes: string[] = [];
        for (const name of names) {
          await act.publish(token, { name });
          codes.push((await act.publish(token)).code);
        }
        return { token, names, codes };
      },
      request: ({ token }) => ({ token }),
      status: 200,
      check: ({ groups, standalone }, { names, codes }) => {
        expect(groups.map(({ name }) => name)).toEqual(names.toReversed());
        expect(standalone.map(({ code }) => code)).toEqual(codes.toReversed());
      },
    }),
    listCase({
      name: "no public reports of other users",
      given: async () => {
        const stranger = await user();
        await act.publish(stranger.token, { visibility: "public" });
        await act.publish(stranger.token, { visibility: "public", name: uniqueName() });
        return user();
      },
      request: ({ token }) => ({ token }),
      status: 200,
      check: ({ groups, standalone }) => {
        expect({ groups, standalone }).toEqual({ groups: [], standalone: [] });
      },
    }),
    listCase({
      name: "owners are the user's workspaces, and each entry names its owner",
      given: async () => {
        const organization = await service.build.organization();
        const ownToken = await service.build.token({ userSlug: organization.owner.slug });
        const inOrganization = await act.publish(organization.owner.token);
        const own = await act.publish(ownToken);
        return { organization, inOrganization, own, ownToken };
      },
      request: ({ ownToken }) => ({ token: ownToken }),
      status: 200,
      check: ({ owners, standalone }, { organization, inOrganization, own }) => {
        const { slug, owner } = organization;
        expect(owners).toHaveLength(2);
        expect(owners).toContainEqual({ slug, kind: "org", display_name: slug });
        expect(owners).toContainEqual({ slug: owner.slug, kind: "user", display_name: null });
        const ownersByCode = new Map(standalone.map(({ code, owner_slug }) => [code, owner_slug]));
        expect(ownersByCode).toEqual(
          new Map([
            [inOrganization.code, slug],
            [own.code, owner.slug],
          ]),
        );
      },
    }),
    listCase({
      name: `each of ${MANY} reports once`,
      given: async () => {
        const { token } = await user();
        const published = await many(MANY, () => act.publish(token));
        return { token, codes: published.map(({ code }) => code) };
      },
      request: ({ token }) => ({ token }),
      status: 200,
      check: ({ standalone }, { codes }) => {
        expect(standalone.map(({ code }) => code).toSorted()).toEqual(codes.toSorted());
      },
    }),
  ]);
});
