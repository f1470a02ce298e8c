import { expect, test } from "bun:test";
import { uploadRoute } from "../../../src/contract/publishing/publish.ts";
import { itemRoute, itemVersionsRoute, reportRoute } from "../../../src/contract/reports/details.ts";
import { chromiumUnavailable } from "../../support/chromium.ts";
import { buildUpload, publishReport, uniqueName } from "../../support/service.ts";
import { describeIf } from "../../support/skip.ts";
import { settled } from "../../support/until.ts";
import { findBarriers } from "./portal.ts";
import { createPublishScene, nameField, publishButton } from "./publish-scene.ts";
import { dragOver, focused, makeFolder, paste, previewOf, shareDialog } from "./publishing.ts";

describeIf("publishing by hand", chromiumUnavailable(), () => {
  const { service, browser, open } = createPublishScene();

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

  test("what is pressed between a file and its link never moves, nor comes back when it was pressed", async () => {
    const name = uniqueName("weekly-sales");
    await using visitor = await open();
    const { page } = visitor;
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.getByText("Drop files or a folder here").waitFor();
    await page.evaluate(`{
      window.tops = { button: [], choices: [] };
      const note = (tops, selector) => {
        // A pressed button itself is drawn a pixel lower.
        const top = document.querySelector(selector)?.parentElement.getBoundingClientRect().top ?? null;
        if (tops.at(-1) !== top) tops.push(top);
      };
      const watch = () => {
        note(tops.button, "main [type=submit]");
        note(tops.choices, "[role=dialog] [role=radiogroup]");
        requestAnimationFrame(watch);
      };
      watch();
    }`);

    await paste(page, { "text/plain": `<title>${name}</title>` });
    await page.getByText(`Live link: ${service.baseUrl}/${name}/`).waitFor();
    await publishButton(page).click();
    await shareDialog(page).getByRole("button", { name: "New link" }).waitFor();
    await shareDialog(page).getByText("People you add can view this report").waitFor();
    const top: unknown = expect.any(Number);
    expect(await page.evaluate("tops")).toEqual({ button: [null, top, null], choices: [null, top] });
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

  test("a name that someone types replaces a suggestion that arrives late", async () => {
    await using visitor = await open();
    const { page } = visitor;
    await page.getByText("Drop files or a folder here").waitFor();
    const { promise: isFocused, resolve: focus } = Promise.withResolvers<void>();
    await page.route("**/api/item?*", async (route) => {
      await isFocused;
      await route.continue();
    });
    await paste(page, { "text/plain": "<title>Weekly sales</title>" });
    await nameField(page).focus();
    expect(await nameField(page).inputValue()).toBe("");
    focus();
    await settled(() => nameField(page).inputValue(), "weekly-sales");
    const name = uniqueName("mine");
    await page.keyboard.type(name);
    expect(await nameField(page).inputValue()).toBe(name);
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
});
