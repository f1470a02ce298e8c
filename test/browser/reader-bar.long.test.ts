import { afterEach, beforeAll, describe, expect, test } from "bun:test";
import axe from "axe-core";
import type { BrowserContext, Page } from "playwright-core";
import { setDisplayNameRoute } from "../../src/contract/people/account.ts";
import { actionsOf } from "../hosts/app/actions.ts";
import { chromiumUnavailable, useBrowser } from "../support/chromium.ts";
import { uniqueName, useService } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";
import { until } from "../support/until.ts";
import { signedInContext } from "./deployments.ts";

const NOTICE = "Vitrine never asks for your password inside a report";
/** Pixels. */
const HIGHEST_BAR = 44;

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
      expect([bar.y, frame.y]).toEqual([0, bar.height]);
      // Everything painted at the bar's position belongs to the bar.
      const topmost = await page.evaluate<boolean[]>(
        `[0.02, 0.3, 0.6, 0.98].flatMap((x) => [2, 20, 42].map((y) =>
          document.elementFromPoint(innerWidth * x, y)?.closest("header") !== null))`,
      );
      expect(new Set(topmost)).toEqual(new Set([true]));
    });

    test.each([
      [1440, "light"],
      [1440, "dark"],
      [1024, "light"],
      [700, "dark"],
      [390, "light"],
      [390, "dark"],
      [320, "light"],
    ] as const)("is slim, whole and accessible at %d pixels, %s", async (width, colorScheme) => {
      const page = await openIn(
        shell,
        "<!doctype html><title>A title</title><h1>Plain</h1>".replace("A", "A".repeat(90)),
      );
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      const bar = await boxOf(page, "header");
      expect(bar).toEqual({ x: 0, y: 0, width, height: HIGHEST_BAR });
      expect(await boxOf(page, "iframe")).toEqual({ x: 0, y: HIGHEST_BAR, width, height: 800 - HIGHEST_BAR });
      for (const selector of [".notice", "#copy", shell === "version link" ? ".version" : "#version", ".by"]) {
        const box = await boxOf(page, selector);
        expect([
          selector,
          box.x >= 0,
          box.x + box.width <= width,
          box.y >= 0,
          box.y + box.height <= HIGHEST_BAR,
        ]).toEqual([selector, true, true, true, true]);
      }
      const cut = await page.evaluate(
        `["html", ".notice span"].map((it) => document.querySelector(it)).map((e) => e.scrollWidth - e.clientWidth)`,
      );
      expect(cut).toEqual([0, 0]);
      // Applies to the shell; the content is the publisher's responsibility.
      await page.evaluate(axe.source);
      const violations = await page.evaluate<string[]>(
        `axe.run({ exclude: ["iframe"] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes[0].html))`,
      );
      expect(violations).toEqual([]);
    });

    test("is not printed, and its controls are reached by keyboard before the report", async () => {
      const page = await openIn(shell);
      const focused: string[] = [];
      for (let press = 0; press < 4; press++) {
        await page.keyboard.press("Tab");
        focused.push(await page.evaluate("document.activeElement.id || document.activeElement.localName"));
      }
      const controls = shell === "version link" ? ["copy"] : ["version", "version-link", "copy"];
      expect(focused.slice(0, controls.length + 1)).toEqual([...controls, "iframe"]);
      await page.emulateMedia({ media: "print" });
      expect(await page.locator("header").isVisible()).toBe(false);
    });
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
