import type { Browser, Page } from "playwright-core";
import { z } from "zod";
import { bundleCompareScript } from "../src/hosts/http/changes/compare-script.ts";
import type { Anchor } from "../src/html/anchors/anchor.ts";
import { describeText } from "../src/html/anchors/describe.ts";
import { pageOfHtml } from "../src/html/anchors/page-of-html.ts";
import { sessionCookie } from "../test/browser/portal/portal.ts";
import { chromiumUnavailable } from "../test/support/chromium.ts";
import { frameIn, launchAround, openAround, pageIn } from "./support/around.ts";
import type { Bench } from "./support/bench.ts";
import { openSqliteBulk } from "./support/bulk.ts";
import { seedComments } from "./support/seed-comments.ts";
import { median } from "./support/statistics.ts";
import { figure, type Row } from "./support/table.ts";
import { Unavailable } from "./support/tools.ts";
import { BENCH_USER, createSite, publish, startVitrine, type Vitrine } from "./support/vitrine.ts";

const ROUNDS = 9;
const THREADS = 500;
const PARAGRAPHS = 58_500;
const TABLE_ROWS = 5_000;
const NAME = "measured";

/** A report of 5 MB whose paragraphs are alike but for their numbers. */
const longReport = (): string => {
  const texts = Array.from(
    { length: PARAGRAPHS },
    (_, at) =>
      `<p>Measurement ${at * 7919} in hall ${at % 97} gave ${(at * 104_729) % 100_003} units, as the plan of week ${at % 53} says.</p>\n`,
  );
  return `<!doctype html><title>Measurements</title><h1>Measurements</h1>${texts.join("")}`;
};

/** Returns anchors all over a report. */
function anchorsIn(html: string): Anchor[] {
  const page = pageOfHtml(html);
  return Array.from({ length: THREADS }, (_, id) => {
    const at = page.text.indexOf("gave", Math.floor((id * page.text.length) / (THREADS + 1)));
    return describeText(page, "index.html", at, at + 30) ?? { kind: "report" };
  });
}

const REPORT = longReport();
/** The next version, in which all texts have moved. */
const MOVED = REPORT.replace("</h1>", "</h1><p>All the others are lower now.</p>");
const ANCHORS = anchorsIn(REPORT);

/**
 * Runs in the page around a report and starts a review with its bridge, as the panel of comments does. Its value is a number,
 * because Playwright would wait for a promise.
 */
const LISTEN = `{
  globalThis.review = new Promise((resolve) => {
    addEventListener("message", ({ data, ports: [port] }) => {
      if (data !== "vitrine-bridge") return;
      const { port1, port2 } = new MessageChannel();
      port.postMessage({ kind: "openReview" }, [port2]);
      port1.onmessage = ({ data }) => data.kind === "ready" && resolve(port1);
    }, { once: true });
  });
  0;
}`;
/** Notes the tasks of a page, without those of the pages that it frames: a report's own parsing and layout take long anyway. */
const WATCH_TASKS = `{
  globalThis.tasks = [];
  new PerformanceObserver((list) => {
    for (const { name, duration } of list.getEntries()) if (!name.endsWith("descendant")) tasks.push(duration);
  }).observe({ type: "longtask" });
}`;
/** Two frames, after which a page is painted and knows of all tasks. */
const TWO_FRAMES =
  "new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(globalThis.tasks ?? [])))))";

/** Times how long a page needs to find all threads; `where` says how it differs from the one they were written on. */
async function timeAnchors(browser: Browser, vitrine: Vitrine, content: string, where: string): Promise<Row[]> {
  const code = await publish(vitrine, { visibility: "public", files: [{ path: "index.html", content }] });
  const anchors = JSON.stringify(ANCHORS.map((anchor, id) => ({ id, anchor })));
  const times: number[] = [];
  const tasks: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const context = await openAround(browser, vitrine);
    const page = pageIn(context);
    await page.evaluate(LISTEN);
    const report = await frameIn(page, `${vitrine.contentUrl}/~framed/${code}/`);
    await page.evaluate("review.then(() => 0)");
    // Its first layout takes longer than all the rest, with comments or without.
    await report.evaluate(TWO_FRAMES);
    await report.evaluate(WATCH_TASKS);
    const placed = page.evaluate(`review.then((port) => new Promise((resolve) => {
      const started = performance.now();
      port.onmessage = ({ data }) => data.kind === "placed" &&
        resolve({ took: performance.now() - started, exact: data.placed.filter(({ place }) => place === "exact").length });
      port.postMessage({ kind: "anchors", anchors: ${anchors} });
    }))`);
    const { took, exact } = z.object({ took: z.number(), exact: z.number() }).parse(await placed);
    if (exact !== THREADS) throw new Error(`${exact} of ${THREADS} threads were found.`);
    times.push(took);
    tasks.push(...z.array(z.number()).parse(await report.evaluate(TWO_FRAMES)));
    await context.close();
  }
  const size = (content.length / 1e6).toFixed(1);
  return [
    figure({
      name: `${THREADS} threads found ${where} a report of ${size} MB, median of ${ROUNDS}`,
      ...{ unit: "ms", measured: median(times), bound: { atMost: 200 } },
    }),
    figure({
      name: "longest task meanwhile (0: none over 50 ms)",
      ...{ unit: "ms", measured: Math.max(0, ...tasks), bound: { atMost: 50 } },
    }),
  ];
}

/** Returns the longest task of a live link's own page while it shows all threads beside the report. */
async function timePanel(browser: Browser, { baseUrl }: Vitrine): Promise<Row> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addCookies([await sessionCookie({ baseUrl }, BENCH_USER.email, BENCH_USER.password)]);
  const page = await context.newPage();
  await page.goto(`${baseUrl}/${NAME}/`);
  await page.frameLocator("iframe").getByRole("heading").waitFor();
  await page.evaluate(WATCH_TASKS);
  await page.keyboard.press("m");
  const isPlaced = `CSS.highlights.get("vitrine-comment")?.size === ${THREADS}`;
  for (;;) {
    const report = page.frames().find((frame) => frame.url().includes("/~framed/"));
    if ((await report?.evaluate(isPlaced).catch(() => false)) === true) break;
    await page.waitForTimeout(50);
  }
  const tasks = z.array(z.number()).parse(await page.evaluate(TWO_FRAMES));
  await context.close();
  return figure({
    name: `longest task of the page around, which shows ${THREADS} threads (0: none over 50 ms)`,
    ...{ unit: "ms", measured: Math.max(0, ...tasks), bound: { atMost: 50 } },
  });
}

function tablePage(added: number): string {
  const rows = Array.from(
    { length: TABLE_ROWS },
    (_, row) => `<tr><td>${row * 7}<td>name ${row}<td>${row % 50 === 0 ? row + added : row}<td>${row % 13}`,
  );
  return `<table><thead><tr><th>id<th>name<th>value<th>group</thead>${rows.join("")}</table>`;
}

/** Times a comparison in the thread in which browsers compare pages. */
async function timeComparison(page: Page): Promise<Row> {
  const { text } = await bundleCompareScript();
  const ask = (before: string, after: string) =>
    page.evaluate(`new Promise((resolve) => {
      const started = performance.now();
      comparer.onmessage = ({ data }) => resolve({ took: performance.now() - started, said: data.summary.sentence });
      comparer.postMessage({ kind: "pages", asked: { before: ${JSON.stringify(before)}, after: ${JSON.stringify(after)}, changedFiles: [] } });
    })`);
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await page.evaluate(`{
      globalThis.comparer?.terminate();
      globalThis.comparer = new Worker(URL.createObjectURL(new Blob([${JSON.stringify(text)}])));
    }`);
    await ask("<p>1", "<p>2");
    const { took, said } = z
      .object({ took: z.number(), said: z.string() })
      .parse(await ask(tablePage(0), tablePage(1)));
    if (said !== "100 numbers") throw new Error(`The comparison says: ${said}`);
    times.push(took);
  }
  return figure({
    name: `tables of ${TABLE_ROWS} rows compared in a browser's thread, median of ${ROUNDS}`,
    ...{ unit: "ms", measured: median(times), bound: { atMost: 300 } },
  });
}

/** Measures what comments and changes cost the reader's browser. */
export const reviews: Bench = async () => {
  const reason = chromiumUnavailable();
  if (reason !== undefined) throw new Unavailable(reason);
  const site = await createSite();
  const first = await startVitrine(site);
  const files = [{ path: "index.html", content: REPORT }];
  await publish(first, { name: NAME, files });
  await first.stop();
  await seedComments(openSqliteBulk(site.dataDir), NAME, {
    ...{ threadLength: 1, count: THREADS },
    anchorOf: (thread) => ANCHORS[thread] ?? { kind: "report" },
  });
  await using vitrine = await startVitrine(site);
  const browser = await launchAround();
  try {
    const context = await openAround(browser, vitrine);
    return [
      ...(await timeAnchors(browser, vitrine, REPORT, "on")),
      ...(await timeAnchors(browser, vitrine, MOVED, "below a new paragraph of")),
      await timePanel(browser, vitrine),
      await timeComparison(pageIn(context)),
    ];
  } finally {
    await browser.close();
  }
};
