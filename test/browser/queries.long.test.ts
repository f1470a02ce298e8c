import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { actionsOf } from "../hosts/app/actions.ts";
import { chromiumUnavailable, useBrowser } from "../support/chromium.ts";
import { uniqueName, useService } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";
import { settled } from "../support/until.ts";
import { signedInContext } from "./deployments.ts";

const QUERY = "?region=north&q=%22%3E%3Cscript%3E&empty";
const FRAGMENT = "#table";

const reportSaying = (word: string) => [
  {
    path: "index.html",
    content: `<!doctype html><title>${word}</title><h1>${word}</h1><output></output>
      <script>document.querySelector("output").textContent = location.search + location.hash</script>`,
  },
  { path: "more.html", content: "<!doctype html><h1>More</h1><output></output>" },
];

describeIf("the query of a link", chromiumUnavailable(), () => {
  const service = useService();
  const browser = useBrowser();
  const act = actionsOf(service);

  /** Returns what the visible report can read of its address. */
  async function readBy(page: Page, word: string): Promise<string | null> {
    const report = page.locator("iframe:not(.waiting)").last().contentFrame();
    await report.getByRole("heading", { name: word }).waitFor();
    return report.locator("output").textContent();
  }

  const publish = (token: string, name: string, word: string, visibility: "public" | "org" | "private") =>
    act.publish(token, { name, visibility, files: reportSaying(word) });

  async function prepare(visibility: "public" | "org" | "private") {
    const { slug } = await service.build.organization();
    const [owner, colleague] = [await service.build.user(), await service.build.user()];
    for (const { slug: userSlug } of [owner, colleague]) {
      await service.build.accounts.addMember({ organizationSlug: slug, userSlug, role: "member" });
    }
    const name = uniqueName();
    const published = await publish(owner.token, name, "First", visibility);
    const reader = visibility === "org" ? colleague : owner;
    const context = await signedInContext(browser, service, reader.email);
    return { ...published, owner, name, page: await context.newPage() };
  }

  test.each(["public", "org", "private"] as const)(
    "of a %s live link reaches the report when it opens and each time it is replaced",
    async (visibility) => {
      const { owner, name, page } = await prepare(visibility);
      // Through every redirect.
      for (const start of [`${service.contentUrl}/@${owner.slug}/${name}`, `${service.baseUrl}/${name}`]) {
        await page.goto(start + QUERY + FRAGMENT);
        expect(await readBy(page, "First")).toBe(QUERY + FRAGMENT);
        const host = visibility === "public" ? `${service.contentUrl}/@${owner.slug}` : service.baseUrl;
        expect(page.url()).toBe(`${host}/${name}/${QUERY}${FRAGMENT}`);
      }
      await publish(owner.token, name, "Second", visibility);
      expect(await readBy(page, "Second")).toBe(QUERY + FRAGMENT);
      await page.getByRole("button", { name: /^Version \d+$/ }).click();
      await page.getByRole("menuitemradio", { name: "Version 1" }).click();
      expect(await readBy(page, "First")).toBe(QUERY + FRAGMENT);
      await page.evaluate("location.hash = '#chart'");
      const report = page.locator("iframe:not(.waiting)").last().contentFrame();
      await settled(() => report.locator("body").evaluate("location.search + location.hash"), `${QUERY}#chart`);
    },
  );

  test("gets a fragment that changes while the next version loads", async () => {
    const { owner, name, page, nameUrl } = await prepare("public");
    await page.goto(nameUrl + QUERY + FRAGMENT);
    expect(await readBy(page, "First")).toBe(QUERY + FRAGMENT);
    const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route("**/*", async (route) => {
      if (route.request().isNavigationRequest()) {
        asked.resolve();
        await released.promise;
      }
      await route.continue();
    });
    await publish(owner.token, name, "Second", "public");
    await asked.promise;
    await page.evaluate("location.hash = '#chart'");
    released.resolve();
    expect(await readBy(page, "Second")).toBe(`${QUERY}#chart`);
  });

  test.each(["public", "org", "private"] as const)("of a %s version link reaches the report", async (visibility) => {
    const { page, code } = await prepare(visibility);
    for (const start of [`${service.baseUrl}/${code}`, `${service.contentUrl}/${code}/`]) {
      if (visibility === "private" && start.startsWith(service.contentUrl)) continue;
      await page.goto(start + QUERY + FRAGMENT);
      const read = visibility === "public" ? page.locator("output").textContent() : readBy(page, "First");
      expect(await read).toBe(QUERY + FRAGMENT);
    }
  });

  test("is kept when a file of a private report opens in a new tab", async () => {
    const { page, code } = await prepare("private");
    await page.goto(`${service.baseUrl}/${code}/more.html${QUERY}`);
    await page.frameLocator("iframe").getByRole("heading", { name: "More" }).waitFor();
    const ticketed = page.frames()[1]?.url() ?? "";
    await page.goto(ticketed);
    expect(page.url()).toBe(`${service.baseUrl}/${code}/more.html${QUERY}`);
    expect(page.frames()[1]?.url()).toEndWith(`/${code}/more.html${QUERY}`);
  });

  test("is in the frame's address only, and left out if it is very long", async () => {
    const { page, nameUrl = "" } = await prepare("private");
    await page.goto(`${nameUrl}?${"x".repeat(2_047)}`);
    expect(await readBy(page, "First")).toHaveLength(2_048);
    await page.goto(`${nameUrl}?${"x".repeat(2_048)}`);
    expect(await readBy(page, "First")).toBe("");
    const response = await page.goto(`${nameUrl}?needle=1`);
    expect(await response?.text()).not.toContain("needle");
    expect(response?.headers()["content-security-policy"]).not.toContain("needle");
  });
});
