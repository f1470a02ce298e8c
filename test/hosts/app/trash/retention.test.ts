import { beforeAll, expect } from "bun:test";
import { retentionRoute, setRetentionRoute } from "../../../../src/contract/trash/retention.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { uniqueName, useService } from "../../../support/service.ts";
import { casesOf, testCases } from "../cases.ts";
import { type TrashActions, trashActionsOf } from "./trash-actions.ts";

const setCase = casesOf<typeof setRetentionRoute>();
const listCase = casesOf<typeof retentionRoute>();

describeOneEngine("retention rules", (engine) => {
  const service = useService({ engine });
  let act: TrashActions;

  beforeAll(() => {
    act = trashActionsOf(service);
  });

  const user = () => service.build.user();
  async function filed() {
    const { slug: owner, token } = await user();
    const name = uniqueName();
    const codes = await act.publishVersions(token, name, 4);
    const folder = await act.createFolder(token, owner);
    await act.fileItems(token, { items: [{ name }], folder_id: folder.id });
    return { owner, token, name, codes, folder };
  }

  testCases(() => service, setRetentionRoute, [
    setCase({
      name: "of a workspace, then another one in its place, then none",
      given: user,
      request: ({ slug, token }) => ({ token, body: { owner: slug, keep: 20, days: 90 } }),
      status: 200,
      check: (answer) => expect(answer).toEqual({ ok: true, keep: 20, days: 90, would_delete: null }),
      after: async ({ slug, token }) => {
        await act.setRetention(token, { owner: slug, keep: 5 });
        const { rules } = await act.retention(token, slug);
        expect(rules).toMatchObject([
          { folder_id: null, tag_id: null, title: null, keep: 5, days: null, set_by: { slug } },
        ]);
        await act.setRetention(token, { owner: slug });
        expect((await act.retention(token, slug)).rules).toEqual([]);
      },
    }),
    setCase({
      name: "a dry run changes nothing and says what would go",
      given: filed,
      request: ({ owner, token }) => ({ token, body: { owner, keep: 2, dry_run: true } }),
      status: 200,
      check: ({ would_delete: preview }, { name, codes }) => {
        expect(preview).toMatchObject({ reports: 1, versions: 2 });
        expect(preview?.entries).toMatchObject([
          { name, code: codes[0], version_no: 1 },
          { name, code: codes[1], version_no: 2 },
        ]);
        expect(preview?.bytes).toBe(preview?.entries.reduce((sum, { size }) => sum + size, 0) ?? -1);
      },
      after: async ({ owner, token, name }) => {
        expect((await act.retention(token, owner)).rules).toEqual([]);
        expect((await act.group(token, name)).versions).toHaveLength(4);
      },
    }),
    setCase({
      name: "the rule of a folder replaces that of the workspace",
      given: async () => {
        const given = await filed();
        await act.setRetention(given.token, { owner: given.owner, folder_id: given.folder.id, keep: 3 });
        return given;
      },
      request: ({ owner, token }) => ({ token, body: { owner, keep: 1, dry_run: true } }),
      status: 200,
      check: ({ would_delete: preview }) => expect(preview?.versions).toBe(0),
      after: async ({ owner, token, folder, codes }) => {
        const answer = await act.setRetention(token, { owner, folder_id: folder.id, keep: 3, dry_run: true });
        expect(answer.would_delete?.entries.map(({ code }) => code)).toEqual([codes[0] ?? ""]);
      },
    }),
    setCase({
      name: "never the current version, nor protected ones",
      given: async () => {
        const given = await filed();
        const [first = "", second = ""] = given.codes;
        await act.setLatest(given.token, given.name, first);
        await act.protect(given.token, { code: second, protected: true });
        return given;
      },
      request: ({ owner, token }) => ({ token, body: { owner, keep: 1, dry_run: true } }),
      status: 200,
      check: ({ would_delete: preview }, { codes }) =>
        expect(preview?.entries.map(({ code }) => code)).toEqual([codes[2] ?? ""]),
      after: async ({ owner, token, name }) => {
        await act.protect(token, { name, protected: true });
        expect((await act.setRetention(token, { owner, keep: 1, dry_run: true })).would_delete?.versions).toBe(0);
      },
    }),
    setCase({
      name: "young versions are kept",
      given: filed,
      request: ({ owner, token }) => ({ token, body: { owner, keep: 1, days: 1, dry_run: true } }),
      status: 200,
      check: ({ would_delete: preview }) => expect(preview?.versions).toBe(0),
    }),
    setCase({
      name: "of an organization, by a member",
      given: async () => {
        const { slug, members } = await service.build.organization({ roles: ["member"] });
        return { slug, token: members[0]?.token ?? "" };
      },
      request: ({ slug, token }) => ({ token, body: { owner: slug, keep: 1 } }),
      status: 403,
      error: "Only owners and admins of the organization",
    }),
    setCase({
      name: "of a folder of others",
      given: async () => ({ mine: await user(), theirs: await filed() }),
      request: ({ mine, theirs }) => ({
        token: mine.token,
        body: { owner: mine.slug, folder_id: theirs.folder.id, keep: 1 },
      }),
      status: 404,
      error: /^folder_id "fld_.+" not found/,
    }),
    setCase({
      name: "an unknown workspace",
      given: user,
      request: ({ token }) => ({ token, body: { owner: "nobody", keep: 1 } }),
      status: 404,
      error: 'Workspace "nobody" not found',
    }),
    ...(
      [
        ["0 versions", { keep: 0 }, "keep must be between 1 and 100000."],
        ["half a day", { days: 0.5 }, /^days must be a whole number/],
        ["a folder and a tag", { keep: 1, folder_id: "fld_x", tag_id: "tag_x" }, "Specify either folder_id or tag_id."],
      ] as const
    ).map(([name, fields, error]) =>
      setCase({
        name,
        given: user,
        request: ({ slug, token }) => ({ token, body: { owner: slug, ...fields } }),
        status: 400,
        error,
      }),
    ),
  ]);

  testCases(() => service, retentionRoute, [
    listCase({
      name: "members see the rules of their organization",
      given: async () => {
        const { slug, owner, members } = await service.build.organization({ roles: ["member"] });
        await act.setRetention(owner.token, { owner: slug, days: 30 });
        return { slug, token: members[0]?.token ?? "" };
      },
      request: ({ slug, token }) => ({ token, query: { owner: slug } }),
      status: 200,
      check: ({ rules }) => expect(rules).toMatchObject([{ keep: null, days: 30 }]),
    }),
    listCase({
      name: "of others",
      given: async () => ({ mine: await user(), theirs: await user() }),
      request: ({ mine, theirs }) => ({ token: mine.token, query: { owner: theirs.slug } }),
      status: 404,
      error: /^Workspace ".+" not found/,
    }),
  ]);
});
