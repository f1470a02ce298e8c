import { beforeAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { uniqueName, useService } from "../support/service.ts";
import { anything, connectOverHttp, published } from "./support.ts";

const listed = z.object({
  threads: z.array(
    z.object({
      thread: z.string(),
      quote: z.string().nullable(),
      place: z.string().nullable(),
      now: z.string().optional(),
      addressed_in: z.number().nullable(),
    }),
  ),
  changes_cursor: z.string(),
});
const commented = z.object({ thread: z.string(), version_no: z.number() });

const page = (sales: string, churn: string) =>
  `<!doctype html><title>Sales</title><h1>Weekly sales</h1><p>${sales}</p><h2>Customers</h2><p>${churn}</p><p>No other changes were seen in any of the regions.</p>`;
const SALES = "Revenue of the northern region grew by 12 percent against the week before.";
const CHURN = "Churn stayed at 3 percent of all customers in this week.";

describe("an agent that works on comments", () => {
  const service = useService();
  let token: string;
  beforeAll(async () => {
    token = (await service.build.user()).token;
  });

  test("lists them, revises the report and says what it addressed", async () => {
    await using agent = await connectOverHttp(service, token);
    const report = uniqueName("sales");
    const publish = { name: report, files: [{ path: "index.html", content: page(SALES, CHURN) }] };
    await agent.use("publish_report", publish, published);
    for (const quote of [SALES, CHURN, "No other changes were seen in any of the regions."]) {
      await agent.use("comment", { report, quote, text: "Check this." }, commented);
    }
    const open = await agent.use("list_comments", { report }, listed);
    expect(open.threads.map(({ place }) => place)).toEqual(["exact", "exact", "exact"]);

    const addresses = open.threads.map(({ thread }) => thread);
    const content = page(SALES.replace("12", "14"), CHURN);
    await agent.use("publish_version", { report, files: [{ content }], addresses }, published);
    const all = await agent.use("list_comments", { report, state: "all" }, listed);
    expect(all.threads.map(({ place, now, addressed_in }) => ({ place, now, addressed_in }))).toEqual([
      { place: "changed", now: SALES.replace("12", "14"), addressed_in: 2 },
      { place: "exact", now: undefined, addressed_in: 2 },
      { place: "exact", now: undefined, addressed_in: 2 },
    ]);
    expect((await agent.use("list_comments", { report }, listed)).threads).toEqual([]);

    const waiting = agent.use("wait_for_comments", { report, cursor: all.changes_cursor, seconds: 20 }, listed);
    const [thread = ""] = addresses;
    await agent.use("resolve_comment", { thread }, anything);
    const changed = await waiting;
    expect(changed.threads.map((one) => one.thread)).toEqual([thread]);
    const rest = { report, cursor: changed.changes_cursor, seconds: 0 };
    expect((await agent.use("wait_for_comments", rest, listed)).threads).toEqual([]);
  });

  test("is told what is wrong", async () => {
    await using agent = await connectOverHttp(service, token);
    const report = uniqueName("sales");
    await agent.use("publish_report", { name: report, files: [{ content: page("Twice", "Twice") }] }, published);
    expect(await agent.refusal("comment", { text: "Here" })).toContain("exactly one of report and thread");
    expect(await agent.refusal("comment", { report, text: "Here", quote: "Twice" })).toContain("several times");
    expect(await agent.refusal("comment", { report, text: "Here", quote: "Never" })).toContain(
      "doesn't have the quote",
    );
    expect(await agent.refusal("comment", { thread: "thr_none", text: "Here" })).toContain("thr_none");
    expect(await agent.refusal("resolve_comment", { thread: "thr_none" })).toContain("thr_none");
    expect(await agent.refusal("list_comments", { report: uniqueName() })).not.toBe("");
    expect(await agent.refusal("wait_for_comments", { report, seconds: 60 })).toContain("seconds");
  });
});
