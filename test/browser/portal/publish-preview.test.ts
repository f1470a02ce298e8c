import { expect, test } from "bun:test";
import { itemRoute, reportRoute } from "../../../src/contract/reports/details.ts";
import { chromiumUnavailable } from "../../support/chromium.ts";
import { uniqueName } from "../../support/service.ts";
import { describeIf } from "../../support/skip.ts";
import { settled } from "../../support/until.ts";
import { findBarriers } from "./portal.ts";
import { createPublishScene, nameField, publishButton } from "./publish-scene.ts";
import { dragOver, focused, makeFolder, paste, previewFrame, previewOf, shareDialog } from "./publishing.ts";

describeIf("publishing by hand", chromiumUnavailable(), () => {
  const { service, open } = createPublishScene();

  const codeOf = async (user: { token: string }, name: string) =>
    (await service.client(user.token).call(itemRoute, { query: { name } })).code;

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
    // Pressing it is possible and leads to what is in its way.
    await publishButton(page).press("Enter");
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
});
