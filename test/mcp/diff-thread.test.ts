import { expect, test } from "bun:test";
import { createDiffThread } from "../../src/mcp/diff-thread.ts";
import { createThreads } from "../../src/threads/threads.ts";

const labels = { old: "report.csv (version 1)", new: "report.csv (version 2)" };
const rows = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => `${text(index)}\n`).join("");

test("compares two texts in a thread, with the requested context", async () => {
  const diffTexts = createDiffThread(createThreads());
  const before = rows(30, (index) => `row ${index}`);
  const after = before.replace("row 5\n", "row five\n").replace("row 20\n", "");
  expect(await diffTexts({ before, after, labels, context: 1 })).toEqual({
    text: `--- report.csv (version 1)
+++ report.csv (version 2)
@@ -5,3 +5,3 @@
 row 4
-row 5
+row five
 row 6
@@ -20,3 +20,2 @@
 row 19
-row 20
 row 21
`,
    added: 1,
    removed: 2,
  });
  expect(await diffTexts({ before, after: before, labels, context: 1 })).toEqual({ text: "", added: 0, removed: 0 });
});

test("changes whose context overlaps share a hunk", async () => {
  const diffTexts = createDiffThread(createThreads());
  const before = rows(20, (index) => `row ${index}`);
  const after = before.replace("row 5\n", "").replace("row 10\n", "");
  const countHunks = async (context: number) =>
    (await diffTexts({ before, after, labels, context }))?.text.match(/^@@/gm)?.length;
  expect([await countHunks(0), await countHunks(1), await countHunks(2)]).toEqual([2, 2, 1]);
});

test("compares two halves that changed places, and gives up on texts that are too different", async () => {
  const diffTexts = createDiffThread(createThreads());
  const [one, other] = [rows(10_000, (index) => `one ${index}`), rows(10_000, (index) => `other ${index}`)];
  const swapped = await diffTexts({ before: one + other, after: other + one, labels, context: 3 });
  expect(swapped).toMatchObject({ added: 10_000, removed: 10_000 });
  const repeated = (step: number) => rows(20_000, (index) => `row ${(index * step) % 1_000}`);
  expect(await diffTexts({ before: repeated(7_919), after: repeated(104_729), labels, context: 3 })).toBeUndefined();
});
