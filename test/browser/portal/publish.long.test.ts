import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { itemRoute } from "../../../src/contract/reports/details.ts";
import { chromiumUnavailable } from "../../support/chromium.ts";
import { uniqueName } from "../../support/service.ts";
import { describeIf } from "../../support/skip.ts";
import { findBarriers } from "./portal.ts";
import { createPublishScene, publishButton } from "./publish-scene.ts";
import { dragOver, dropMade, makeFolder, previewOf, shareDialog } from "./publishing.ts";

const PICTURE = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0xff, 0x00, 0x80]);

describeIf("publishing by hand", chromiumUnavailable(), () => {
  const { service, open } = createPublishScene();

  const fileNames = (page: Page) => page.getByRole("button", { name: /^Remove (?!all)/ });
  const namesOf = async (page: Page) =>
    Promise.all((await fileNames(page).all()).map((button) => button.getAttribute("aria-label")));

  test("a drag that ends elsewhere or starts on the page leaves nothing behind", async () => {
    await using visitor = await open();
    const { page, user } = visitor;
    await page.getByText("Drop files or a folder here").waitFor();
    await dragOver(page, ["/etc/hostname"]);
    await page.getByText(`Drop to publish to ${user.slug}`).waitFor();
    await page.getByText(`Drop to publish to ${user.slug}`).waitFor({ state: "detached" });

    await page.evaluate("document.body.dispatchEvent(new DragEvent('dragstart', { bubbles: true }))");
    await dropMade(page, { "index.html": "<p>x" });
    expect(await page.getByText(`Drop to publish to ${user.slug}`).count()).toBe(0);
    await page.evaluate("document.body.dispatchEvent(new DragEvent('dragend', { bubbles: true }))");
    await dropMade(page, { "index.html": "<p>x" });
    await fileNames(page).first().waitFor();
    expect(await namesOf(page)).toEqual(["Remove index.html"]);
    expect(visitor.troubles).toEqual([]);
  });

  test("on a phone, from the floating button, to an organization, for its members", async () => {
    const { slug, members } = await service.build.organization({ roles: ["member"] });
    const [member] = members;
    const user = { slug: member?.slug ?? "", email: `${member?.slug}@example.org`, token: member?.token ?? "" };
    const title = uniqueName("shared");
    await using folder = await makeFolder({ "index.html": `<title>${title}</title>`, "data.json": PICTURE });
    await using visitor = await open({ user, path: () => `/w/${slug}`, width: 390 });
    const { page } = visitor;
    const main = page.getByRole("main");
    await main.getByText("Publish your first report").waitFor();
    await page.getByRole("link", { name: "New report" }).click();
    await page.getByText("Choose what to publish").waitFor();
    await page.locator("input[type=file]").nth(1).setInputFiles(folder.path);
    await fileNames(page).first().waitFor();
    await previewOf(page).locator("body").waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    for (const button of await main.getByRole("button").all()) {
      expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(40);
    }
    expect(await publishButton(page).isVisible()).toBe(true);
    await page.getByRole("radio", { name: "Organization" }).check();
    expect(await findBarriers(page)).toEqual([]);
    await publishButton(page).click();
    await shareDialog(page).waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    expect(await findBarriers(page)).toEqual([]);
    const report = await service.client(user.token).call(itemRoute, { query: { name: title } });
    expect(report).toMatchObject({ title, owner_slug: slug, visibility: "org" });
    expect(visitor.troubles).toEqual([]);
  });
});
