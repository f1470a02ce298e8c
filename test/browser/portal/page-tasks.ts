import type { Browser, Page } from "playwright-core";
import { z } from "zod";

const traceSchema = z.object({
  traceEvents: z.array(
    z.object({
      name: z.string(),
      pid: z.number(),
      tid: z.number(),
      tdur: z.number().optional(),
    }),
  ),
});

const MARK = "vitrine-page";

/**
 * Returns the processor time (milliseconds) of the longest task on a page's main thread during an action. Other programs
 * and frames with their own process don't count.
 */
export async function longestTask(browser: Browser, page: Page, act: () => Promise<unknown>): Promise<number> {
  await browser.startTracing(page, { categories: ["toplevel", "blink.user_timing"] });
  await page.evaluate(`performance.mark("${MARK}")`);
  await act();
  const trace = await browser.stopTracing();
  const { traceEvents } = traceSchema.parse(JSON.parse(trace.toString()));
  const mark = traceEvents.find(({ name }) => name === MARK);
  if (mark === undefined) throw new Error("The page was not traced.");
  const tasks = traceEvents.filter(
    ({ name, pid, tid }) => /RunTask$/.test(name) && pid === mark.pid && tid === mark.tid,
  );
  if (tasks.length === 0) throw new Error("Nothing was traced.");
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000;
}
