import { afterAll, beforeAll, expect, test } from "bun:test";
import { authorizeReviews } from "../../../src/domain/model/review-access.ts";
import { COMMENTS_PER_PAGE } from "../../../src/domain/reviews/limits.ts";
import type { ReadScope, ThreadPage } from "../../../src/domain/reviews/ports.ts";
import { describeEachEngine } from "../../support/engines.ts";
import { addOwner, buildPublication, openTestStore, type TestStore } from "../support.ts";

/** How many comments each thread has: at first more than fit on a page together. */
const LENGTHS = [400, 400, 400, 1, 1, 1];

describeEachEngine("pages of comments", (engine) => {
  let scene: TestStore;
  let scope: ReadScope;

  beforeAll(async () => {
    scene = await openTestStore(engine);
    scope = await fill();
  });
  afterAll(() => scene[Symbol.asyncDispose]());

  const id = (prefix: string, number: number) => `${prefix}_${String(number).padStart(4, "0")}`;

  async function fill(): Promise<ReadScope> {
    const owner = await addOwner(scene);
    const { code } = await scene.store.publishing.publish(buildPublication(owner));
    const current = await scene.store.reports.findVersion(code);
    const found = current && authorizeReviews(owner.caller, { current, shown: current }, []);
    if (found === undefined) throw new Error("The report was not stored.");
    const common = { created_at: 1, updated_at: 1 };
    let seq = 0;
    const threads = LENGTHS.map((length, number) => {
      const comments = Array.from({ length }, () => ({
        id: id("com", ++seq),
        thread_id: id("thr", number),
        seq,
        author_id: owner.userId,
        text: "Why?",
        created_at: 1,
      }));
      const thread = {
        ...{ id: id("thr", number), item_id: found.itemId, version_no: 1, version_code: code, only_version: 0 },
        ...{ anchor: '{"kind":"report"}', seq: seq - length + 1, comment_seq: seq, ...common },
        // The last two changed together.
        changed_seq: Math.min(seq, 1202),
      };
      return { thread, comments };
    });
    const { rows } = scene;
    await rows
      .insertInto("review_items")
      .values({ item_id: found.itemId, seq, comments: seq, is_off: 0, updated_at: 1 })
      .execute();
    await rows
      .insertInto("threads")
      .values(threads.map(({ thread }) => thread))
      .execute();
    for (const { comments } of threads) await rows.insertInto("comments").values(comments).execute();
    return found;
  }

  /** Reads all pages. Returns the numbers of each page's threads, and asserts that none has too many comments. */
  async function readAll(read: (after: number | undefined) => Promise<ThreadPage>): Promise<number[][]> {
    const pages: number[][] = [];
    let after: number | undefined;
    do {
      const { threads, next } = await read(after);
      const count = threads.reduce((sum, { comments }) => sum + comments.length, 0);
      expect(count).toBeLessThanOrEqual(COMMENTS_PER_PAGE);
      pages.push(threads.map((thread) => Number(thread.id.slice(4))));
      after = next;
    } while (after !== undefined);
    return pages;
  }

  test("end before they have too many comments, and lose none", async () => {
    const read = (after: number | undefined) =>
      scene.store.reviews.listThreads({ scope, filter: "all", since: undefined, after, limit: 3 });
    expect(await readAll(read)).toEqual([[0, 1], [2, 3, 4], [5]]);
  });

  test("of changes do too, and keep together what changed together", async () => {
    const read = (since = 0) => scene.store.reviews.listChanged({ scope, since, limit: 3 });
    expect(await readAll(read)).toEqual([[0, 1], [2, 3, 4, 5], []]);
  });
});
