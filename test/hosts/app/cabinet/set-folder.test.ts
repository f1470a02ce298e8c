import { beforeAll, expect } from "bun:test";
import { setFolderRoute } from "../../../../src/contract/cabinet/filing.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { uniqueName, useService } from "../../../support/service.ts";
import { actionsOf } from "../actions.ts";
import { casesOf, testCases } from "../cases.ts";

const folderCase = casesOf<typeof setFolderRoute>();

/** Characters of four bytes without repetition, which no index can compress. */
const scattered = (count: number) =>
  Array.from({ length: count }, (_, position) => String.fromCodePoint(0x20000 + ((position * 7919) % 40000))).join("");

const longLabels: readonly [string, string][] = [
  ["1,000 characters at the root", scattered(1000)],
  ["1,000 characters in a drawer", `Archive/${scattered(992)}`],
  ["a long drawer", `${scattered(500)}/${scattered(499)}`],
  [
    "a path of many parts",
    Array.from({ length: 333 }, (_, part) => String(100 + (part % 900)))
      .join("/")
      .slice(0, 999),
  ],
];
const LONG = `${scattered(300)}/${scattered(600)}`;

describeOneEngine("set-folder", (engine) => {
  const service = useService({ engine });
  const act = actionsOf(service);
  let token: string;

  beforeAll(async () => {
    token = (await service.build.user()).token;
  });

  async function group(folder?: string) {
    const name = uniqueName();
    const { code } = await act.publish(token, folder === undefined ? { name } : { name, folder });
    return { name, code };
  }
  const standaloneOf = async (wanted: string) => (await act.list(token)).standalone.find(({ code }) => code === wanted);

  /** A case whose label is read back from the answer, the list and the report, with matching ids. */
  const filed = (name: string, folder: string, label: string | null) =>
    folderCase({
      name,
      given: () => group("Somewhere else"),
      request: (given) => ({ token, body: { name: given.name, folder } }),
      status: 200,
      check: (answer) => expect(answer).toEqual({ ok: true, folder: label }),
      after: async (given) => {
        const detail = await act.group(token, given.name);
        expect({
          folder: detail.folder,
          hasFolder: detail.folder_id !== null,
          hasDrawer: detail.drawer_id !== null,
        }).toEqual({ folder: label, hasFolder: label !== null, hasDrawer: label?.includes("/") ?? false });
        expect((await act.list(token)).groups).toContainEqual(
          expect.objectContaining({ name: given.name, folder: label }),
        );
      },
    });
  const refused = (name: string, error: string | RegExp, body: (given: { name: string; code: string }) => object) =>
    folderCase({
      name,
      given: () => group("Before"),
      request: (given) => ({ token, body: body(given) }),
      status: 400,
      error,
      after: async (given) => expect((await act.group(token, given.name)).folder).toBe("Before"),
    });

  testCases(() => service, setFolderRoute, [
    filed("a folder at the root", "A", "A"),
    filed("a folder in a drawer", "A/B", "A/B"),
    filed("three parts: the folder takes the last two", "A/B/C", "A/B/C"),
    filed("many parts", "A/B/C/D/E", "A/B/C/D/E"),
    filed("blanks around and within", "  My Drawer / Q1  2026 ", "My Drawer/Q1  2026"),
    filed("blank parts are dropped", "/A//B/ /", "A/B"),
    filed("letters of any script", "Verkäufe/売上 📈", "Verkäufe/売上 📈"),
    filed("dots are titles like any other", "../.", "../."),
    filed("nothing unfiles", "", null),
    filed("blanks unfile", "  ", null),
    filed("slashes alone unfile", "//", null),
    filed("titles of 120 characters", `${"🗂".repeat(120)}/${"b".repeat(120)}`, `${"🗂".repeat(120)}/${"b".repeat(120)}`),
    ...longLabels.map(([name, folder]) => filed(name, folder, folder)),
    folderCase({
      name: "long labels that differ only at the end are different folders, and each is found again",
      given: async () => ({ ...(await group(`${LONG}1`)), others: [await group(`${LONG}2`), await group(`${LONG}1`)] }),
      request: ({ name }) => ({ token, body: { name, folder: `${LONG}1` } }),
      status: 200,
      after: async ({ name, others }) => {
        const names = [name, ...others.map((other) => other.name)];
        const [own, other, same] = await Promise.all(names.map((each) => act.group(token, each)));
        expect([own?.folder_id === same?.folder_id, own?.folder_id === other?.folder_id]).toEqual([true, false]);
        expect([own?.drawer_id === same?.drawer_id, own?.drawer_id === other?.drawer_id]).toEqual([true, true]);
      },
    }),
    folderCase({
      name: "an unnamed report by its code",
      given: () => act.publish(token),
      request: ({ code }) => ({ token, body: { code, folder: "A/B" } }),
      status: 200,
      check: (answer) => expect(answer).toEqual({ ok: true, folder: "A/B" }),
      after: async ({ code }) => {
        expect(await standaloneOf(code)).toMatchObject({ folder: "A/B", folder_id: expect.stringMatching(/^fld_/) });
      },
    }),
    folderCase({
      name: "an unnamed report out of its folder",
      given: () => act.publish(token, { folder: "A/B" }),
      request: ({ code }) => ({ token, body: { code, folder: "" } }),
      status: 200,
      check: (answer) => expect(answer).toEqual({ ok: true, folder: null }),
      after: async ({ code }) => expect(await standaloneOf(code)).toMatchObject({ folder: null, folder_id: null }),
    }),
    folderCase({
      name: "the same label finds the same folder",
      given: async () => ({ ...(await group()), other: await group("Shared/Place") }),
      request: ({ name }) => ({ token, body: { name, folder: "Shared/Place" } }),
      status: 200,
      after: async ({ name, other }) => {
        const [one, two] = await Promise.all([act.group(token, name), act.group(token, other.name)]);
        expect([one.folder_id, one.drawer_id]).toEqual([two.folder_id, two.drawer_id]);
      },
    }),
    folderCase({
      name: "a folder with the same title in another drawer is another folder",
      given: async () => ({ ...(await group()), others: [await group("One/Reports"), await group("Reports")] }),
      request: ({ name }) => ({ token, body: { name, folder: "Two/Reports" } }),
      status: 200,
      after: async ({ name, others }) => {
        const details = await Promise.all([name, ...others.map((other) => other.name)].map((n) => act.group(token, n)));
        expect(new Set(details.map(({ folder_id }) => folder_id)).size).toBe(3);
      },
    }),
    folderCase({
      name: "a different case is another folder",
      given: async () => ({ ...(await group()), other: await group("Sales") }),
      request: ({ name }) => ({ token, body: { name, folder: "sales" } }),
      status: 200,
      after: async ({ name, other }) => {
        expect(await act.group(token, name)).toMatchObject({ folder: "sales" });
        expect(await act.group(token, other.name)).toMatchObject({ folder: "Sales" });
      },
    }),
    folderCase({
      name: "another user's folder with the same label is not used",
      given: async () => {
        const stranger = await service.build.user();
        const name = uniqueName();
        await act.publish(stranger.token, { name, folder: "Private/Place" });
        return { ...(await group()), theirs: await act.group(stranger.token, name) };
      },
      request: ({ name }) => ({ token, body: { name, folder: "Private/Place" } }),
      status: 200,
      after: async ({ name, theirs }) => {
        const { folder_id, drawer_id } = await act.group(token, name);
        expect(folder_id).not.toBe(theirs.folder_id);
        expect(drawer_id).not.toBe(theirs.drawer_id);
      },
    }),
    folderCase({
      name: "the change is dated, and nothing else changes",
      given: async () => {
        const made = await group();
        return { ...made, before: await act.group(token, made.name), startedAt: Date.now() };
      },
      request: ({ name }) => ({ token, body: { name, folder: "Dated" } }),
      status: 200,
      after: async ({ name, before, startedAt }) => {
        const { folder, folder_id, folder_changed_at, ...rest } = await act.group(token, name);
        expect(before).toMatchObject({ ...rest, folder: null, folder_id: null, folder_changed_at: null });
        expect(Date.parse(folder_changed_at ?? "")).toBeGreaterThanOrEqual(startedAt);
      },
    }),
    refused("a label of 1,001 characters", "folder must have at most 1000 characters", ({ name }) => ({
      name,
      folder: "b".repeat(1001),
    })),
    refused("NUL in the label", "folder must be valid Unicode text", ({ name }) => ({ name, folder: "a\0b" })),
    refused("a lone surrogate in the label", "folder must be valid Unicode text", ({ name }) => ({
      name,
      folder: "a\udc00",
    })),
    refused("no folder", "folder is required", ({ name }) => ({ name })),
    refused("a folder that is null", "folder must be a string", ({ name }) => ({ name, folder: null })),
    refused("both name and code", "either name or code", ({ name, code }) => ({ name, code, folder: "A" })),
    refused("neither name nor code", "either name or code", () => ({ folder: "A" })),
    folderCase({
      name: "an unknown name",
      given: uniqueName,
      request: (name) => ({ token, body: { name, folder: "A" } }),
      status: 404,
      error: /^Report ".*" not found/,
    }),
    folderCase({
      name: "an unknown code",
      given: () => undefined,
      request: () => ({ token, body: { code: "7Kd0aQ2mXw9LbT4e", folder: "A" } }),
      status: 404,
      error: /^Version ".*" not found/,
    }),
    folderCase({
      name: "another user's public report, by name",
      given: async () => {
        const made = await group("Before");
        await act.setVisibility(token, { name: made.name, visibility: "public" });
        return { ...made, stranger: await service.build.user() };
      },
      request: ({ name, stranger }) => ({ token: stranger.token, body: { name, folder: "Theirs" } }),
      status: 404,
      error: /^Report ".*" not found/,
      after: async ({ name }) => expect((await act.group(token, name)).folder).toBe("Before"),
    }),
    folderCase({
      name: "another user's public report, by code",
      given: async () => ({
        ...(await act.publish(token, { visibility: "public", folder: "Before" })),
        stranger: await service.build.user(),
      }),
      request: ({ code, stranger }) => ({ token: stranger.token, body: { code, folder: "Theirs" } }),
      status: 404,
      error: /^Version ".*" not found/,
      after: async ({ code }) => expect(await standaloneOf(code)).toMatchObject({ folder: "Before" }),
    }),
  ]);
});
