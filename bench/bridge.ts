import type { Browser, BrowserContext } from "playwright-core";
import { z } from "zod";
import { chromiumUnavailable } from "../test/support/chromium.ts";
import { frameIn, launchAround, openAround, pageIn } from "./support/around.ts";
import { type Bench, progress } from "./support/bench.ts";
import { buildPage } from "./support/reports.ts";
import { interleave, middleMean } from "./support/statistics.ts";
import { figure, type Row } from "./support/table.ts";
import { Unavailable } from "./support/tools.ts";
import { createSite, publish, startVitrine, type Vitrine } from "./support/vitrine.ts";

/** Sizes of reports in KB, each with how often it is loaded. A small one paints so early that milliseconds of chance count. */
const LOADS = new Map([
  [12, 300],
  [1024, 40],
]);
/** Milliseconds that the bridge may delay the first paint. */
const BOUND = 5;

/** Returns when the framed page first painted text, in milliseconds from the start of its navigation. */
const FIRST_PAINT = `new Promise((resolve) => new PerformanceObserver((list) => {
  for (const { name, startTime } of list.getEntries()) if (name === "first-contentful-paint") resolve(startTime);
}).observe({ type: "paint", buffered: true }))`;

/** Frames a report in the page of a context, and returns when it painted. */
async function timePaint(context: BrowserContext, address: string): Promise<number> {
  const report = await frameIn(pageIn(context), address);
  return z.number().parse(await report.evaluate(FIRST_PAINT));
}

async function measure(browser: Browser, vitrine: Vitrine, size: number, loads: number): Promise<Row[]> {
  const content = buildPage(size * 1024);
  const code = await publish(vitrine, { visibility: "public", files: [{ path: "index.html", content }] });
  const [framed, plain] = [`${vitrine.contentUrl}/~framed/${code}/`, `${vitrine.contentUrl}/${code}/`];
  const kept = await openAround(browser, vitrine);
  const cold = (address: string) => async () => {
    const context = await openAround(browser, vitrine);
    const time = await timePaint(context, address);
    await context.close();
    return time;
  };
  const warm = (address: string) => () => timePaint(kept, address);
  const rows: Row[] = [];
  for (const [name, time] of [["a new profile", cold] as const, ["a profile that showed it", warm] as const]) {
    // The first of each finds the server's caches empty.
    await interleave(2, time(framed), time(plain));
    const { measured, against } = await interleave(loads, time(framed), time(plain));
    // Browsers round times of paints to four milliseconds.
    const [bridged, bare] = [middleMean(measured), middleMean(against)];
    // Of each pair, because the machine's speed changes in the course of a run.
    const delay = middleMean(measured.map((paint, round) => paint - (against[round] ?? 0)));
    progress(`  ${size} KB in ${name}: ${bridged.toFixed(1)} ms with the bridge, ${bare.toFixed(1)} ms without`);
    rows.push(
      figure({
        name: `first paint of ${size} KB delayed by the bridge, in ${name}`,
        ...{ unit: "ms", measured: delay, bound: { atMost: BOUND } },
      }),
    );
  }
  await kept.close();
  return rows;
}

/** Measures how much later a framed report paints than the same report without the bridge. */
export const bridge: Bench = async () => {
  const reason = chromiumUnavailable();
  if (reason !== undefined) throw new Unavailable(reason);
  await using vitrine = await startVitrine(await createSite());
  const browser = await launchAround();
  try {
    const rows: Row[] = [];
    for (const [size, loads] of LOADS) rows.push(...(await measure(browser, vitrine, size, loads)));
    return rows;
  } finally {
    await browser.close();
  }
};
