import type { Page } from "playwright-core";
import type { Scene } from "./server.ts";

/** One picture of the portal or another page: what it shows, and how to get there. */
export interface Shot {
  /** The picture's file name without its ending. */
  name: string;
  /** Below the server's address. */
  path: string | ((scene: Scene) => string);
  /** Whether it is photographed signed out. */
  isPublic?: boolean;
  /** Widths to photograph, if the state doesn't exist at all. */
  widths?: readonly number[];
  /** Brings the page into the state to photograph. */
  act?(page: Page): Promise<unknown>;
}

const click = (name: string | RegExp) => (page: Page) => page.getByRole("button", { name }).first().click();

const hover = (text: string) => (page: Page) => page.getByText(text).first().hover();

const inOrder =
  (...acts: readonly ((page: Page) => Promise<unknown>)[]) =>
  async (page: Page) => {
    for (const act of acts) await act(page);
  };

const shows = (text: string | RegExp) => (page: Page) => page.getByText(text).first().waitFor();

const chooses = (label: string) => (page: Page) => page.getByText(label, { exact: true }).first().click();

const framesHeading = (name: string) => (page: Page) =>
  page.frameLocator("iframe").first().getByRole("heading", { name }).waitFor();

const press = (keys: string) => (page: Page) => page.keyboard.press(keys);

const WIDE = [1440];
const PHONE = [390];

const choosePage = (page: Page) =>
  page
    .locator("input[type=file]")
    .first()
    .setInputFiles({
      name: "Weekly Sales.html",
      mimeType: "text/html",
      buffer: Buffer.from(
        `<!doctype html><title>Weekly sales</title><link rel=stylesheet href="css/site.css"><h1>Weekly sales</h1><script>localStorage.seen = "yes"</script>`,
      ),
    });

const home: Shot[] = [
  { name: "home", path: "/-/w/ada" },
  { name: "home-gallery", path: "/-/w/ada?view=gallery" },
  { name: "home-recent", path: "/-/w/ada?place=recent" },
  { name: "home-starred", path: "/-/w/ada?place=starred" },
  { name: "home-no-results", path: "/-/w/ada?q=nothing-like-it" },
  { name: "home-folder", path: "/-/w/ada", act: (page) => page.goto(`${page.url()}?q=sales&visibility=public`) },
  { name: "home-selected", path: "/-/w/ada", act: inOrder(press("j"), press("x"), press("j"), press("x")) },
  {
    name: "home-share-selected",
    path: "/-/w/ada",
    act: inOrder(press("j"), press("x"), press("j"), press("x"), press("v"), shows("Applies to all their versions.")),
  },
  { name: "home-filter", path: "/-/w/ada", act: click(/^Filter/) },
  { name: "home-columns", path: "/-/w/ada", act: click("Columns"), widths: WIDE },
  {
    name: "home-menu",
    path: "/-/w/ada",
    act: inOrder(hover("Inventory turnover by warehouse"), click("Actions for Inventory turnover by warehouse")),
  },
  { name: "home-sidebar", path: "/-/w/ada", act: click("Open sidebar"), widths: PHONE },
  { name: "home-empty", path: "/-/w/team" },
  { name: "palette", path: "/-/w/ada", act: press("Control+k") },
  { name: "shortcuts", path: "/-/w/ada", act: press("?"), widths: WIDE },
  { name: "account-menu", path: "/-/w/ada", act: click(/^Account of/) },
];

const report: Shot[] = [
  { name: "report", path: "/-/r/ada-weekly-sales" },
  { name: "report-panel", path: "/-/r/ada-weekly-sales", act: click("Details"), widths: PHONE },
  { name: "report-without-panel", path: "/-/r/ada-weekly-sales", act: press("]"), widths: WIDE },
  { name: "report-menu", path: "/-/r/ada-weekly-sales", act: click("More actions") },
  { name: "report-earlier", path: "/-/r/ada-weekly-sales?version=1" },
  { name: "report-share", path: "/-/r/ada-weekly-sales?share" },
  { name: "report-share-private", path: "/-/r/ada-churn-model?share" },
  { name: "report-guest-link", path: "/-/r/ada-churn-model?share", act: click("New link") },
  { name: "report-compare", path: "/-/r/ada-weekly-sales?tab=compare" },
  {
    name: "report-changes",
    path: "/-/r/ada-weekly-sales?tab=compare",
    act: inOrder(chooses("Changes"), shows(/^\d+ numbers/)),
  },
  { name: "report-comments", path: "/-/r/ada-weekly-sales#comments", act: shows("Are returns of week 44") },
  { name: "report-files", path: "/-/r/ada-weekly-sales?tab=files" },
  { name: "report-versions", path: "/-/r/ada-weekly-sales?tab=versions" },
  { name: "report-needs-storage", path: "/-/r/ada-needs-storage", act: shows("This report needs browser storage.") },
  { name: "report-blank", path: "/-/r/ada-blank", act: shows("This report is blank because of an error.") },
  { name: "report-missing", path: "/-/r/no-such-report" },
];

const keeping: Shot[] = [
  { name: "inbox", path: "/-/inbox", act: shows("Are returns of week 44") },
  { name: "trash", path: "/-/w/ada/trash" },
  { name: "shared-with-me", path: "/-/shared" },
  { name: "requests", path: "/-/requests" },
];

const connectPath =
  (what: string) =>
  ({ connectPaths }: Scene): string =>
    connectPaths[what] ?? "/";

const connecting: Shot[] = [
  { name: "connect-app", path: connectPath("app") },
  { name: "connect-terminal", path: connectPath("terminal") },
];

const publishing: Shot[] = [
  { name: "publish", path: "/-/w/ada/publish" },
  { name: "publish-preview", path: "/-/w/ada/publish", act: inOrder(choosePage, framesHeading("Weekly sales")) },
  { name: "publish-paste", path: "/-/w/ada/publish", act: click("Paste HTML") },
];

const settings: Shot[] = [
  { name: "members", path: "/-/w/team/members" },
  { name: "workspace-settings", path: "/-/w/team/settings" },
  { name: "audit", path: "/-/w/ada/audit" },
  { name: "account", path: "/-/account" },
  { name: "tokens", path: "/-/account/tokens" },
  { name: "organizations", path: "/-/account/organizations" },
  { name: "connect", path: "/-/connect" },
  { name: "admin-server", path: "/-/admin" },
  { name: "admin-people", path: "/-/admin/people" },
  { name: "admin-organizations", path: "/-/admin/organizations" },
  { name: "admin-storage", path: "/-/admin/storage" },
  { name: "admin-tokens", path: "/-/admin/tokens" },
  { name: "admin-audit", path: "/-/admin/audit" },
];

const outside: Shot[] = [
  { name: "install", path: "/-/install", isPublic: true },
  { name: "sign-in", path: "/", isPublic: true },
  { name: "sign-up", path: "/-/sign-up", isPublic: true },
  { name: "not-found", path: "/no-such-report/", isPublic: true },
  { name: "live-link", path: "/@ada/ada-weekly-sales", isPublic: true },
  { name: "guest-link-over", path: `/s/${"A".repeat(43)}/`, isPublic: true },
  { name: "private-live-link", path: "/ada-churn-model/" },
];

const guestPath =
  (guard: string) =>
  ({ guestPaths }: Scene): string =>
    guestPaths[guard] ?? "/";

/** Opens the comments, on a phone from the folded bar. */
async function openComments(page: Page): Promise<void> {
  const button = page.getByRole("button", { name: "Comments" });
  const folded = page.getByRole("button", { name: "Report by @ada" });
  await button.or(folded).first().waitFor();
  if (await folded.isVisible()) await folded.click();
  await button.click();
  // It is there as soon as the comments are.
  await page.getByRole("button", { name: "Comment on the report" }).waitFor();
}

const guests: Shot[] = [
  { name: "guest-link", path: guestPath("none"), isPublic: true, act: (page) => page.locator("iframe").waitFor() },
  {
    name: "guest-comments",
    path: guestPath("comments"),
    isPublic: true,
    act: inOrder(openComments, press("c"), shows("Cancel")),
  },
  { name: "guest-password", path: guestPath("password"), isPublic: true },
  {
    name: "guest-password-wrong",
    path: guestPath("password"),
    isPublic: true,
    act: inOrder(
      (page) => page.locator("input[name=password]").fill("a wrong password"),
      (page) => page.locator("#gate-button").click(),
      shows("The password isn't right."),
    ),
  },
  { name: "guest-email", path: guestPath("email"), isPublic: true },
  {
    name: "guest-email-code",
    path: guestPath("email"),
    isPublic: true,
    act: inOrder(
      (page) => page.locator("input[name=email]").fill("grace@example.org"),
      (page) => page.locator("#gate-button").click(),
      shows("a code is on its way"),
    ),
  },
];

const problems: Shot[] = [
  {
    name: "server-away",
    path: "/-/w/ada",
    act: inOrder(
      (page) => page.context().setOffline(true),
      (page) => page.evaluate("dispatchEvent(new Event('offline'))"),
      (page) =>
        page
          .getByText(/(offline|can't be reached|connection)/i)
          .first()
          .waitFor(),
    ),
  },
  {
    name: "list-refused",
    path: "/-/w/ada",
    act: inOrder(
      (page) =>
        page.route("**/api/search?**", (route) =>
          route.fulfill({ status: 400, json: { error: "This search doesn't work." } }),
        ),
      (page) => page.goto(`${page.url()}?q=sales`),
      shows("This search doesn't work."),
    ),
  },
];

/** Every page, in its states. */
export const SHOTS: readonly Shot[] = [
  ...home,
  ...report,
  ...keeping,
  ...connecting,
  ...publishing,
  ...settings,
  ...outside,
  ...guests,
  ...problems,
];
