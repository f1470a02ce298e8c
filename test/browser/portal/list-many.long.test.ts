import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openPostgresBulk, openSqliteBulk } from "../../../bench/support/bulk.ts";
import { seedOrder } from "../../../bench/support/seed-order.ts";
import { renameRoute } from "../../../src/contract/reports/named-reports.ts";
import { chromiumUnavailable } from "../../support/chromium.ts";
import { useOwnService } from "../../support/service.ts";
import { describeIf } from "../../support/skip.ts";
import { until } from "../../support/until.ts";
import { expectTitles, fillWorkspace, hasFocus, row, titles } from "./list-scene.ts";
import { createReportScene, expectNoBarriers, refuseUntilClicked } from "./report-scene.ts";

const MANY = 3_000;
/** Pixels. */
const ROW = 44;

describeIf("many reports", chromiumUnavailable(), () => {
  // Its rows name objects that nobody published, which can't be read back.
  const scene = createReportScene(useOwnService());
  const owners: { slug: string; token: string; email: string }[] = [];

  /** Returns the user whose workspace the seeding fills. */
  async function seeded() {
    const [known] = owners;
    if (known !== undefined) return known;
    const user = await scene.service.build.user({ slug: "bench" });
    const { databaseUrl, dataDir } = scene.service.database;
    const bulk = databaseUrl === undefined ? openSqliteBulk(dataDir) : await openPostgresBulk(databaseUrl);
    await seedOrder(bulk, MANY);
    await bulk.finish();
    owners.push(user);
    return user;
  }

  function countSearches(page: Page) {
    const urls: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/api/search?")) urls.push(request.url());
    });
    return urls;
  }

  /** Scrolls down until that many rows are loaded. */
  async function scrollTo(page: Page, index: number) {
    const last = page.locator(`[role=row][aria-rowindex="${index + 2}"]`);
    await until(async () => {
      await page.evaluate(`scrollTo(0, ${index * ROW})`);
      return (await last.count()) > 0;
    });
    await last.scrollIntoViewIfNeeded();
    return last;
  }

  test("thousands load on scroll, and changes refetch the visible page without a jump", async () => {
    const user = await seeded();
    const page = await scene.visit({ email: user.email, path: "/account" });
    const searches = countSearches(page);
    await page.goto(`${scene.service.baseUrl}/-/w/${user.slug}`);
    await page.getByRole("row").nth(5).waitFor();
    await page.getByText(MANY.toLocaleString("en"), { exact: false }).first().waitFor();
    // Once at first, and once more when the socket is connected.
    expect(new Set(searches).size).toBe(1);
    const far = await scrollTo(page, 1500);
    expect(await page.getByRole("row").count()).toBeLessThan(100);
    expect(searches.length).toBeGreaterThan(15);
    const title = await far.getByRole("link").textContent();
    const { y } = (await far.boundingBox()) ?? { y: 0 };

    // A changed report moves, and the visible rows stay in place. The focusable first row is far above and not refetched.
    const client = scene.service.client(user.token);
    const gone = await page.evaluate<string>(
      `[...document.querySelectorAll('[role=gridcell] a + span')]
        .find((name) => name.getBoundingClientRect().top > innerHeight / 4).textContent`,
    );
    searches.length = 0;
    const newName = `renamed-${crypto.randomUUID().slice(0, 8)}`;
    await client.call(renameRoute, { body: { name: gone, newName } });
    await page.getByText(gone, { exact: true }).waitFor({ state: "detached" });
    await page.waitForLoadState("networkidle");
    expect(searches.length).toBeGreaterThan(0);
    expect(searches.length).toBeLessThanOrEqual(4);
    const after = page.getByRole("row").filter({ has: page.getByRole("link", { name: title ?? "?", exact: true }) });
    expect(Math.abs(((await after.boundingBox())?.y ?? 0) - y)).toBeLessThan(45);

    // Going back from a report restores the scroll position.
    await after.getByRole("link").click();
    await page.getByRole("heading", { level: 1, name: title ?? "?", exact: true }).waitFor();
    await page.goBack();
    await after.waitFor();
    expect(await titles(page)).toContain(title ?? "?");

    await row(page, title ?? "?")
      .first()
      .focus();
    await page.keyboard.press("ControlOrMeta+a");
    await page.getByText("You can select up to 200 reports at a time.").waitFor();
    await page.getByText("200 selected").waitFor();
    await expectNoBarriers(page);
  });

  test("a failed next page shows the error in its place and can be retried", async () => {
    const user = await seeded();
    const page = await scene.visit({ email: user.email, path: `/w/${user.slug}?sort=title` });
    await page.getByRole("row").nth(5).waitFor();
    await refuseUntilClicked(page, "**/api/search?*cursor*", "Not now.");
    await page.evaluate("scrollTo(0, 1000000)");
    await page.getByText("Couldn't load more reports. Not now.").waitFor();
    await expectNoBarriers(page);
    await page.getByRole("button", { name: "Try again" }).click();
    await scrollTo(page, 150);
  });

  test("the gallery shows the report under the focus in an inert frame", async () => {
    const user = await scene.service.build.user();
    const wanted = Array.from({ length: 30 }, (_, number) => ({ title: `Report ${number}` }));
    await fillWorkspace(scene.service, user, wanted);
    const viewport = { width: 2560, height: 1400 };
    const page = await scene.visit({ email: user.email, path: `/w/${user.slug}`, viewport });
    await page.getByRole("row").nth(5).waitFor();
    await page.getByRole("radio", { name: "List" }).focus();
    await page.keyboard.press("ArrowRight");
    await page.waitForURL(/view=gallery/);
    // Another frame, which makes pictures of reports, is no part of a card.
    const frames = page.getByRole("gridcell").locator("iframe");
    const card = page.getByRole("gridcell").filter({ hasText: "Report 29" });
    await card.waitFor();
    expect(await frames.count()).toBe(0);
    await card.focus();
    await frames.first().contentFrame().getByRole("heading", { name: "Report 29" }).waitFor();
    expect(await frames.count()).toBe(1);
    expect(await frames.first().getAttribute("sandbox")).toBe("allow-scripts");
    expect(await frames.first().getAttribute("tabindex")).toBe("-1");
    await expectNoBarriers(page);

    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Shift+ArrowUp");
    await page.getByRole("gridcell", { selected: true }).first().waitFor();
    expect(await page.getByRole("gridcell", { selected: true }).count()).toBeGreaterThan(1);
    await page.keyboard.press("End");
    // The focused report stays in view.
    await page.setViewportSize({ width: 390, height: 700 });
    await frames.last().contentFrame().getByRole("heading", { name: "Report 0" }).waitFor();
    expect(await frames.count()).toBe(1);
    // The browser remembers the view.
    await page.goto(`${scene.service.baseUrl}/-/w/${user.slug}`);
    await page.getByRole("gridcell").filter({ hasText: "Report 29" }).waitFor();
  });

  test("changes appear in other browsers immediately without moving the focus", async () => {
    const user = await scene.service.build.user();
    const { names } = await fillWorkspace(scene.service, user, [
      { title: "One" },
      { title: "Two" },
      { title: "Three" },
    ]);
    const visit = () => scene.visit({ email: user.email, path: `/w/${user.slug}` });
    const [page, other] = [await visit(), await visit()];
    await Promise.all([page, other].map((each) => expectTitles(each, ["Three", "Two", "One"])));
    await row(other, "Two").focus();
    await row(page, "Two").focus();
    await page.keyboard.press("Delete");
    await expectTitles(page, ["Three", "One"]);
    await page.goto(`${scene.service.baseUrl}/-/account`);
    await expectTitles(other, ["Three", "One"]);
    expect(await hasFocus(other, "One")).toBe(true);
    const renamed = `renamed-${crypto.randomUUID().slice(0, 8)}`;
    await scene.act.rename(user.token, names[0] ?? "", renamed);
    await row(other, "One").getByText(renamed).waitFor();
    await scene.act.publish(user.token, { title: "Four" });
    await row(other, "Four").waitFor();
    expect(await hasFocus(other, renamed)).toBe(true);
  });
});
