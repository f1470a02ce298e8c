import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { openScene, ROOT, signIn } from "./server.ts";

const IMAGES = join(ROOT, "docs/images");
/** The number of reports in the portal's gallery. */
const REPORTS = 3;

/** Saves the pictures of the documentation. */
export async function takeImages(browser: Browser): Promise<void> {
  await using scene = await openScene();
  const [publishFirst, publishNext, ...others] = scene.steps;
  if (publishFirst === undefined || publishNext === undefined)
    throw new Error("The demo has two versions of a report.");
  await mkdir(IMAGES, { recursive: true });
  await showLiveUpdate(browser, publishNext, await publishFirst());
  for (const publish of others) await publish();
  await showPortal(browser, scene.url);
}

/** Saves a WebP image through Chromium, because Playwright itself only supports PNG and JPEG. */
async function save(page: Page, name: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 82 });
  const path = join(IMAGES, name);
  const bytes = await Bun.write(path, Buffer.from(data, "base64"));
  console.log(`${path} (${Math.round(bytes / 1_000)} KB)`);
}

async function showPortal(browser: Browser, url: string): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1240, height: 600 }, reducedMotion: "reduce" });
  await signIn(page, url);
  await page.locator("label", { hasText: "Gallery" }).click();
  await makeThumbnails(page);
  await save(page, "portal.webp");
}

/** Points at each card of the gallery until it has a thumbnail. */
async function makeThumbnails(page: Page): Promise<void> {
  const cards = page.getByRole("gridcell");
  for (let index = 0; index < REPORTS; index += 1) {
    const card = cards.nth(index);
    await card.hover();
    await card.locator("img").waitFor({ state: "attached" });
  }
  await page.mouse.move(0, 0);
  await page.waitForLoadState("networkidle");
}

/** Waits until the reports that the page frames have drawn their charts. */
async function waitForCharts(page: Page, reports: number): Promise<void> {
  for (let index = 0; index < reports; index += 1) {
    await page.locator("iframe").nth(index).contentFrame().locator("svg").first().waitFor({ state: "attached" });
  }
  await page.waitForLoadState("networkidle");
}

/** Shows one page that stays open, before and after the next version is published. */
async function showLiveUpdate(browser: Browser, publishNext: () => Promise<string>, link: string): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1000, height: 640 }, reducedMotion: "reduce" });
  const take = async (version: number) => {
    await page.getByText(`Version ${version}`, { exact: true }).first().waitFor();
    await page
      .frameLocator("iframe:only-of-type")
      .getByRole("heading", { name: `Week ${version + 44}:` })
      .waitFor();
    await waitForCharts(page, 1);
    return (await page.screenshot({ animations: "disabled" })).toString("base64");
  };
  await page.goto(link);
  const before = await take(1);
  await publishNext();
  await page.locator("[data-part=changes]").waitFor();
  const after = await take(2);
  const both = await browser.newPage({ viewport: { width: 1440, height: 500 } });
  const figure = (image: string, text: string) =>
    `<figure><figcaption>${text}</figcaption><img src="data:image/png;base64,${image}"></figure>`;
  await both.setContent(`<!doctype html><style>
    body { margin: 0; padding: 14px; display: grid; grid-template-columns: 1fr 1fr; gap: 20px; background: #eceff3; }
    figure { margin: 0; } figcaption { margin-bottom: 8px; font: 600 16px system-ui, sans-serif; color: #333c48; }
    img { display: block; width: 100%; border: 1px solid #cdd4dc; border-radius: 8px; }
    </style>${figure(before, "A reader has the live link open")}${figure(after, "Version 2 is published: the same page, not reloaded")}`);
  await save(both, "live-update.webp");
}
