import { expect, test } from "bun:test";
import { makeZip } from "client-zip";
import type { Page } from "playwright-core";
import { uploadRoute } from "../../../src/contract/publishing/publish.ts";
import type { Plan } from "../../../src/domain/model/plans.ts";
import { chromiumUnavailable, useBrowser } from "../../support/chromium.ts";
import { buildUpload, publishReport, uniqueName, useService } from "../../support/service.ts";
import { describeIf } from "../../support/skip.ts";
import { settled } from "../../support/until.ts";
import { findBarriers, openPortal } from "./portal.ts";
import { focused, makeFolder, paste, previewFrame, previewOf } from "./publishing.ts";

const MEBIBYTE = 1024 * 1024;
const noise = (bytes: number) => {
  const content = new Uint8Array(bytes);
  for (let start = 0; start < bytes; start += 65_536) crypto.getRandomValues(content.subarray(start, start + 65_536));
  return content;
};

describeIf("checks before publishing", chromiumUnavailable(), () => {
  const service = useService({ environment: { VITRINE_QUOTA_FREE: "2MB" } });
  const browser = useBrowser();

  const open = async ({ plan = "pro" }: { plan?: Plan } = {}) => {
    const user = await service.build.user({ plan });
    const visitor = await openPortal(browser, service, user.email, { path: `/w/${user.slug}/publish` });
    return { ...visitor, user, [Symbol.asyncDispose]: () => visitor[Symbol.asyncDispose]() };
  };
  const chooseFiles = (page: Page, paths: string[]) => page.locator("input[type=file]").first().setInputFiles(paths);
  const chooseFolder = (page: Page, path: string) => page.locator("input[type=file]").nth(1).setInputFiles(path);
  const problems = (page: Page) => page.getByRole("group", { name: "Problems to fix before publishing" });
  const namesOf = async (page: Page) => {
    const buttons = await page.getByRole("button", { name: /^Remove (?!all)/ }).all();
    return Promise.all(
      buttons.map(async (button) => (await button.getAttribute("aria-label"))?.replace("Remove ", "")),
    );
  };
  /** Presses the button also where something has to be fixed first. */
  const publish = (page: Page) =>
    page.getByRole("main").getByRole("button", { name: "Publish", exact: true }).press("Enter");
  const offer = (page: Page, name: string) => problems(page).getByRole("button", { name }).click();
  const isFixed = (page: Page) => problems(page).getByRole("note").first().waitFor({ state: "detached" });

  test("files move out of folders and are renamed together, and a start page is chosen", async () => {
    await using folder = await makeFolder({
      "Überblick 1.html": '<title>Overview</title><a href="second.html">second</a>',
      "second.html": '<a href="Überblick 1.html">back</a>',
      "assets/chart (1).png": "x",
      "assets/.hidden/x.css": "",
      "Thumbs.db": "x",
      "deep/er/data.json": "{}",
    });
    await using visitor = await open();
    const { page } = visitor;
    await chooseFolder(page, folder.path);
    await problems(page).getByText("2 files are in one").waitFor();
    await page.getByText("Skipped hidden files: ").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole("combobox", { name: "Start page" }).selectOption({ label: "Überblick 1.html" });
    await offer(page, "Move files out of folders");
    await isFixed(page);
    await page.getByText("assets/chart (1).png → assets-chart-1.png").waitFor();
    await page.getByText("Überblick 1.html → index.html").waitFor();
    await settled(() => page.getByRole("textbox", { name: "Title" }).inputValue(), "Overview");
    // Frames don't feel the pointer while a field has the focus.
    await page.getByRole("heading", { name: "New report" }).click();
    await previewOf(page).getByRole("link", { name: "second" }).click();
    await previewOf(page).getByRole("link", { name: "back" }).waitFor();
    expect(visitor.troubles).toEqual([]);
  });

  test("a zip archive holds the report, without its only folder", async () => {
    const archive = makeZip([
      { name: "site/index.html", input: "<title>Zipped</title><img src=a.svg>" },
      { name: "site/a.svg", input: '<svg xmlns="http://www.w3.org/2000/svg" width="7" height="5"/>' },
      { name: "__MACOSX/site/._a.svg", input: "x" },
    ]);
    await using folder = await makeFolder({
      "report.zip": await new Response(archive).bytes(),
      "damaged.zip": new Uint8Array([0x50, 0x4b, 3, 4, 9, 9]),
    });
    await using visitor = await open();
    const { page } = visitor;
    await chooseFiles(page, [`${folder.path}/damaged.zip`]);
    await page.getByText("No files added").waitFor();
    await chooseFiles(page, [`${folder.path}/report.zip`]);
    await previewOf(page).locator("img").waitFor();
    await settled(async () => previewFrame(page)?.evaluate("document.images[0].naturalWidth"), 7);
    expect(await namesOf(page)).toEqual(["index.html", "a.svg"]);
    await page.getByText("Skipped hidden files: ._a.svg").waitFor();
    expect(visitor.troubles).toEqual([]);
  });

  test("duplicate names, missing files, and no page at all", async () => {
    await using folder = await makeFolder({ "a.html": "<img src=lost.png>", "b/a.html": "second", "c.css": "" });
    await using visitor = await open();
    const { page } = visitor;
    await chooseFiles(page, [`${folder.path}/c.css`]);
    await problems(page).getByText("Add an HTML file.").waitFor();
    await chooseFiles(page, [`${folder.path}/a.html`]);
    await page.getByText("The report uses lost.png. Add it, or drop the whole folder.").waitFor();
    await chooseFiles(page, [`${folder.path}/b/a.html`]);
    await problems(page).getByText("Duplicate file names").waitFor();
    await offer(page, "Keep the newest");
    await isFixed(page);
    await previewOf(page).getByText("second").waitFor();
    expect(await namesOf(page)).toEqual(["a.html", "c.css"]);
    await page.getByRole("button", { name: "Remove all" }).click();
    await page.getByText("Drop files or a folder here").waitFor();
    await settled(() => focused(page), "Choose files");
    expect(visitor.troubles).toEqual([]);
  });

  test("too many files, files that are too large, and too much in total", async () => {
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, number) => [`f${number}.txt`, "x"]));
    await using folder = await makeFolder({
      ...many,
      "index.html": "x",
      "noise/large.bin": noise(10 * MEBIBYTE + 1),
      "noise/one.bin": noise(8 * MEBIBYTE),
      "noise/other.bin": noise(8 * MEBIBYTE),
      "text.txt": "x".repeat(8 * MEBIBYTE),
    });
    await using visitor = await open();
    const { page } = visitor;
    const choose = (...names: string[]) =>
      chooseFiles(
        page,
        names.map((name) => `${folder.path}/${name}`),
      );
    await choose("index.html", ...Object.keys(many));
    await problems(page)
      .getByText("You added 102 files, but a report can have at most 100. Remove at least 2.")
      .waitFor();
    await page.getByRole("button", { name: "Remove all" }).click();

    await choose("index.html", "noise/large.bin");
    await problems(page).getByText("1 file is over the limit of 10 MB per file.").waitFor();
    await problems(page).getByText("large.bin (10 MB)").waitFor();
    await publish(page);
    await settled(() => focused(page), "Problems to fix before publishing");
    await offer(page, "Remove 1 file");
    await choose("noise/one.bin", "text.txt");
    await isFixed(page);
    await choose("noise/other.bin");
    await problems(page).getByText("The 4 files total 24 MB, but an upload can be at most 20 MB.").waitFor();
    await page.getByRole("button", { name: "Remove text.txt" }).click();
    await problems(page).getByText("The 3 files total 16 MB, or 21.3 MB once encoded").waitFor();
    await page.getByRole("button", { name: "Remove other.bin" }).click();
    await isFixed(page);
    expect(visitor.troubles).toEqual([]);
  });

  test("the free plan accepts one page of 1 MB per name within the quota", async () => {
    await using folder = await makeFolder({ "index.html": "x", "a.css": "", "big.html": noise(MEBIBYTE + 1) });
    await using visitor = await open({ plan: "free" });
    const { page, user } = visitor;
    await page.getByText("Free plan: a single HTML file, up to 1 MB.").waitFor();
    await chooseFiles(page, [`${folder.path}/index.html`, `${folder.path}/a.css`]);
    await problems(page).getByText("a report is a single HTML file without other files").waitFor();
    await offer(page, "Remove the other files");
    await isFixed(page);
    expect(await namesOf(page)).toEqual(["index.html"]);
    await page.getByRole("button", { name: "Remove index.html" }).click();
    await chooseFiles(page, [`${folder.path}/big.html`]);
    await problems(page).getByText("On the free plan, a report can be up to 1 MB. This one is").waitFor();
    await page.getByRole("button", { name: "Remove big.html" }).click();

    const name = uniqueName();
    const files = [{ path: "index.html", content: "x".repeat(MEBIBYTE) }];
    const client = service.client(user.token);
    await publishReport(client, { name, files });
    await client.call(uploadRoute, {
      body: buildUpload({ files: [{ path: "index.html", content: "x".repeat(MEBIBYTE - 9) }] }),
    });
    await page.reload();
    await page.getByText("Drop files or a folder here").waitFor();
    await paste(page, { "text/plain": "<p>more than the rest</p>" });
    await problems(page).getByText("The workspace has room for 9 bytes more").waitFor();
    await page.getByRole("textbox", { name: "Name" }).fill(name);
    await page.getByText("the free plan allows one version").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    expect(visitor.troubles).toEqual([]);
  });

  test("the name field says which names are valid and what publishing will do", async () => {
    const { slug, owner } = await service.build.organization();
    const name = uniqueName();
    await publishReport(service.client(owner.token), { name });
    await using visitor = await openPortal(browser, service, `${owner.slug}@example.org`, {
      path: `/w/${owner.slug}/publish`,
    });
    const { page } = visitor;
    await page.getByText("Drop files or a folder here").waitFor();
    await paste(page, { "text/plain": "<p>x</p>" });
    const field = page.getByRole("textbox", { name: "Name" });
    await settled(() => field.inputValue(), "report");
    await field.fill("Zoë & Co");
    await page.getByText("Use 1 to 63 lowercase letters").waitFor();
    await page.getByText("Choose another name first.").waitFor();
    await publish(page);
    await settled(() => focused(page), "Name");
    await page.getByRole("button", { name: "Use zoe-co" }).click();
    await page.getByText("Live link:").waitFor();
    await page.getByRole("radio", { name: "Public" }).check();
    await page.getByText(`${service.contentUrl}/@${owner.slug}/zoe-co/`).waitFor();
    await field.fill(name);
    await page.getByText(`This name belongs to a report in ${slug}.`).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole("link", { name: `Publish to ${slug}` }).click();
    await page.getByRole("heading", { name: "New version of A report" }).waitFor();
    expect(visitor.troubles).toEqual([]);
  });
});
