import { createServer } from "node:http";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { z } from "zod";
import { createClient } from "../src/client/client.ts";
import { largestItemsRoute } from "../src/contract/search/items.ts";
import { sessionCookie } from "../test/browser/portal/portal.ts";
import { chromiumUnavailable, launchChromium } from "../test/support/chromium.ts";
import { type Bench, progress } from "./support/bench.ts";
import { openSqliteBulk } from "./support/bulk.ts";
import {
  INTERACTION_PROBE,
  REAL_REPORT,
  timeListInteractions,
  timeOtherInteractions,
} from "./support/portal-interactions.ts";
import { seedOrder } from "./support/seed-order.ts";
import { median, percentile } from "./support/statistics.ts";
import { compare, figure, type Row } from "./support/table.ts";
import { Unavailable } from "./support/tools.ts";
import { BENCH_USER, createSite, publish, startVitrine, type Vitrine } from "./support/vitrine.ts";

const LOADS = 9;
const ROWS = 30;
/** A slow telephone network: milliseconds, and bytes per second. */
const SLOW_LINE = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
const VIEWPORT = { width: 1440, height: 900 };

/** Runs before the page's scripts and records when the first list was painted, too. */
const PROBE = `${INTERACTION_PROBE}
const watch = new MutationObserver(() => {
  if (document.querySelectorAll("[role=row][data-key]").length < ${ROWS / 3}) return
  watch.disconnect()
  // After the frame that shows the rows.
  requestAnimationFrame(() => setTimeout(() => { globalThis.__listPainted = performance.now() }))
})
watch.observe(document, { childList: true, subtree: true })
`;

async function newContext(browser: Browser, baseUrl: string): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: VIEWPORT });
  await context.addInitScript(PROBE);
  await context.addCookies([await sessionCookie({ baseUrl }, BENCH_USER.email, BENCH_USER.password)]);
  return context;
}

/** Polls the page, whose policy blocks evaluating scripts that wait. */
async function untilPainted(page: Page): Promise<number> {
  for (;;) {
    const painted = z
      .number()
      .optional()
      .parse(await page.evaluate("globalThis.__listPainted"));
    if (painted !== undefined) return painted;
    await page.waitForTimeout(20);
  }
}

/** Returns the milliseconds from navigation until the list is painted, in a new browser profile. */
async function timeFirstList(browser: Browser, baseUrl: string, url: string): Promise<number> {
  const context = await newContext(browser, baseUrl);
  const page = await context.newPage();
  await page.goto(url);
  const painted = await untilPainted(page);
  await context.close();
  return painted;
}

/** Measures a list of equal length in plain HTML, which shows what the browser itself needs. */
async function startPlainList() {
  const rows = Array.from({ length: ROWS }, (_, row) => `<p role=row data-key><a href="/${row}">Report ${row}</a></p>`);
  const server = createServer((_, answer) => {
    answer.setHeader("Content-Type", "text/html");
    answer.end(`<!doctype html><title>List</title>${rows.join("")}`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = z.object({ port: z.number() }).parse(server.address());
  return { url: `http://127.0.0.1:${address.port}/`, close: () => server.close() };
}

/** Returns the milliseconds until the first cards of the gallery are painted. */
async function timeGallery(browser: Browser, baseUrl: string, url: string): Promise<number> {
  const context = await newContext(browser, baseUrl);
  const page = await context.newPage();
  await page.goto(`${url}?view=gallery`);
  await page.getByRole("gridcell").first().waitFor();
  const painted = z.number().parse(await page.evaluate("performance.now()"));
  await context.close();
  return painted;
}

/** Returns the milliseconds that a call takes which reads the sizes of all reports. */
async function timeLargest({ baseUrl, site: { token } }: Vitrine): Promise<number> {
  const begin = performance.now();
  await createClient({ baseUrl, token }).call(largestItemsRoute, { query: { owner: "bench", limit: 10 } });
  return performance.now() - begin;
}

/** Returns the milliseconds between frames while the list scrolls through many pages. */
async function timeFrames(page: Page): Promise<number[]> {
  await page.evaluate(`{
    globalThis.__frames = []
    let last = performance.now()
    const tick = (now) => { __frames.push(now - last); last = now; requestAnimationFrame(tick) }
    requestAnimationFrame(tick)
  }`);
  await page.locator("[role=row][data-key]").nth(5).hover();
  for (let turn = 0; turn < 120; turn++) {
    await page.mouse.wheel(0, 900);
    await page.waitForTimeout(16);
  }
  return z.array(z.number()).parse(await page.evaluate("__frames"));
}

/** Returns the transferred bytes of the page and all that it loaded, or of its scripts or styles. */
async function loadedBytes(page: Page, ending: ".js" | ".css" | ""): Promise<number> {
  const types = ending === "" ? ["navigation", "resource"] : ["resource"];
  const entries = z
    .array(z.object({ name: z.string(), encodedBodySize: z.number() }))
    .parse(
      await page.evaluate(
        `JSON.parse(JSON.stringify(${JSON.stringify(types)}.flatMap((type) => performance.getEntriesByType(type))))`,
      ),
    );
  return entries.filter(({ name }) => name.endsWith(ending)).reduce((sum, entry) => sum + entry.encodedBodySize, 0);
}

/** Returns the milliseconds until something is painted on a slow line, after the answer has begun. */
async function timeOutline(browser: Browser, baseUrl: string, url: string): Promise<number> {
  const context = await newContext(browser, baseUrl);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", SLOW_LINE);
  await page.goto(url, { waitUntil: "commit" });
  for (;;) {
    const painted = z
      .number()
      .nullable()
      .parse(
        await page.evaluate(`(() => {
          const [paint] = performance.getEntriesByName("first-contentful-paint")
          const [navigation] = performance.getEntriesByType("navigation")
          return paint === undefined ? null : paint.startTime - navigation.responseStart
        })()`),
      );
    if (painted !== null) {
      await context.close();
      return painted;
    }
    await page.waitForTimeout(20);
  }
}

async function measure(browser: Browser, vitrine: Vitrine, reports: number): Promise<Row[]> {
  const { baseUrl } = vitrine;
  const home = `${baseUrl}/-/w/bench`;
  const plain = await startPlainList();
  // The first one finds browser and server cold.
  await timeFirstList(browser, baseUrl, home);
  const loads: number[] = [];
  const floors: number[] = [];
  for (let round = 0; round < LOADS; round++) {
    loads.push(await timeFirstList(browser, baseUrl, home));
    floors.push(await timeFirstList(browser, baseUrl, plain.url));
  }
  plain.close();

  const context = await newContext(browser, baseUrl);
  const page = await context.newPage();
  await page.goto(home);
  await untilPainted(page);
  const [script, style, all] = [
    await loadedBytes(page, ".js"),
    await loadedBytes(page, ".css"),
    await loadedBytes(page, ""),
  ];
  const interactions = await timeListInteractions(page);
  const frames = await timeFrames(page);
  await page.goto(`${home}?q=${encodeURIComponent(REAL_REPORT)}`);
  await page.getByRole("link", { name: REAL_REPORT }).waitFor();
  const others = await timeOtherInteractions(page);
  await context.close();
  const outline = await timeOutline(browser, baseUrl, home);
  const gallery = await timeGallery(browser, baseUrl, home);
  const largest = await timeLargest(vitrine);
  const ofLoad = { unit: "ms", bound: { atMost: 600 } };
  return [
    figure({ name: `first list of ${reports} painted, slowest of ${LOADS}`, measured: Math.max(...loads), ...ofLoad }),
    compare({
      name: "first list painted, against a plain page",
      ...{ unit: "ms", measured: loads, against: floors, peer: "plain HTML" },
    }),
    figure({
      name: `interaction with the list to next paint, worst of ${interactions.length}`,
      ...{ unit: "ms", measured: Math.max(...interactions), bound: { atMost: 80 } },
    }),
    figure({
      name: `interaction with other pages, menus and dialogs to next paint, worst of ${others.length}`,
      ...{ unit: "ms", measured: Math.max(...others), bound: { atMost: 80 } },
    }),
    figure({ name: "interaction to next paint, median", unit: "ms", measured: median([...interactions, ...others]) }),
    figure({ name: "frame while scrolling, p95", unit: "ms", measured: percentile(frames, 0.95) }),
    figure({ name: "first cards of the gallery", unit: "ms", measured: gallery }),
    figure({ name: "GET /api/items/largest", unit: "ms", measured: largest }),
    figure({ name: "outline painted on a slow line, after the answer began", unit: "ms", measured: outline }),
    figure({ name: "first load in all", unit: "KB", measured: all / 1000, bound: { atMost: 350 } }),
    figure({ name: "script of first load", unit: "KB", measured: script / 1000, bound: { atMost: 200 } }),
    figure({ name: "style of first load", unit: "KB", measured: style / 1000, bound: { atMost: 50 } }),
  ];
}

/** Measures the portal in a real browser, in a workspace with so many reports. */
const benchOf =
  (reports: number): Bench =>
  async () => {
    const reason = chromiumUnavailable();
    if (reason !== undefined) throw new Unavailable(reason);
    const site = await createSite();
    progress(`  seeding ${reports} reports`);
    const bulk = openSqliteBulk(site.dataDir);
    await seedOrder(bulk, reports);
    await bulk.finish();
    await using vitrine = await startVitrine(site);
    const content = `<!doctype html><title>${REAL_REPORT}</title><h1>${REAL_REPORT}</h1>`;
    await publish(vitrine, { name: "real-report", files: [{ path: "index.html", content }] });
    const browser = await launchChromium();
    try {
      return await measure(browser, vitrine, reports);
    } finally {
      await browser.close();
    }
  };

export const portal = benchOf(100_000);
export const portalMillion = benchOf(1_000_000);
