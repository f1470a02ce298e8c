import type { Page } from "playwright-core";
import {
  hover,
  inOrder,
  known,
  opens,
  PHONE,
  press,
  refuses,
  type Shot,
  shows,
  types,
  WIDE,
  waitsFor,
} from "./shot.ts";

const ADA = "/-/w/ada";

/** Waits until the gallery has made the pictures of its reports, one after the other. */
const picturesLast = (page: Page) =>
  page.getByRole("gridcell").filter({ hasText: "Weekly sales" }).locator("img").waitFor();

/** Drags a file over the page, as far as pages can do that themselves. */
const DRAG = `{
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File(["<p>x"], "index.html"));
  for (const type of ["dragenter", "dragover"])
    document.querySelector("main").dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
}`;

/** Drags a file over the page, which follows drags once it is idle. */
async function dragsFile(page: Page): Promise<void> {
  const answer = page.getByText("Drop to publish").filter({ visible: true }).first();
  for (let tries = 0; tries < 60 && !(await answer.isVisible()); tries++) {
    await page.evaluate(DRAG);
    await answer.waitFor({ timeout: 500 }).catch(() => undefined);
  }
  await answer.waitFor();
}

/** Presses keys once there are rows for which they mean something. */
const inList = (...keys: readonly string[]) =>
  inOrder((page) => page.locator("[role=row][data-key]").first().waitFor(), press(...keys));

const selectsTwo = inList("j", "x", "j", "x");

const menuOf = (title: string) => inOrder(hover(title), opens("menu", `Actions for ${title}`));

async function opensSidebar(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Open sidebar" }).click();
  await page.getByRole("button", { name: "Close sidebar" }).waitFor();
}

const lists: readonly Shot[] = [
  { name: "home", path: ADA },
  { name: "home-gallery", path: `${ADA}?view=gallery`, act: picturesLast, widths: WIDE },
  { name: "home-gallery-phone", path: `${ADA}?view=gallery`, widths: PHONE },
  { name: "home-recent", path: `${ADA}?place=recent` },
  { name: "home-starred", path: `${ADA}?place=starred` },
  { name: "home-tag", path: known("tag") },
  { name: "home-filtered", path: `${ADA}?q=sales&visibility=public&age=30d` },
  { name: "home-no-results", path: `${ADA}?q=nothing-like-it` },
  { name: "home-missing-folder", path: `${ADA}?folder=fld_gone` },
  { name: "home-organization", path: "/-/w/shop" },
  { name: "home-samples", path: "/-/w/samples", act: shows("Remove samples") },
  { name: "home-empty", path: "/-/w/team" },
  { name: "home-missing", path: "/-/w/missing" },
];

const actions: readonly Shot[] = [
  { name: "home-selected", path: ADA, act: inOrder(selectsTwo, shows("2 selected")) },
  {
    name: "home-share-selected",
    path: ADA,
    act: inOrder(selectsTwo, press("v"), shows("Applies to all their versions.")),
  },
  { name: "home-move", path: `${ADA}?q=forecast`, act: inOrder(inList("j", "m"), shows("No folder")) },
  { name: "home-tags", path: ADA, act: inOrder(inList("j", "t"), shows("Which tags should")) },
  { name: "home-rename", path: ADA, act: inOrder(inList("j", "e"), shows("Cancel")) },
  { name: "home-undo", path: ADA, act: inOrder(inList("j", "s"), shows("Undo")) },
  { name: "home-filter", path: ADA, act: opens("dialog", /^Filter/) },
  { name: "home-sort", path: ADA, act: opens("menu", /^Sort/) },
  { name: "home-columns", path: ADA, act: opens("menu", "Columns"), widths: WIDE },
  { name: "home-save-filter", path: `${ADA}?q=sales&visibility=public`, act: opens("dialog", "Save filter…") },
  { name: "home-menu", path: ADA, act: menuOf("Inventory turnover by warehouse") },
  { name: "home-sidebar", path: ADA, act: opensSidebar, widths: PHONE },
  { name: "home-workspaces", path: ADA, act: opens("menu", /Switch workspace/), widths: WIDE },
  { name: "home-folder-menu", path: ADA, act: menuOf("Finance"), widths: WIDE },
  {
    name: "home-folder-delete",
    path: ADA,
    act: inOrder(menuOf("Finance"), opens("dialog", /^Delete…/, "menuitem")),
    widths: WIDE,
  },
  { name: "home-drop", path: ADA, act: dragsFile },
  { name: "account-menu", path: ADA, act: opens("menu", /^Account of/) },
];

/** Waits until the palette has found a report, which can also be in the list behind it. */
const finds = (title: string) => (page: Page) => page.getByRole("option").filter({ hasText: title }).waitFor();

const palette: readonly Shot[] = [
  { name: "palette", path: ADA, act: inOrder(press("Control+k"), shows("Connect your agent or CI")) },
  {
    name: "palette-search",
    path: ADA,
    act: inOrder(press("Control+k"), types("sales"), finds("Weekly sales, week 46")),
  },
  { name: "palette-nothing", path: ADA, act: inOrder(press("Control+k"), types("zzzz"), shows("No results")) },
  { name: "shortcuts", path: ADA, act: inOrder(press("?"), shows("Keyboard shortcuts")), widths: WIDE },
];

const troubles: readonly Shot[] = [
  {
    name: "opening",
    path: ADA,
    act: inOrder(waitsFor(/\/-\/assets\/.*\.js$/), (page) => page.getByRole("status").waitFor()),
  },
  {
    name: "list-waiting",
    path: ADA,
    act: inOrder(waitsFor("**/api/search?**"), (page) =>
      page.getByRole("status", { name: "Loading reports" }).waitFor(),
    ),
  },
  {
    name: "list-refused",
    path: `${ADA}?q=sales`,
    act: inOrder(refuses("**/api/search?**", 400, "This search doesn't work."), shows("This search doesn't work.")),
  },
  {
    name: "list-failed",
    path: ADA,
    act: inOrder(refuses("**/api/search?**", 500, "Internal server error."), shows("Request ID")),
  },
  {
    name: "server-away",
    path: ADA,
    act: inOrder(
      (page) => page.context().setOffline(true),
      (page) => page.evaluate("dispatchEvent(new Event('offline'))"),
      shows(/You're offline/),
    ),
  },
  {
    name: "part-missing",
    path: ADA,
    act: async (page) => {
      await page.route(/\/-\/assets\/(?!main).*\.js$/, (route) => route.abort());
      await page.goto(new URL("/-/account", page.url()).href);
      await page.getByText("Reload to continue").first().waitFor();
    },
  },
];

export const HOME: readonly Shot[] = [...lists, ...actions, ...palette, ...troubles];
