import type { Anchor } from "../../src/html/anchors/anchor.ts";
import type { Bulk } from "./bulk.ts";

const PEOPLE = 200;
const COMMENTS = 10_000;
const AT = 1_750_000_000_000;

const userId = (number: number) => `user-${number}`;

const userRow = (number: number) => ({
  id: userId(number),
  email: `person${number}@example.org`,
  name: `Person ${number}`,
  created_at: AT,
  updated_at: AT,
});

interface Report {
  item_id: number;
  code: string;
}

interface Seeding {
  /** Comments in each thread. */
  threadLength: number;
  /** The number of comments. The most that a report may have by default. */
  count?: number;
  anchorOf?(thread: number): Anchor;
}

const rowAnchor = (number: number): Anchor => ({
  kind: "text",
  path: "index.html",
  quote: `Row ${number}`,
  prefix: "the text before ",
  suffix: " the text after",
  start: number * 10,
  end: number * 10 + 8,
  headings: ["Figures"],
});

/** Gives a report comments by 200 people. */
export async function seedComments(
  bulk: Bulk,
  name: string,
  { threadLength, count = COMMENTS, anchorOf = rowAnchor }: Seeding,
): Promise<void> {
  const report = await bulk.first<Report>(
    `select id as item_id, current_code as code from items where name = '${name}'`,
  );
  if (report === undefined) throw new Error(`There is no report ${name}.`);
  const { item_id, code } = report;
  const people = Array.from({ length: PEOPLE }, (_, number) => number);
  await bulk.insert("users", people.map(userRow));
  const threads = Array.from({ length: count / threadLength }, (_, number) => ({
    id: `thr_${String(number).padStart(16, "0")}`,
    item_id,
    seq: number * threadLength + 1,
    changed_seq: (number + 1) * threadLength,
    comment_seq: (number + 1) * threadLength,
    version_no: 1,
    version_code: code,
    only_version: 0,
    anchor: JSON.stringify(anchorOf(number)),
    created_at: AT + number,
    updated_at: AT + number,
  }));
  const comments = Array.from({ length: count }, (_, number) => ({
    id: `com_${String(number).padStart(16, "0")}`,
    thread_id: threads[Math.floor(number / threadLength)]?.id ?? "",
    seq: number + 1,
    author_id: userId(number % PEOPLE),
    text: `Is the figure of row ${number} before or after returns? It was higher in the last version, I believe.`,
    created_at: AT + number,
  }));
  const reads = threads.flatMap(({ id, seq }) =>
    people.slice(0, 10).map((number) => ({ thread_id: id, user_id: userId(number), seq })),
  );
  await bulk.insert("review_items", [{ item_id, seq: count, comments: count, is_off: 0, updated_at: AT }]);
  await bulk.insert("threads", threads);
  await bulk.insert("comments", comments);
  await bulk.insert("thread_reads", reads);
  await bulk.finish();
}
