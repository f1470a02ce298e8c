import { afterEach, beforeAll, describe, expect, test } from "bun:test";
import axe from "axe-core";
import type { BrowserContext, Page } from "playwright-core";
import { setDisplayNameRoute } from "../../src/contract/people/account.ts";
import { actionsOf } from "../hosts/app/actions.ts";
import { chromiumUnavailable, useBrowser } from "../support/chromium.ts";
import { addOrganization } from "../support/people.ts";
import { uniqueName, useService } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";
import { until } from "../support/until.ts";
import { signedInContext } from "./deployments.ts";

const NOTICE = "Vitrine never asks for your password inside a report";
/** Pixels. */
const HIGHEST_BAR = 44;
const HEIGHT = 800;
/** The space beside the framed report, and its edge. */
const GAP = 8;
const EDGE = 1;
/** Parts that every reader sees, whatever the width. */
const SHOWN_PARTS = ["[data-part=version]", "[data-part=copy]", ".by", ".reader-bar-body .mark"];

/** A report that imitates the sign-in page in every possible way. */
const IMPOSTOR = `<!doctype html><title>Sign in · Vitrine</title>
<style>body,html{margin:0;height:100%}form{position:fixed;inset:-200px 0 0 0;z-index:2147483647;background:#fcfcfd;display:grid;place-items:center}</style>
<form><h1>Sign in</h1><input type="password" aria-label="Password"></form>
<script>
const escapes = {
  move: () => { top.location = "https://evil.example/" },
  replace: () => { top.location.replace("https://evil.example/") },
  moveParent: () => { parent.location = "about:blank" },
  open: () => { if (open("https://evil.example/", "_top")) return; throw new Error("blocked") },
  retitle: () => { top.document.title = "Sign in · Vitrine" },
  remove: () => { parent.document.getElementById("bar").remove() },
  cover: () => { parent.document.body.append(document.querySelector("form")) },
  resize: () => { frameElement.style.cssText = "position:fixed;inset:0;z-index:9" },
  back: () => { top.history.pushState(null, "", "/-/sign-in") },
};
const worked = [];
for (const [name, escape] of Object.entries(escapes)) try { escape(); worked.push(name) } catch {}
for (const target of ["_top", "_parent"]) {
  const link = document.createElement("a");
  link.href = "https://evil.example/"; link.target = target;
  document.body.append(link); link.click(); link.remove();
}
document.body.dataset.worked = JSON.stringify(worked);
</script>`;

describeIf("the reader's bar", chromiumUnavailable(), () => {
  const service = useService();
  const browser = useBrowser();
  let context: BrowserContext;
  let owner: { slug: string; email: string; token: string };

  beforeAll(async () => {
    owner = await service.build.user();
    const body = { owner: owner.slug, display_name: "Ada <b>Lovelace" };
    await service.client(owner.token).call(setDisplayNameRoute, { body });
    context = await signedInContext(browser, service, owner.email);
  });
  afterEach(() => Promise.all(context.pages().map((page) => page.close())));

  const SHELLS = ["version link", "private live link", "public live link"] as const;

  /** Opens a report with this content and the title "Sign in · Vitrine" in one of the shells. */
  async function openIn(shell: (typeof SHELLS)[number], content = IMPOSTOR): Promise<Page> {
    const visibility = shell === "public live link" ? "public" : "private";
    const files = [{ path: "index.html", content }];
    const { url, nameUrl = "" } = await actionsOf(service).publish(owner.token, {
      name: uniqueName(),
      visibility,
      files,
    });
    const page = await context.newPage();
    await page.goto(shell === "version link" ? url : nameUrl);
    await page.frameLocator("iframe").getByRole("heading").waitFor();
    return page;
  }

  const boxOf = async (page: Page, selector: string) => {
    const box = await page.locator(selector).boundingBox();
    if (box === null) throw new Error(`${selector} is not visible.`);
    return box;
  };

  describe.each(SHELLS)("of a %s", (shell) => {
    test("stays above a report that imitates the sign-in page", async () => {
      const page = await openIn(shell);
      const { url } = { url: page.url() };
      const report = page.frameLocator("iframe").locator("body");
      const worked = await until(async () => (await report.getAttribute("data-worked")) ?? undefined);
      expect(JSON.parse(worked)).toEqual([]);
      await page.frameLocator("iframe").getByLabel("Password").focus();
      expect(page.url()).toBe(url);
      expect(context.pages()).toContain(page);
      const by = shell === "public live link" ? owner.slug : "Ada <b>Lovelace";
      expect(await page.title()).toBe(`Sign in · Vitrine · report by ${by}`);
      expect(await page.locator(".by").textContent()).toBe(
        shell === "public live link" ? `by @${owner.slug}` : `by Ada <b>Lovelace @${owner.slug}`,
      );
      expect(await page.getByText(NOTICE).isVisible()).toBe(true);
      expect(await page.getByText("Version 1", { exact: true }).isVisible()).toBe(true);
      const [bar, frame] = [await boxOf(page, "header"), await boxOf(page, "iframe")];
      expect([bar.y, frame.y]).toEqual([0, bar.height + EDGE]);
      // Everything painted at the bar's position belongs to the bar.
      const topmost = await page.evaluate<boolean[]>(
        `[0.02, 0.3, 0.6, 0.98].flatMap((x) => [2, 20, 42].map((y) =>
          document.elementFromPoint(innerWidth * x, y)?.closest("header") !== null))`,
      );
      expect(new Set(topmost)).toEqual(new Set([true]));
    });

    test.each([
      [1720, "light"],
      [1440, "light"],
      [1440, "dark"],
      [1024, "light"],
      [800, "dark"],
    ] as const)("is slim, whole and accessible at %d pixels, %s", async (width, colorScheme) => {
      const page = await openAt(width, colorScheme);
      expect(await boxOf(page, "header")).toEqual({ x: 0, y: 0, width, height: HIGHEST_BAR });
      const inset = GAP + EDGE;
      expect(await boxOf(page, "iframe")).toEqual({
        x: inset,
        y: HIGHEST_BAR + EDGE,
        width: width - 2 * inset,
        height: HEIGHT - HIGHEST_BAR - EDGE - inset,
      });
      const notice = page.getByText(NOTICE);
      if (width < 1200) await page.getByRole("button", { name: "About passwords" }).click();
      expect(await notice.isVisible()).toBe(true);
      for (const selector of SHOWN_PARTS) expect(await isWithin(page, selector, width, HIGHEST_BAR)).toBe(true);
      expect(await cut(page, ["html", ".notice span"])).toEqual([0, 0]);
      expect(await barriersOf(page)).toEqual([]);
    });

    test.each([
      [700, "dark"],
      [390, "light"],
      [390, "dark"],
      [320, "light"],
    ] as const)("is a button above the report that opens a sheet at %d pixels, %s", async (width, colorScheme) => {
      const page = await openAt(width, colorScheme);
      expect(await boxOf(page, "iframe")).toEqual({ x: 0, y: 0, width, height: HEIGHT });
      const button = page.getByRole("button", { name: `Report by @${owner.slug}` });
      expect(await isWithin(page, "[data-part=toggle]", width, HEIGHT)).toBe(true);
      expect((await boxOf(page, "[data-part=toggle]")).height).toBeGreaterThanOrEqual(40);
      expect(await page.locator(".reader-bar-body .actions").isVisible()).toBe(false);
      expect(await barriersOf(page)).toEqual([]);
      await button.click();
      expect(await button.getAttribute("aria-expanded")).toBe("true");
      expect(await page.getByText(NOTICE).isVisible()).toBe(true);
      for (const selector of SHOWN_PARTS) expect(await isWithin(page, selector, width, HEIGHT)).toBe(true);
      expect(await page.getByText("Copy link").isVisible()).toBe(true);
      expect(await cut(page, ["html", ".reader-bar-body"])).toEqual([0, 0]);
      expect(await barriersOf(page)).toEqual([]);
      // Turning to the report closes it.
      await page
        .frameLocator("iframe")
        .getByRole("heading")
        .click({ position: { x: 2, y: 2 } });
      await page.locator(".reader-bar-body .actions").waitFor({ state: "hidden" });
    });

    test("is not printed, and its controls are reached by keyboard before the report", async () => {
      const page = await openIn(shell);
      const focused: string[] = [];
      for (let press = 0; press < 9; press++) {
        await page.keyboard.press("Tab");
        focused.push(await page.evaluate("document.activeElement.dataset.part || document.activeElement.localName"));
      }
      const controls = {
        "version link": ["version", "share", "comments", "copy", "present", "portal"],
        "private live link": ["version", "live", "share", "comments", "copy", "present", "version-link", "portal"],
        "public live link": ["version", "live", "sign-in", "copy", "present", "version-link"],
      }[shell];
      expect(focused.slice(0, controls.length + 1)).toEqual([...controls, "iframe"]);
      await page.emulateMedia({ media: "print" });
      expect(await page.locator("header").isVisible()).toBe(false);
      expect(await boxOf(page, "iframe")).toMatchObject({ x: 0, y: 0 });
    });

    async function openAt(width: number, colorScheme: "light" | "dark"): Promise<Page> {
      const page = await openIn(
        shell,
        "<!doctype html><title>A title</title><h1>Plain</h1>".replace("A", "A".repeat(90)),
      );
      await page.setViewportSize({ width, height: HEIGHT });
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      return page;
    }
  });

  /** Applies to the shell; the content is the publisher's responsibility. */
  async function barriersOf(page: Page): Promise<string[]> {
    await page.evaluate(axe.source);
    return page.evaluate(
      `axe.run({ exclude: ["iframe"] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes[0].html))`,
    );
  }

  async function isWithin(page: Page, selector: string, width: number, height: number): Promise<boolean> {
    const box = await boxOf(page, selector);
    return box.x >= 0 && box.x + box.width <= width && box.y >= 0 && box.y + box.height <= height;
  }

  /** Returns by how many pixels elements are wider than they appear. */
  const cut = (page: Page, selectors: readonly string[]): Promise<number[]> =>
    page.evaluate(
      `${JSON.stringify(selectors)}.map((it) => document.querySelector(it)).map((e) => e.scrollWidth - e.clientWidth)`,
    );

  test("leads those who may share to sharing, members to the portal, and other readers to neither", async () => {
    const { owner: chief, member, slug } = await addOrganization(service);
    const shared = await service.build.token({ userSlug: chief.slug, workspaceSlug: slug });
    const [name, personal] = [uniqueName(), uniqueName()];
    await actionsOf(service).publish(shared, { name, visibility: "org" });
    await actionsOf(service).publish(chief.token, { name: personal, visibility: "org" });
    const offers = async (email: string, report = name) => {
      const own = await signedInContext(browser, service, email);
      const page = await own.newPage();
      await page.goto(`${service.baseUrl}/${report}/`);
      await page.frameLocator("iframe").locator("p").first().waitFor();
      const hrefs = await page.evaluate(
        `["share", "portal"].map((part) => document.querySelector("[data-part=" + part + "]")?.getAttribute("href") ?? null)`,
      );
      await own.close();
      return hrefs;
    };
    expect(await offers(chief.email)).toEqual([`/-/r/${name}?share=true`, `/-/r/${name}`]);
    expect(await offers(member.email)).toEqual([null, `/-/r/${name}`]);
    expect(await offers(member.email, personal)).toEqual([null, null]);
  });

  const shown = (page: Page) => page.locator("iframe:not(.waiting)").last().contentFrame();

  test("moves between a report's version links without loading the page again", async () => {
    const name = uniqueName();
    const publish = (text: string) =>
      actionsOf(service).publish(owner.token, {
        name,
        visibility: "private",
        files: [{ path: "index.html", content: `<!doctype html><title>${text}</title><h1>${text}</h1>` }],
      });
    const [first, second] = [await publish("First"), await publish("Second")];
    const page = await context.newPage();
    await page.goto(second.url);
    await page.evaluate("globalThis.isSamePage = true");
    await page.getByRole("button", { name: "Previous version" }).click();
    await shown(page).getByRole("heading", { name: "First" }).waitFor();
    expect(page.url()).toBe(first.url);
    expect(await page.title()).toBe("First · report by Ada <b>Lovelace");
    await page.getByRole("button", { name: "Version 1", exact: true }).click();
    await page.getByRole("menuitemradio", { name: "Version 2" }).click();
    await shown(page).getByRole("heading", { name: "Second" }).waitFor();
    expect(page.url()).toBe(second.url);
    expect(await page.evaluate("globalThis.isSamePage")).toBe(true);
  });

  test("shows the workspace's name to its readers, and only the slug to strangers", async () => {
    const { nameUrl = "" } = await actionsOf(service).publish(owner.token, {
      name: uniqueName(),
      visibility: "public",
    });
    const html = await (await fetch(nameUrl)).text();
    expect(html).toContain(`@${owner.slug}`);
    expect(html).not.toContain("Lovelace");
    expect(html).not.toContain(owner.email);
  });

  test("copies the address of a version link", async () => {
    const page = await openIn("version link");
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Copy link" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(page.url());
  });
});
