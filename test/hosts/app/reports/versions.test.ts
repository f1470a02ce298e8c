import { beforeAll, expect } from "bun:test";
import { uploadRoute } from "../../../../src/contract/publishing/publish.ts";
import { executeSql } from "../../../support/direct-sql.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { buildUpload, uniqueName, useService } from "../../../support/service.ts";
import { type Actions, actionsOf } from "../actions.ts";
import { casesOf, testCases } from "../cases.ts";

const uploadCase = casesOf<typeof uploadRoute>();

/** What an upload does to what is there already: numbers, pointers, folders, titles. */
describeOneEngine("upload, version by version", (engine) => {
  const service = useService({ engine });
  const act = actionsOf(service);
  let token: string;

  beforeAll(async () => {
    token = (await service.build.user()).token;
  });

  async function group(count: number, overrides: Parameters<Actions["publish"]>[1] = {}) {
    const name = uniqueName();
    return { name, codes: await act.publishVersions(token, name, count, overrides) };
  }
  const nextVersion = ({ name }: { name: string }) => ({ token, body: buildUpload({ name }) });

  const titled = (name: string, upload: Parameters<typeof buildUpload>[0], title: string) =>
    uploadCase({
      name: `the title: ${name}`,
      given: uniqueName,
      request: (reportName) => ({ token, body: buildUpload({ name: reportName, ...upload }) }),
      status: 200,
      after: async (reportName) => {
        expect((await act.group(token, reportName)).versions).toMatchObject([{ title: title || reportName }]);
      },
    });
  const document = (content: string) => ({ files: [{ path: "index.html", content }] });

  /** A user whose new reports go into this folder unless they say otherwise. */
  async function userWithDefaultFolder() {
    const user = await service.build.user();
    const name = uniqueName();
    await act.publish(user.token, { name, folder: "Inbox/New" });
    const { folder_id } = await act.group(user.token, name);
    await executeSql(
      service.database,
      `update workspaces set default_folder_id = '${folder_id}' where slug = '${user.slug}'`,
    );
    return { ...user, folderId: folder_id };
  }

  testCases(() => service, uploadRoute, [
    uploadCase({
      name: "a second version: the group points at it, the first one stays",
      given: () => group(1, { visibility: "public" }),
      request: nextVersion,
      status: 200,
      check: async ({ code, name, nameUrl, owner }, given) => {
        expect(name).toBe(given.name);
        expect(nameUrl).toBe(`${service.contentUrl}/@${owner}/${given.name}/`);
        const { current_code, versions } = await act.group(token, given.name);
        expect(current_code).toBe(code);
        expect(versions.map((version) => [version.code, version.version_no])).toEqual([
          [code, 2],
          [given.codes[0] ?? "", 1],
        ]);
        expect((await act.read(undefined, given.codes[0] ?? "")).status).toBe(200);
      },
    }),
    uploadCase({
      name: "the same content twice is two versions",
      given: () => group(1),
      request: nextVersion,
      status: 200,
      check: ({ code }, { codes }) => expect(codes).not.toContain(code),
    }),
    uploadCase({
      name: "numbers go on above what was deleted",
      given: async () => {
        const made = await group(4);
        for (const code of made.codes.slice(1)) await act.deleteCode(token, code);
        return made;
      },
      request: nextVersion,
      status: 200,
      after: async ({ name }) => {
        expect((await act.group(token, name)).versions.map(({ version_no }) => version_no)).toEqual([5, 1]);
      },
    }),
    uploadCase({
      name: "a new version is not moved, and is told so",
      given: () => group(1, { folder: "Here/Stay" }),
      request: ({ name }) => ({ token, body: buildUpload({ name, folder: "There/Go" }) }),
      status: 200,
      check: async ({ warnings }, { name }) => {
        expect(warnings).toEqual([expect.stringMatching(/^folder "There\/Go" was not applied/)]);
        expect((await act.group(token, name)).folder).toBe("Here/Stay");
      },
    }),
    uploadCase({
      name: "a new version that names the folder it is in hears nothing",
      given: () => group(1, { folder: "Here/Stay" }),
      request: ({ name }) => ({ token, body: buildUpload({ name, folder: " Here / Stay/" }) }),
      status: 200,
      check: ({ warnings }) => expect(warnings).toEqual([]),
    }),
    uploadCase({
      name: "a new version that names the group's visibility hears nothing",
      given: () => group(1, { visibility: "org" }),
      request: ({ name }) => ({ token, body: buildUpload({ name, visibility: "org" }) }),
      status: 200,
      check: ({ warnings, visibility }) =>
        expect({ warnings, visibility }).toEqual({ warnings: [], visibility: "org" }),
    }),
    uploadCase({
      name: "the default folder takes a new group",
      given: async () => ({ ...(await userWithDefaultFolder()), name: uniqueName() }),
      request: (given) => ({ token: given.token, body: buildUpload({ name: given.name }) }),
      status: 200,
      after: async (given) => {
        expect(await act.group(given.token, given.name)).toMatchObject({
          folder: "Inbox/New",
          folder_id: given.folderId,
        });
      },
    }),
    uploadCase({
      name: "the default folder takes a new standalone report",
      given: userWithDefaultFolder,
      request: (given) => ({ token: given.token, body: buildUpload() }),
      status: 200,
      after: async (given) => {
        const { standalone } = await act.list(given.token);
        expect(standalone).toMatchObject([{ folder: "Inbox/New", folder_id: given.folderId }]);
      },
    }),
    uploadCase({
      name: "a folder that is named goes before the default one",
      given: userWithDefaultFolder,
      request: (given) => ({ token: given.token, body: buildUpload({ folder: "Elsewhere" }) }),
      status: 200,
      after: async (given) => {
        expect((await act.list(given.token)).standalone).toMatchObject([{ folder: "Elsewhere" }]);
      },
    }),
    uploadCase({
      name: "a blank folder goes before the default one",
      given: userWithDefaultFolder,
      request: (given) => ({ token: given.token, body: buildUpload({ folder: "" }) }),
      status: 200,
      after: async (given) => expect((await act.list(given.token)).standalone).toMatchObject([{ folder: null }]),
    }),
    uploadCase({
      name: "the default folder does not take a new version of what is not filed",
      given: async () => {
        const user = await userWithDefaultFolder();
        const name = uniqueName();
        await act.publish(user.token, { name, folder: "" });
        return { ...user, name };
      },
      request: (given) => ({ token: given.token, body: buildUpload({ name: given.name }) }),
      status: 200,
      after: async (given) => {
        expect(await act.group(given.token, given.name)).toMatchObject({ folder: null, folder_changed_at: null });
      },
    }),
    titled("the supplied one", { title: "  Sales & more  ", ...document("<title>Other</title>") }, "Sales & more"),
    titled("the document's", document("<title>\n Q1 &amp; <b>Q2</b>\t2026 </title>"), "Q1 & <b>Q2</b> 2026"),
    titled("the document's when the supplied one is blank", { title: " ", ...document("<title>T</title>") }, "T"),
    titled("the document's, cut at 300", document(`<title>${"😀".repeat(400)}</title>`), "😀".repeat(300)),
    titled("the name when there is no other", document("<p>no title"), ""),
    uploadCase({
      name: "the title: Untitled report when there is nothing at all",
      given: () => service.build.user(),
      request: (user) => ({ token: user.token, body: buildUpload(document("<p>no title")) }),
      status: 200,
      after: async (user) =>
        expect((await act.list(user.token)).standalone).toMatchObject([{ title: "Untitled report" }]),
    }),
    uploadCase({
      name: "a folder label of 1,001 characters",
      given: uniqueName,
      request: (name) => ({ token, body: buildUpload({ name, folder: "x".repeat(1001) }) }),
      status: 400,
      error: "folder must have at most 1000 characters.",
      after: async (name) => {
        expect((await act.list(token)).groups.map((entry) => entry.name)).not.toContain(name);
      },
    }),
  ]);
});
