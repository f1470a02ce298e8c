import { expect, test } from "bun:test";
import { outcomeOf, slicesOf, type Target } from "../../src/portal/cabinet/dropping.ts";
import { buildContents, type Taxonomy } from "../../src/portal/cabinet/entries.ts";
import { findByStart, flatten, isEntryRow, matchingIds, neighborOf, type Row } from "../../src/portal/cabinet/rows.ts";
import { stepFor } from "../../src/portal/cabinet/tree-keys.ts";
import type { Dragged } from "../../src/portal/shared/drag.ts";

const count = { item_count: 0 };
const tagCount = { ...count, subtree_count: 0 };

const taxonomy: Taxonomy = {
  owner: "ada",
  drawers: [
    { id: "finance", title: "Finance", ...count },
    { id: "sales", title: "Sales", ...count },
  ],
  folders: [
    { id: "2025", title: "2025", drawer_id: "finance", ...count },
    { id: "2026", title: "2026", drawer_id: "finance", ...count },
    { id: "inbox", title: "Inbox", drawer_id: null, ...count },
  ],
  tags: [
    { id: "month", title: "Month", parent_id: "quarter", ...tagCount },
    { id: "other", title: "Other", parent_id: null, ...tagCount },
    { id: "quarter", title: "Quarter", parent_id: "year", ...tagCount },
    { id: "year", title: "Year", parent_id: null, ...tagCount },
  ],
  default_folder_id: null,
  item_count: 0,
  unfiled_count: 0,
  untagged_count: 0,
};

const contents = buildContents(taxonomy, []);
const open = (...ids: string[]) => ({ prefix: "tags", isOpen: (id: string) => ids.includes(id) });
const line = (row: Row) => `${row.level} ${row.position}/${row.setSize} ${isEntryRow(row) ? row.entry.title : "draft"}`;

test("a tree has a row for every entry of an expanded parent", () => {
  expect(flatten(contents.folders, open()).map(line)).toEqual(["1 1/3 Finance", "1 2/3 Sales", "1 3/3 Inbox"]);
  expect(flatten(contents.tags, open("year", "quarter")).map(line)).toEqual([
    "1 1/2 Other",
    "1 2/2 Year",
    "2 1/1 Quarter",
    "3 1/1 Month",
  ]);
});

test("a new entry comes first in its parent, which expands", () => {
  const draft = { kind: "folder", parentId: "finance" } as const;
  expect(flatten(contents.folders, { ...open(), draft }).map(line)).toEqual([
    "1 1/3 Finance",
    "2 1/3 draft",
    "2 2/3 2025",
    "2 3/3 2026",
    "1 2/3 Sales",
    "1 3/3 Inbox",
  ]);
});

test("matching entries are shown with their ancestors", () => {
  const all = [...contents.entries.values()];
  const kept = matchingIds(" MON ", all, contents.entries);
  expect(flatten(contents.tags, { ...open(), kept }).map(line)).toEqual(["1 1/1 Year", "2 1/1 Quarter", "3 1/1 Month"]);
  expect(matchingIds("  ", all, contents.entries)).toBeUndefined();
});

test("tags may be thousands deep", () => {
  const tags = Array.from({ length: 5_000 }, (_, depth) => ({
    id: `${depth}`,
    title: `Tag ${depth}`,
    parent_id: depth === 0 ? null : `${depth - 1}`,
    ...tagCount,
  }));
  const deep = buildContents({ ...taxonomy, tags }, []);
  const rows = flatten(deep.tags, { prefix: "tags", isOpen: () => true });
  expect(rows.length).toBe(5_000);
  expect(rows.at(-1)?.level).toBe(5_000);
});

test("deleting a row moves the focus to the next sibling or ancestor, or to the row before", () => {
  const rows = flatten(contents.folders, open("finance"));
  const next = (id: string) => neighborOf(rows, `tags:${id}`);
  expect([next("finance"), next("2025"), next("2026"), next("inbox")]).toEqual([
    "tags:sales",
    "tags:2026",
    "tags:sales",
    "tags:sales",
  ]);
});

test("typing finds the next title that starts with it, wrapping around", () => {
  const rows = flatten(contents.folders, open("finance"));
  expect([findByStart(rows, 0, "20"), findByStart(rows, 2, "20"), findByStart(rows, 3, "20")]).toEqual([1, 2, 1]);
  expect(findByStart(rows, 0, "none")).toBeUndefined();
});

test("the arrow keys move into children and out to the parent", () => {
  const rows = flatten(contents.folders, open("finance"));
  const step = (key: string, index: number) => stepFor({ key, shiftKey: false }, rows, index);
  expect(step("ArrowRight", 0)).toEqual({ type: "go", index: 1 });
  expect(step("ArrowLeft", 2)).toEqual({ type: "go", index: 0 });
  expect(step("ArrowLeft", 0)).toEqual({ type: "close", id: "finance" });
  expect(step("ArrowLeft", 4)).toBeUndefined();
  expect(step("ArrowDown", 4)).toEqual({ type: "go", index: 4 });
  expect(step("F10", 0)).toBeUndefined();
});

test("the outcome of dropping one entry on another", () => {
  const items: Dragged = { kind: "items", items: [{ name: "weekly" }] };
  const folder = (id: string): Dragged => ({ kind: "folder", id });
  const tag = (id: string): Dragged => ({ kind: "tag", id });
  const outcome = (dragged: Dragged, target: string) => {
    const place: Target | undefined =
      target === "unfiled" || target === "root" || target === "top" ? target : contents.entries.get(target);
    return place === undefined ? undefined : outcomeOf(dragged, place, contents.entries);
  };
  expect(outcome(items, "2026")).toEqual({ type: "file", folderId: "2026" });
  expect(outcome(items, "unfiled")).toEqual({ type: "file", folderId: null });
  expect(outcome(items, "month")).toEqual({ type: "tag", id: "month" });
  expect(outcome(items, "sales")?.type).toBe("refuse");
  expect(outcome(items, "root")).toBeUndefined();

  expect(outcome(folder("2026"), "sales")).toEqual({ type: "move", kind: "folder", id: "2026", parentId: "sales" });
  expect(outcome(folder("2026"), "root")).toEqual({ type: "move", kind: "folder", id: "2026", parentId: null });
  expect(outcome(folder("2026"), "inbox")?.type).toBe("refuse");
  for (const same of ["finance", "2026", "unfiled", "top", "year"])
    expect(outcome(folder("2026"), same)).toBeUndefined();
  expect(outcome(folder("inbox"), "root")).toBeUndefined();

  expect(outcome(tag("quarter"), "other")).toEqual({ type: "move", kind: "tag", id: "quarter", parentId: "other" });
  expect(outcome(tag("quarter"), "top")).toEqual({ type: "move", kind: "tag", id: "quarter", parentId: null });
  for (const below of ["quarter", "month"]) expect(outcome(tag("year"), below)?.type).toBe("refuse");
  for (const same of ["quarter", "year", "finance", "root"]) expect(outcome(tag("quarter"), same)).toBeUndefined();
  expect(outcome(tag("gone"), "top")).toBeUndefined();
});

test("no call files more reports than the API allows", () => {
  const items = Array.from({ length: 401 }, (_, number) => ({ name: `report-${number}` }));
  expect(slicesOf(items).map(({ length }) => length)).toEqual([200, 200, 1]);
  expect(slicesOf(items).flat()).toEqual(items);
  expect(slicesOf(items.slice(0, 200)).length).toBe(1);
});
