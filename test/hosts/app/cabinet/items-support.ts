import { expect } from "bun:test";
import { type Service, uniqueName } from "../../../support/service.ts";
import { orderActionsOf } from "./order-actions.ts";

export const NO_ID = "0000000000000000";
const CODE = "7Kd0aQ2mXw9LbT4e";
type Named = { name: string } | { code: string };

/** Creates a new user's reports, and functions to compare their state. */
export async function createFurniture(service: Service) {
  const act = orderActionsOf(service);
  const { slug: owner, token } = await service.build.user();

  async function group(as = token) {
    const name = uniqueName();
    const codes = await act.publishVersions(as, name, 2);
    return { name, first: codes[0] ?? "", last: codes[1] ?? "" };
  }
  const folderOfReport = async (wanted: string, as = token) =>
    (await act.list(as)).standalone.find(({ code }) => code === wanted)?.folder_id;
  const tagIdsOf = async (name: string, as = token) => (await act.group(as, name)).tags.map(({ id }) => id).toSorted();

  /** Creates two named reports and an unnamed one, filed and tagged, and another folder and more tags. */
  async function furnish(as = token, workspace = owner) {
    const [one, two, report] = [await group(as), await group(as), await act.publish(as)];
    const [before, folder] = [await act.createFolder(as, workspace), await act.createFolder(as, workspace)];
    const kept = await act.createTag(as, workspace);
    const [a, b] = [await act.createTag(as, workspace), await act.createTag(as, workspace, undefined, kept.id)];
    const items: Named[] = [{ name: one.name }, { name: two.name }, { code: report.code }];
    await act.fileItems(as, { items, folder_id: before.id });
    await act.tagItems(as, { items, add: [kept.id] });
    return { one, two, report, before, folder, kept, a, b, items };
  }

  /** Checks that everything is as `furnish` left it. */
  const unchanged = async ({ one, two, report, before, kept }: Awaited<ReturnType<typeof furnish>>) => {
    for (const { name } of [one, two]) {
      expect(await act.group(token, name)).toMatchObject({ folder_id: before.id, tags: [{ id: kept.id }] });
    }
    expect(await folderOfReport(report.code)).toBe(before.id);
  };

  return { act, owner, token, group, folderOfReport, tagIdsOf, furnish, unchanged };
}

export type Furniture = Awaited<ReturnType<typeof createFurniture>>;
type Furnished = Awaited<ReturnType<Furniture["furnish"]>>;

/** References that every call refuses, with the error. */
export const wrongItems: readonly [string, number, string | RegExp, (given: Furnished) => unknown][] = [
  ["none", 400, "items must have at least 1 entry.", () => []],
  ["201", 400, "items must have at most 200 entries.", ({ items }) => Array.from({ length: 201 }, () => items[0])],
  ["not an array", 400, "items must be an array, not an object.", ({ items }) => items[0]],
  ["no items", 400, "items is required.", () => undefined],
  ["a name", 400, /^items\[1\] must be an object, not ".+"\.$/, ({ items, one }) => [items[0], one.name]],
  [
    "both name and code",
    400,
    "items[1] must have either name or code.",
    ({ items, one }) => [items[0], { name: one.name, code: one.last }],
  ],
  ["neither", 400, "items[2] must have either name or code.", ({ items }) => [items[0], items[1], {}]],
  ["a name with NUL", 400, "items[0].name must be valid Unicode text without NUL characters.", () => [{ name: "a\0" }]],
  [
    "an unknown name",
    404,
    'items[1]: report "none" not found. Check the name and that you have access.',
    ({ items }) => [items[0], { name: "none" }],
  ],
  [
    "an unknown code",
    404,
    `items[3]: version "${CODE}" not found. Check the code and that you have access.`,
    ({ items }) => [...items, { code: CODE }],
  ],
  ["a code as a name", 404, 'items[0]: report "', ({ report }) => [{ name: report.code }]],
  [
    "a long name with a line break, of which the beginning is quoted",
    404,
    `items[0]: report "a\\n${"b".repeat(98)}" not found. Check the name and that you have access.`,
    () => [{ name: `a\n${"b".repeat(500)}` }],
  ],
];
