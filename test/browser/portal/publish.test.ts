import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { uploadRoute } from "../../../src/contract/publishing/publish.ts";
import { itemRoute, reportRoute } from "../../../src/contract/reports/details.ts";
import { chromiumUnavailable, useBrowser } from "../../support/chromium.ts";
import { buildUpload, type Service, uniqueName, useService } from "../../support/service.ts";
import { describeIf } from "../../support/skip.ts";
import { settled } from "../../support/until.ts";
import { findBarriers, openPortal } from "./portal.ts";
import { dragOver, dropMade, focused, makeFolder, paste } from "./publishing.ts";

const DOCUMENT = "<!doctype html><title>Harvest &amp; sowing</title><img src=chart.png>";
const PICTURE = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0xff, 0x00, 0x80]);

describeIf("publishing by hand", chromiumUnavailable(), () => {
  const service = useService();
  const browser = useBrowser();

  type User = Awaited<ReturnType<Service["build"]["user"]>>;
  const open = async (options: { user?: User; path?: (slug: string) => string; width?: number } = {}) => {
    const user = options.user ?? (await service.build.user());
    const path = (options.path ?? ((slug) => `/w/${slug}/publish`))(user.slug);
    const viewport = { width: options.width ?? 1440, height: 900 };
    const visitor = await openPortal(browser, service, user.email, { path, viewport });
    return { ...visitor, user, [Symbol.asyncDispose]: () => visitor[Symbol.asyncDispose]() };
  };
  const publishButton = (page: Page) => page.getByRole("main").getByRole("button", { name: /^Publish/ });
  const fileNames = (page: Page) => page.getByRole("button", { name: /^Remove (?!all)/ });
  const namesOf = async (page: Page) =>
    (await fileNames(page).all()).length === 0
      ? []
      : Promise.all((await fileNames(page).all()).map((button) => button.getAttribute("aria-label")));
  const reportPage = async (page: Page, reference: string | RegExp) => {
    await page.waitForURL((url) =>
      new RegExp(`/-/r/${typeof reference === "string" ? reference : reference.source}$`).test(url.pathname),
    );
    return page.url().split("/").at(-1) ?? "";
  };

  test("a folder dropped on any page is published to that page's workspace", async () => {
    const name = uniqueName("harvest");
    await using folder = await makeFolder({ "index.html": DOCUMENT, "chart.png": PICTURE, ".DS_Store": "x" });
    await using visitor = await open({ path: (slug) => `/w/${slug}` });
    const { page, user } = visitor;
    await page.getByRole("heading", { level: 1 }).waitFor();

    const drag = await dragOver(page, [folder.path]);
    await page.getByText(`Drop to publish to ${user.slug}`).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await drag.drop();
    await page.waitForURL(`${service.baseUrl}/-/w/${user.slug}/publish`);
    await page.getByText("Skipped hidden files: .DS_Store").waitFor();
    expect(await namesOf(page)).toEqual(["Remove index.html", "Remove chart.png"]);
    await page.getByPlaceholder("Harvest & sowing").waitFor();
    await page.getByRole("textbox", { name: "Name" }).fill(name);
    await page.getByText(`Live link: ${service.baseUrl}/${name}/`).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await publishButton(page).click();

    await reportPage(page, name);
    await page.getByText(`“${name}” published`).waitFor();
    const item = await service.client(user.token).call(itemRoute, { query: { name } });
    expect(item).toMatchObject({
      title: "Harvest & sowing",
      visibility: "private",
      folder: null,
      owner_slug: user.slug,
    });
    const read = await fetch(`${service.contentUrl}/${item.code}/chart.png`, {
      headers: { Authorization: `Bearer ${user.token}` },
    });
    expect(await read.bytes()).toEqual(PICTURE);
    expect(visitor.troubles).toEqual([]);
  });

  test("a drag that ends elsewhere or starts on the page leaves nothing behind", async () => {
    await using visitor = await open();
    const { page, user } = visitor;
    await page.getByText("Drop files or a folder here").waitFor();
    await dragOver(page, ["/etc/hostname"]);
    await page.getByText(`Drop to publish to ${user.slug}`).waitFor();
    await page.getByText(`Drop to publish to ${user.slug}`).waitFor({ state: "detached" });

    await page.evaluate("document.body.dispatchEvent(new DragEvent('dragstart', { bubbles: true }))");
    await dropMade(page, { "index.html": DOCUMENT });
    expect(await page.getByText(`Drop to publish to ${user.slug}`).count()).toBe(0);
    await page.evaluate("document.body.dispatchEvent(new DragEvent('dragend', { bubbles: true }))");
    await dropMade(page, { "index.html": DOCUMENT });
    await fileNames(page).first().waitFor();
    expect(await namesOf(page)).toEqual(["Remove index.html"]);
    expect(visitor.troubles).toEqual([]);
  });

  test("chosen files become the next version and keep folder and visibility", async () => {
    const name = uniqueName("report");
    const user = await service.build.user();
    const client = service.client(user.token);
    await client.call(uploadRoute, {
      body: buildUpload({ name, title: "Old title", folder: "Farm/2026", visibility: "public" }),
    });
    await using folder = await makeFolder({ "page.html": "<title>New title</title>", "b.css": "", "c.css": "" });
    await using visitor = await open({ user, path: (slug) => `/w/${slug}/publish?name=${name}` });
    const { page } = visitor;
    await page.getByText("Adds version 2 to “Old title”.").waitFor();
    await page.getByText("Farm/2026").waitFor();
    expect(await page.getByRole("radio").count()).toBe(0);

    await page
      .locator("input[type=file]")
      .first()
      .setInputFiles(["page.html", "b.css", "c.css"].map((file) => `${folder.path}/${file}`));
    await page.getByText("A report needs an index.html, the page that opens first.").waitFor();
    await page.getByRole("button", { name: "Use page.html as index.html" }).click();
    await page.getByRole("button", { name: "Remove c.css" }).click();
    await settled(() => focused(page), "Remove b.css");
    expect(await namesOf(page)).toEqual(["Remove index.html", "Remove b.css"]);
    await page.getByRole("button", { name: "Publish version 2" }).click();
    await reportPage(page, name);
    const item = await client.call(itemRoute, { query: { name } });
    expect(item).toMatchObject({ title: "New title", folder: "Farm/2026", visibility: "public", version_count: 2 });
    expect(visitor.troubles).toEqual([]);
  });

  test("HTML is pasted or typed and published publicly with a title and folder, by keyboard", async () => {
    await using visitor = await open();
    const { page, user } = visitor;
    await page.getByText("Drop files or a folder here").waitFor();
    await paste(page, { "text/plain": "no source", "text/html": "<b>rich</b>" });
    await page.getByText("1 file, 11 bytes").waitFor();
    await paste(page, { "text/plain": "just words" });
    await page.getByText("The pasted text isn't HTML.").waitFor();
    await paste(page, { "text/plain": "<p>source</p>", "text/html": "<span>coloured source</span>" });
    await page.getByText("1 file, 13 bytes").waitFor();

    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await page.getByRole("button", { name: "Paste HTML" }).focus();
    await press("Enter");
    await page.keyboard.type("words");
    await press("Tab", "Enter");
    await page.getByText("This isn't HTML").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await press("Shift+Tab", "ControlOrMeta+a");
    await page.keyboard.type("<title>Typed</title>");
    await press("Tab", "Enter");
    await settled(() => focused(page), "Paste HTML");
    await page.getByText("1 file, 20 bytes").waitFor();
    await press("Tab", "Tab", "Tab");
    await settled(() => focused(page), "Title");
    await page.keyboard.type("Given title");
    await press("Tab", "Enter");
    await page.getByRole("dialog", { name: "Choose a folder" }).waitFor();
    await page.keyboard.type("Farm/Fields");
    await press("Enter");
    await page.getByRole("button", { name: "Farm / Fields" }).waitFor();
    await settled(() => focused(page), "Farm / Fields");
    await press("Tab", "ArrowDown");
    expect(await page.getByRole("radio", { name: "Public" }).isChecked()).toBe(true);
    await press("Enter");

    const code = await reportPage(page, /[0-9A-Za-z]{16}/);
    const report = await service.client(user.token).call(itemRoute, { query: { code } });
    expect(report).toMatchObject({ title: "Given title", folder: "Farm/Fields", visibility: "public" });
    const { files } = await service.client(user.token).call(reportRoute, { query: { code } });
    expect(files).toMatchObject([{ path: "index.html", size: 20 }]);
    expect(visitor.troubles).toEqual([]);
  });

  test("on a phone, to an organization, for its members", async () => {
    const { slug, members } = await service.build.organization({ roles: ["member"] });
    const [member] = members;
    const user = { slug: member?.slug ?? "", email: `${member?.slug}@example.org`, token: member?.token ?? "" };
    await using folder = await makeFolder({ "index.html": "<title>Shared</title>", "data.json": "{}" });
    await using visitor = await open({ user, path: () => `/w/${slug}/publish`, width: 390 });
    const { page } = visitor;
    await page.getByText("Choose what to publish").waitFor();
    await page.locator("input[type=file]").nth(1).setInputFiles(folder.path);
    await fileNames(page).first().waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    for (const button of await page.getByRole("main").getByRole("button").all()) {
      expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(40);
    }
    await page.getByRole("radio", { name: "Organization" }).check();
    expect(await findBarriers(page)).toEqual([]);
    await publishButton(page).click();
    const code = await reportPage(page, /[0-9A-Za-z]{16}/);
    const report = await service.client(user.token).call(itemRoute, { query: { code } });
    expect(report).toMatchObject({ title: "Shared", owner_slug: slug, visibility: "org" });
    expect(visitor.troubles).toEqual([]);
  });
});
