import type { Browser, Page } from "playwright-core";
import { z } from "zod";

const traceSchema = z.object({
  traceEvents: z.array(
    z.object({
      name: z.string(),
      pid: z.number(),
      tid: z.number(),
      tdur: z.number().optional(),
      args: z.looseObject({ name: z.string().optional() }).optional(),
    }),
  ),
});

/**
 * Milliseconds of processor time of the longest task with which pages were held while something was done: what other
 * programs on the machine do does not count.
 */
export async function longestTask(browser: Browser, page: Page, act: () => Promise<unknown>): Promise<number> {
  await browser.startTracing(page, { categories: ["toplevel"] });
  await act();
  const trace = await browser.stopTracing();
  const { traceEvents } = traceSchema.parse(JSON.parse(trace.toString()));
  const threadOf = ({ pid, tid }: { pid: number; tid: number }) => `${pid} ${tid}`;
  const pages = new Set(
    traceEvents.filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain").map(threadOf),
  );
  const tasks = traceEvents.filter((event) => /RunTask$/.test(event.name) && pages.has(threadOf(event)));
  if (tasks.length === 0) throw new Error("Nothing was traced.");
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000;
}
