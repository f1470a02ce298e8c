import { beforeAll, expect } from "bun:test";
import { groupRoute } from "../../../../src/contract/reports/named-reports.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { uniqueName, useService } from "../../../support/service.ts";
import { actionsOf } from "../actions.ts";
import { casesOf, testCases } from "../cases.ts";

const groupCase = casesOf<typeof groupRoute>();

describeOneEngine("group", (engine) => {
  const service = useService({ engine });
  const act = actionsOf(service);
  let owner: { slug: string; token: string };

  beforeAll(async () => {
    owner = await service.build.user();
  });

  /** A group of the owner's with that many versions. */
  async function group(count = 1) {
    const name = uniqueName();
    return { name, codes: await act.publishVersions(owner.token, name, count) };
  }
  const byName = ({ name }: { name: string }) => ({ token: owner.token, query: { name } });

  testCases(() => service, groupRoute, [
    groupCase({
      name: "every field of a new group",
      given: async () => {
        const name = uniqueName();
        const report = await act.publish(owner.token, { name, title: "First", visibility: "public" });
        return { name, report };
      },
      request: byName,
      status: 200,
      check: (answer, { name, report }) => {
        expect(answer).toEqual({
          name,
          owner_slug: owner.slug,
          current_code: report.code,
          visibility: "public",
          created_at: report.created_at,
          versions: [
            {
              code: report.code,
              title: "First",
              version_no: 1,
              created_at: report.created_at,
              visibility: "public",
              storage: "none",
            },
          ],
          folder: null,
          folder_id: null,
          drawer_id: null,
          folder_changed_at: null,
          tags: [],
        });
      },
    }),
    groupCase({
      name: "versions newest first, each with its own title and time",
      given: () => group(3),
      request: byName,
      status: 200,
      check: ({ current_code, versions, created_at }, { codes }) => {
        expect(current_code).toBe(codes.at(-1) ?? "");
        expect(versions.map(({ code, version_no, title }) => [code, version_no, title])).toEqual([
          [codes[2] ?? "", 3, "Version 3"],
          [codes[1] ?? "", 2, "Version 2"],
          [codes[0] ?? "", 1, "Version 1"],
        ]);
        const times = versions.map((version) => Date.parse(version.created_at));
        expect(times).toEqual(times.toSorted((a, b) => b - a));
        expect(created_at).toBe(versions.at(-1)?.created_at ?? "");
      },
    }),
    groupCase({
      name: "filed in a folder within a drawer",
      given: async () => {
        const name = uniqueName();
        const { created_at } = await act.publish(owner.token, { name, folder: "Drawer/Folder" });
        return { name, created_at };
      },
      request: byName,
      status: 200,
      check: (answer, { created_at }) => {
        expect(answer).toMatchObject({ folder: "Drawer/Folder", folder_changed_at: created_at });
        expect(answer.folder_id).toMatch(/^fld_[0-9A-Za-z]+$/);
        expect(answer.drawer_id).toMatch(/^drw_[0-9A-Za-z]+$/);
      },
    }),
    groupCase({
      name: "filed in a folder at the root",
      given: async () => {
        const name = uniqueName();
        await act.publish(owner.token, { name, folder: "Folder" });
        return { name };
      },
      request: byName,
      status: 200,
      check: (answer) => {
        expect(answer).toMatchObject({ folder: "Folder", drawer_id: null });
        expect(answer.folder_id).toMatch(/^fld_/);
      },
    }),
    groupCase({
      name: "after setlatest",
      given: async () => {
        const made = await group(3);
        await act.setLatest(owner.token, made.name, made.codes[0] ?? "");
        return made;
      },
      request: byName,
      status: 200,
      check: ({ current_code, versions }, { codes }) => {
        expect(current_code).toBe(codes[0] ?? "");
        expect(versions).toHaveLength(3);
      },
    }),
    groupCase({
      name: "a version that was made public alone says so",
      given: async () => {
        const made = await group(2);
        await act.setVisibility(owner.token, { code: made.codes[0] ?? "", visibility: "public" });
        return made;
      },
      request: byName,
      status: 200,
      check: ({ visibility, versions }) => {
        expect(visibility).toBe("private");
        expect(versions.map((version) => version.visibility)).toEqual(["private", "public"]);
      },
    }),
    groupCase({
      name: "with a token that may only write, which implies reading",
      given: async () => ({
        ...(await group()),
        token: await service.build.token({ userSlug: owner.slug, scopes: ["reports:write"] }),
      }),
      request: ({ name, token }) => ({ token, query: { name } }),
      status: 200,
    }),
    groupCase({
      name: "an unknown name",
      given: () => ({ name: uniqueName() }),
      request: byName,
      status: 404,
      error: /^Report ".*" not found/,
    }),
    groupCase({
      name: "a name that could never exist",
      given: () => ({ name: "No Such Näme/.." }),
      request: byName,
      status: 404,
      error: /^Report ".*" not found/,
    }),
    groupCase({
      name: "a report's code",
      given: async () => ({ name: (await act.publish(owner.token)).code }),
      request: byName,
      status: 404,
      error: /^Report ".*" not found/,
    }),
    groupCase({
      name: "another account's group, however public",
      given: async () => {
        const stranger = await service.build.user();
        const name = uniqueName();
        await act.publish(owner.token, { name, visibility: "public" });
        return { name, token: stranger.token };
      },
      request: ({ name, token }) => ({ token, query: { name } }),
      status: 404,
      error: /^Report ".*" not found/,
    }),
    groupCase({
      name: "an empty name",
      given: () => ({ name: "" }),
      request: byName,
      status: 404,
      error: /^Report ".*" not found/,
    }),
    groupCase({
      name: "no name",
      given: () => undefined,
      request: () => ({ token: owner.token }),
      status: 400,
      error: "name is required",
    }),
    groupCase({
      name: "a name with NUL",
      given: () => ({ name: "a\0b" }),
      request: byName,
      status: 400,
      error: "name must be valid Unicode text",
    }),
  ]);
});
