import { afterEach } from "bun:test";
import type { BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { actionsOf } from "../hosts/app/actions.ts";
import { useBrowser } from "../support/chromium.ts";
import { uniqueName, useOwnService } from "../support/service.ts";
import { until } from "../support/until.ts";
import { use } from "../support/use.ts";
import type { Color } from "./frame-samples.ts";

export const GREEN: Color = [0, 128, 0];
export const BLUE: Color = [0, 0, 255];

/** A page in one color that loads as slowly as a report with a large script. */
export const reportIn = ([red, green, blue]: Color, text: string) => [
  {
    path: "index.html",
    content: `<!doctype html><title>${text}</title>
      <script>const end = Date.now() + 200; while (Date.now() < end);</script>
      <body style="margin:0;background:rgb(${red} ${green} ${blue})"><h1>${text}</h1>
      <div style="height:200vh"></div><p id="end">The end of ${text}</p>`,
  },
];

/** Creates a service with the user Ada, and browsers in which readers open live links to her reports. */
export function createLiveScene() {
  const service = useOwnService();
  const browser = useBrowser();
  const act = actionsOf(service);
  const ada = use(() => service.build.user({ slug: "ada" }));
  const contexts: BrowserContext[] = [];

  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
  });

  const publish = (name: string, text: string, color = GREEN) =>
    act.publish(ada.token, { name, visibility: "public", files: reportIn(color, text) });

  /** Publishes a named report with a text, and opens its live link as a new reader. */
  async function openLive(text: string, fragment = "") {
    const name = uniqueName();
    const { nameUrl = "" } = await publish(name, text);
    return { name, link: nameUrl, page: await openAt(nameUrl + fragment) };
  }

  /** Opens an empty page as a new reader. */
  async function newPage(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext(options);
    contexts.push(context);
    return context.newPage();
  }

  async function openAt(link: string, options: BrowserContextOptions = {}): Promise<Page> {
    const page = await newPage({ viewport: { width: 900, height: 600 }, ...options });
    await page.goto(link);
    return page;
  }

  return { service, act, ada, publish, openLive, newPage, openAt };
}

/** Waits until a report is visible. */
export async function shows(page: Page, text: string): Promise<void> {
  const shown = page.locator("iframe:not(.waiting)").last().contentFrame();
  await shown.getByRole("heading", { name: text }).waitFor();
  await until(async () => (await page.locator("iframe").count()) === 1 || undefined);
}

export const news = (page: Page) => page.locator("[data-part=news]");

export const openMenu = (page: Page) => page.getByRole("button", { name: /^Version \d+$/ }).click();
