import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { uploadRoute } from "../../../src/contract/publishing/publish.ts";
import { itemRoute, itemVersionsRoute, reportRoute } from "../../../src/contract/reports/details.ts";
import { chromiumUnavailable, useBrowser } from "../../support/chromium.ts";
import { buildUpload, publishReport, type Service, uniqueName, useService } from "../../support/service.ts";
import { describeIf } from "../../support/skip.ts";
import { settled } from "../../support/until.ts";
import { findBarriers, openPortal } from "./portal.ts";
import { dragOver, dropMade, focused, makeFolder, paste, previewFrame, previewOf, shareDialog } from "./publishing.ts";

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
  const nameField = (page: Page) => page.getByRole("textbox", { name: "Name" });
  const fileNames = (page: Page) => page.getByRole("button", { name: /^Remove (?!all)/ });
  const namesOf = async (page: Page) =>
    Promise.all((await fileNames(page).all()).map((button) => button.getAttribute("aria-label")));

  test("two clicks lead from a dropped file to a live link that anyone can open", async () => {
    const name = uniqueName("weekly-sales");
    const document = `<!doctype html><title>${name}</title><h1>42 apples</h1>`;
    await using folder = await makeFolder({ "Weekly Sales.html": document });
    await using visitor = await open({ path: (slug) => `/w/${slug}` });
    const { page, user, context } = visitor;
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: service.baseUrl });
    await page.getByText("Publish your first report").waitFor();
    await page.evaluate(`{
      window.actions = [];
      for (const type of ["click", "keydown"]) addEventListener(type, () => actions.push(type), true);
    }`);

    const drag = await dragOver(page, [`${folder.path}/Weekly Sales.html`]);
    await page.getByText(`Drop to publish to ${user.slug}`).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await drag.drop();
    await page.waitForURL(`${service.baseUrl}/-/w/${user.slug}/publish`);
    await previewOf(page).getByRole("heading", { name: "42 apples" }).waitFor();
    await page.getByText(`Live link: ${service.baseUrl}/${name}/`).waitFor();
    expect(await page.getByRole("textbox", { name: "Title" }).inputValue()).toBe(name);
    await page.getByText("Weekly Sales.html → index.html").waitFor();
    expect(await findBarriers(page)).toEqual([]);

    await publishButton(page).click();
    await page.waitForURL(`${service.baseUrl}/-/r/${name}?share=true`);
    await page.getByText("Published. The live link is in your clipboard.").waitFor();
    const link = String(await page.evaluate("navigator.clipboard.readText()"));
    await shareDialog(page).getByRole("radio", { name: "Public" }).click();
    await page.getByText(`Now public: “${name}”`).waitFor();
    expect(await page.evaluate("actions")).toEqual(["click", "click"]);
    expect(await findBarriers(page)).toEqual([]);

    const reader = await browser.newContext();
    const shown = await reader.newPage();
    await shown.goto(link);
    await shown.frameLocator("iframe").getByRole("heading", { name: "42 apples" }).waitFor();
    await reader.close();
    const { files } = await service.client(user.token).call(reportRoute, {
      query: { code: (await service.client(user.token).call(itemRoute, { query: { name } })).code },
    });
    expect(files.map(({ path }) => path)).toEqual(["index.html"]);
    expect(visitor.troubles).toEqual([]);
  });

  test("the preview resolves files as the published report does, and reaches neither the session nor the API", async () => {
    const document = `<!doctype html><title>Folders</title><link rel="stylesheet" href="css/main.css">
<img id="static" src="img/dot.svg"><p id="styled">styled</p><p id="fetched"></p><p id="scripted"></p><p id="reached"></p>
<a href="more.html#there">more</a><script src="js/app.js"></script>`;
    const script = `
fetch("data/x.json").then((response) => response.json()).then(({ a }) => { fetched.textContent = a });
const image = new Image(); image.onload = () => { scripted.textContent = image.width }; image.src = "img/dot.svg";
const tell = (what) => { reached.textContent += what + " " };
try { tell(top.location.href) } catch { tell("no-top") }
try { tell(document.cookie) } catch { tell("no-cookie") }
fetch("${service.baseUrl}/api/account", { credentials: "include" }).then(() => tell("api"), () => tell("no-api"));`;
    await using folder = await makeFolder({
      "index.html": document,
      "more.html": "<p id=there>More <script>document.write(42)</script></p>",
      "css/main.css": "@import 'more.css'; #styled { color: rgb(1, 2, 3) }",
      "css/more.css": "#styled { margin-left: 7px }",
      "js/app.js": script,
      "data/x.json": '{"a":"from a file"}',
      "img/dot.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="7" height="5"/>',
      ".git/config": "secret",
    });
    await using visitor = await open({ path: (slug) => `/w/${slug}` });
    const { page, user } = visitor;
    await page.getByText("Publish your first report").waitFor();
    const drag = await dragOver(page, [folder.path]);
    await page.getByText(`Drop to publish to ${user.slug}`).waitFor();
    await drag.drop();
    const preview = previewOf(page);
    await preview.getByText("from a file").waitFor();
    await settled(() => preview.locator("#scripted").textContent(), "7");
    await settled(() => preview.locator("#reached").textContent(), "no-top no-cookie no-api ");
    const shown = `(() => {
      const { color, marginLeft } = getComputedStyle(document.getElementById("styled"));
      return [color, marginLeft, document.getElementById("static").naturalWidth];
    })()`;
    expect(await previewFrame(page)?.evaluate(shown)).toEqual(["rgb(1, 2, 3)", "7px", 7]);
    await preview.getByRole("link", { name: "more" }).click();
    await preview.getByText("More 42").waitFor();

    await page.getByText("Skipped hidden files: .git").waitFor();
    await page.getByText("Reports can't contain folders, and 5 files are in one.").waitFor();
    expect(await publishButton(page).getAttribute("aria-disabled")).toBe("true");
    // Pressing it is possible and leads to what is in its way; Playwright would wait until it is enabled.
    await publishButton(page).click({ force: true });
    await settled(() => focused(page), "Problems to fix before publishing");
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole("button", { name: "Move files out of folders" }).click();
    await page.getByText("index.html: data/x.json is now").waitFor({ state: "detached" });
    await page.getByText("js-app.js: data/x.json is now data-x.json").waitFor();
    await nameField(page).fill(uniqueName("folders"));
    await publishButton(page).click();
    await shareDialog(page).waitFor();
    const code = await codeOf(user, new URL(page.url()).pathname.split("/").at(-1) ?? "");
    const { files } = await service.client(user.token).call(reportRoute, { query: { code } });
    expect(files.map(({ path }) => path).sort()).toEqual([
      "css-main.css",
      "css-more.css",
      "data-x.json",
      "img-dot.svg",
      "index.html",
      "js-app.js",
      "more.html",
    ]);
    expect(visitor.troubles).toEqual([]);
  });

  const codeOf = async (user: User, name: string) =>
    (await service.client(user.token).call(itemRoute, { query: { name } })).code;

  test("a report that needs storage says so in its preview and gets it with one click", async () => {
    await using visitor = await open();
    const { page, user } = visitor;
    await page.getByText("Drop files or a folder here").waitFor();
    const name = uniqueName("stored");
    await paste(page, {
      "text/plain": `<title>${name}</title><body><script>localStorage.a = "kept"; document.write("<b>" + localStorage.a + "</b>")</script>`,
    });
    await page.getByText("This report needs browser storage").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole("button", { name: "Turn on storage" }).click();
    await previewOf(page).getByText("kept").waitFor();
    await page.getByText("This report needs browser storage").waitFor({ state: "detached" });
    expect(await page.getByRole("checkbox", { name: "Allow temporary browser storage" }).isChecked()).toBe(true);
    await publishButton(page).click();
    await shareDialog(page).waitFor();
    expect(await service.client(user.token).call(itemRoute, { query: { name } })).toMatchObject({ storage: "memory" });
    // The only one is the report's own, before it had storage.
    expect(visitor.troubles).toEqual([expect.stringContaining("localStorage")]);
  });

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

  test("files dropped on a report become its next version, with a note and the report's settings", async () => {
    const name = uniqueName("report");
    const user = await service.build.user();
    const client = service.client(user.token);
    await client.call(uploadRoute, {
      body: buildUpload({ name, title: "Old title", folder: "Farm/2026", visibility: "public" }),
    });
    await using folder = await makeFolder({ "page.html": "<title>New title</title>", "b.css": "", "c.css": "" });
    await using visitor = await open({ user, path: (slug) => `/w/${slug}` });
    const { page } = visitor;
    const row = page.locator(`[data-key="${name}"]`);
    await row.waitFor();
    const { x = 0, y = 0, width = 0, height = 0 } = (await row.boundingBox()) ?? {};
    const files = ["page.html", "b.css", "c.css"].map((file) => `${folder.path}/${file}`);
    const drag = await dragOver(page, files, { x: x + width / 2, y: y + height / 2 });
    await page.getByText(`Drop to publish a new version of ${name}`).waitFor();
    await drag.drop();

    await page.getByRole("heading", { name: "New version of Old title" }).waitFor();
    await page.getByText("Adds version 2 to “Old title”.").waitFor();
    await page.getByText("Farm/2026").waitFor();
    expect(await page.getByRole("radio").count()).toBe(0);
    expect(await nameField(page).count()).toBe(0);
    await page.getByRole("textbox", { name: "What changed?" }).fill("Added returns");
    await page.getByRole("button", { name: "Remove c.css" }).click();
    await settled(() => focused(page), "Remove b.css");
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole("button", { name: "Publish version 2" }).click();
    await shareDialog(page).waitFor();
    const item = await client.call(itemRoute, { query: { name } });
    expect(item).toMatchObject({ title: "New title", folder: "Farm/2026", visibility: "public", version_count: 2 });
    const { versions } = await client.call(itemVersionsRoute, { query: { name } });
    expect(versions.map(({ note }) => note)).toEqual(["Added returns", null]);
    expect(visitor.troubles).toEqual([]);
  });

  test("a suggested name is never one of another report, and leads to a new version where that is meant", async () => {
    const [mine, others] = [uniqueName("mine"), uniqueName("others")];
    const user = await service.build.user();
    const client = service.client(user.token);
    await publishReport(client, { name: mine });
    await publishReport(service.client((await service.build.user()).token), { name: others });
    await using visitor = await open({ user });
    const { page } = visitor;
    await page.getByText("Drop files or a folder here").waitFor();
    await paste(page, { "text/plain": `<title>${mine}</title>` });
    await settled(() => nameField(page).inputValue(), `${mine}-2`);
    await page.getByText("You already have “A report”.").waitFor();
    await page.getByRole("button", { name: "Publish as its new version" }).click();
    await page.getByText("Adds version 2 to “A report”.").waitFor();
    await page.getByRole("textbox", { name: "What changed?" }).waitFor();

    await page.reload();
    await page.getByText("Drop files or a folder here").waitFor();
    await paste(page, { "text/plain": `<title>${others}</title>` });
    await settled(() => nameField(page).inputValue(), others);
    await publishButton(page).click();
    await page.waitForURL(`${service.baseUrl}/-/r/${others}-${user.slug}?share=true`);
    expect(visitor.troubles).toEqual([]);
  });

  test("HTML is pasted or typed and published publicly with a title, folder and tag, by keyboard", async () => {
    await using visitor = await open();
    const { page, user } = visitor;
    await page.getByText("Drop files or a folder here").waitFor();
    await paste(page, { "text/plain": "no source", "text/html": "<b>rich</b>" });
    await page.getByText("1 file, 11 bytes").waitFor();
    await settled(() => focused(page), "Publish");
    await paste(page, { "text/plain": "just words" });
    await page.getByText("The pasted text isn't HTML.").waitFor();
    await paste(page, { "text/plain": "<p>source</p>", "text/html": "<span>coloured source</span>" });
    await page.getByText("1 file, 13 bytes").waitFor();

    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    const name = uniqueName("typed");
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
    await page.getByRole("textbox", { name: "Title" }).focus();
    await press("ControlOrMeta+a");
    await page.keyboard.type("Given title");
    await press("Tab", "ControlOrMeta+a");
    await page.keyboard.type(name);
    await page.getByText(`Live link: ${service.baseUrl}/${name}/`).waitFor();
    await press("Tab", "ArrowDown");
    expect(await page.getByRole("radio", { name: "Public" }).isChecked()).toBe(true);
    await press("Tab", "Enter");
    await page.getByRole("dialog", { name: "Choose a folder" }).waitFor();
    await page.keyboard.type("Farm/Fields");
    await press("Enter");
    await page.getByRole("button", { name: "Farm / Fields" }).waitFor();
    await settled(() => focused(page), "Farm / Fields");
    await press("Tab", "Enter");
    await page.getByRole("dialog", { name: "Choose tags" }).waitFor();
    await page.keyboard.type("harvest");
    await press("Enter");
    await page.getByRole("option", { name: "harvest", selected: true }).waitFor();
    await press("Escape", "ControlOrMeta+Enter");

    await shareDialog(page).waitFor();
    const report = await service.client(user.token).call(itemRoute, { query: { name } });
    expect(report).toMatchObject({ title: "Given title", folder: "Farm/Fields", visibility: "public" });
    expect(report.tags.map(({ title }) => title)).toEqual(["harvest"]);
    const { files } = await service.client(user.token).call(reportRoute, { query: { code: report.code } });
    expect(files).toMatchObject([{ path: "index.html", size: 20 }]);
    await press("Escape");
    await shareDialog(page).waitFor({ state: "detached" });
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
