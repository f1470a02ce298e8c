import { expect, test } from "bun:test";
import type { BrowserContext, Page } from "playwright-core";
import { z } from "zod";
import { chromiumUnavailable, useBrowser } from "../../support/chromium.ts";
import { PASSWORD, useService } from "../../support/service.ts";
import { describeIf } from "../../support/skip.ts";
import { dragOver, makeFolder, shareDialog } from "./publishing.ts";

/** Seconds that people take on average, by the keystroke-level model (Card, Moran and Newell, 1980). */
const SECONDS = { key: 0.28, point: 1.1, press: 0.1, home: 0.4, think: 1.35 } as const;
/** From the first page to a link that anyone can open. */
const MOST_SECONDS = 30;

const counts = z.object({ clicks: z.number(), keys: z.number() });
type Counts = z.infer<typeof counts>;

/** Counts what the reader does, on each page that the context opens. */
const COUNTER = `for (const [type, name] of [["click", "clicks"], ["keydown", "keys"]])
  addEventListener(type, ({ isTrusted, detail }) => {
    // Enter in a field is one key, though it also clicks the form's button.
    if (isTrusted && (type === "keydown" || detail > 0)) sessionStorage[name] = Number(sessionStorage[name] ?? 0) + 1;
  }, true);`;

const countsOf = async (page: Page): Promise<Counts> =>
  counts.parse(
    await page.evaluate("({ clicks: Number(sessionStorage.clicks ?? 0), keys: Number(sessionStorage.keys ?? 0) })"),
  );

/** Returns the seconds for clicks that are thought about, keys that are typed, and files that are dragged from another window. */
const estimate = ({ clicks, keys }: Counts, drags: number): number =>
  clicks * (SECONDS.think + SECONDS.point + 2 * SECONDS.press) +
  keys * SECONDS.key +
  drags * (SECONDS.think + 2 * (SECONDS.point + SECONDS.press)) +
  // To the keyboard and back, and before each field.
  2 * SECONDS.home +
  2 * SECONDS.think;

describeIf("somebody who has never seen Vitrine", chromiumUnavailable(), () => {
  const service = useService();
  const browser = useBrowser();

  /** Signs in on the first page, as people do whose browser doesn't know the password. */
  async function begin(): Promise<{ context: BrowserContext; page: Page; slug: string }> {
    const user = await service.build.user();
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: service.baseUrl });
    await context.addInitScript(COUNTER);
    const page = await context.newPage();
    await page.goto(service.baseUrl);
    await page.locator("input[name=email]:focus").waitFor();
    await page.keyboard.type(user.email);
    await page.keyboard.press("Tab");
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press("Enter");
    await page.getByText("Publish your first report").waitFor();
    return { context, page, slug: user.slug };
  }

  const WAYS = [
    { way: "dropping a file", drags: 1, clicks: 2, keys: 0 },
    { way: "choosing a file", drags: 0, clicks: 3, keys: 0 },
    { way: "pasting HTML", drags: 0, clicks: 2, keys: 2 },
  ] as const;

  test.each(WAYS)("shares a live link by $way within 30 seconds", async ({ way, drags, ...wanted }) => {
    const { context, page, slug } = await begin();
    const signedIn = await countsOf(page);
    const content = `<!doctype html><title>Sales of ${slug}</title><h1>42 apples</h1>`;
    await using folder = await makeFolder({ "Weekly Sales.html": content });
    const file = `${folder.path}/Weekly Sales.html`;
    if (way === "dropping a file") await (await dragOver(page, [file])).drop();
    else if (way === "pasting HTML") {
      await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(content)})`);
      await page.keyboard.press("ControlOrMeta+v");
    } else {
      const chooser = page.waitForEvent("filechooser");
      await page.getByRole("button", { name: "Choose files" }).click();
      await (await chooser).setFiles(file);
    }
    await page.getByRole("main").getByRole("button", { name: "Publish", exact: true }).click();
    await shareDialog(page).getByRole("radio", { name: "Public" }).click();
    await page.getByText("Now public").waitFor();
    const done = await countsOf(page);
    expect({ clicks: done.clicks - signedIn.clicks, keys: done.keys - signedIn.keys }).toEqual(wanted);
    expect(estimate(done, drags)).toBeLessThanOrEqual(MOST_SECONDS);

    const link = z.string().parse(await page.evaluate("navigator.clipboard.readText()"));
    await using stranger = await browser.newContext();
    const opened = await stranger.newPage();
    await opened.goto(link);
    await opened.frameLocator("iframe").getByText("42 apples").waitFor();
    await context.close();
  });
});
