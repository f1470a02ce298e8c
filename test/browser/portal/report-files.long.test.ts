import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import type { Download, Page } from "playwright-core";
import { chromiumUnavailable } from "../../support/chromium.ts";
import { uniqueName } from "../../support/service.ts";
import { describeIf } from "../../support/skip.ts";
import { onThisMachine } from "../../support/timing.ts";
import { settled } from "../../support/until.ts";
import { longestTask } from "./page-tasks.ts";
import { createReportScene, expectNoBarriers, expectNoSidewaysScroll, focusedText, pageWith } from "./report-scene.ts";
import { unzip } from "./zip.ts";

interface TestFile {
  path: string;
  content: string;
  encoding?: "base64";
}

const bytesOf = ({ content, encoding = "utf-8" }: { content: string; encoding?: "base64" | "utf-8" }) =>
  Buffer.from(content, encoding);
const image = (seed: number, path = "image.png"): TestFile => ({
  path,
  content: Buffer.from(Array.from({ length: 3_000 }, (_, index) => (index * seed) % 256)).toString("base64"),
  encoding: "base64",
});

describeIf("the files of a report", chromiumUnavailable(), () => {
  const scene = createReportScene();
  const { visit } = scene;

  async function openFiles(tab: "files" | "compare" | "compare&as=source", versions: readonly (readonly TestFile[])[]) {
    const user = await scene.service.build.user();
    const name = uniqueName();
    for (const files of versions) await scene.act.publish(user.token, { name, files: [...files] });
    const page = await visit({ email: user.email, path: `/r/${name}?tab=${tab}` });
    return { user, name, page };
  }

  const bytesFrom = async (download: Download) => readFile(await download.path());

  async function downloadBy(page: Page, role: "link" | "button", name: string): Promise<Download> {
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole(role, { name }).click()]);
    return download;
  }

  test("each file downloads unchanged, and all of them as one archive", async () => {
    const older = [pageWith("Old")];
    const files = [
      pageWith("Grüße, 世界"),
      image(7),
      { path: "empty.txt", content: "" },
      { path: "notes.txt", content: "1\r\n2" },
    ];
    const { name, page } = await openFiles("files", [older, files]);
    await page.getByRole("row", { name: /image\.png image\/png 2\.9/ }).waitFor();
    await page.getByText(/^4 files, /).waitFor();
    await expectNoBarriers(page);
    for (const file of files) {
      const download = await downloadBy(page, "link", `Download ${file.path}`);
      expect(download.suggestedFilename()).toBe(file.path);
      expect((await bytesFrom(download)).equals(bytesOf(file))).toBe(true);
    }

    const archive = await downloadBy(page, "button", "Download all as ZIP");
    expect(archive.suggestedFilename()).toBe(`${name}-v2.zip`);
    expect(unzip(await bytesFrom(archive))).toEqual(
      Object.fromEntries(files.map((file) => [file.path, bytesOf(file)])),
    );
    await page.getByRole("button", { name: "Version 2", exact: true }).click();
    await page.getByRole("menuitemradio", { name: /^Version 1/ }).click();
    await page.getByText(/^1 file, /).waitFor();
  });

  test("a large archive shows progress and can be cancelled", async () => {
    const large = { path: "large.txt", content: "0123456789".repeat(300_000) };
    const { page } = await openFiles("files", [[pageWith("Large"), large]]);
    const gate = Promise.withResolvers<void>();
    await page.route("**/api/report/file?*large*", async (route) => {
      await gate.promise;
      await route.continue().catch(() => undefined);
    });
    await page.getByRole("button", { name: "Download all as ZIP" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("progressbar", { name: "Download" }).waitFor({ state: "attached" });
    await settled(() => focusedText(page), "Cancel");
    await expectNoBarriers(page);
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Download all as ZIP" }).waitFor();
    gate.resolve();
    const archive = await downloadBy(page, "button", "Download all as ZIP");
    expect(unzip(await bytesFrom(archive))["large.txt"]?.toString()).toBe(large.content);
  });

  /** A page that is wider and taller than its place in a comparison. */
  const tallPage = (heading: string) =>
    pageWith(heading, `<style>body{margin:0}</style><div style="width:900px;height:4000px"></div><h2>End</h2>`);

  test("the current version and the newest other one are shown side by side, whole and linked", async () => {
    const { user, name, page } = await openFiles("compare", [
      [tallPage("One")],
      [tallPage("Two")],
      [tallPage("Three")],
    ]);
    const side = (number: number) => page.getByRole("region", { name: `Version ${number}` });
    const frame = (number: number) => side(number).locator("iframe").contentFrame();
    const shown = (number: number, heading: string) => frame(number).getByRole("heading", { name: heading }).waitFor();
    await Promise.all([shown(2, "Two"), shown(3, "Three")]);
    await page.getByRole("button", { name: "From: Version 2" }).waitFor();
    await page.getByRole("button", { name: "To: Version 3, current" }).waitFor();
    await expectNoBarriers(page);
    const widths = await side(2)
      .locator("iframe")
      .evaluate((element) => {
        const { width } = element.getBoundingClientRect();
        return { laidOut: element.clientWidth, shown: width, room: element.parentElement?.clientWidth ?? 0 };
      });
    expect(widths.laidOut).toBe(1024);
    expect(Math.abs(widths.shown - widths.room)).toBeLessThan(1);

    const topOf = (number: number) =>
      frame(number)
        .locator("html")
        .evaluate((element) => element.scrollTop);
    await frame(2)
      .locator("html")
      .evaluate((element) => element.scrollTo(0, 900));
    await settled(() => topOf(3), 900);
    await frame(3).getByRole("heading", { name: "End" }).scrollIntoViewIfNeeded();
    await settled(async () => (await topOf(2)) > 900 && (await topOf(2)) === (await topOf(3)), true);

    // After a restore it isn't compared with itself.
    const [, , first] = (await scene.act.group(user.token, name)).versions;
    await scene.act.setLatest(user.token, name, first?.code ?? "");
    await page.getByRole("button", { name: "From: Version 1, current" }).waitFor();
    await page.getByRole("button", { name: "To: Version 3" }).waitFor();
    await Promise.all([shown(1, "One"), shown(3, "Three")]);
    await page.getByRole("button", { name: "Swap" }).click();
    await page.getByRole("button", { name: "From: Version 3" }).waitFor();
    await page.getByRole("button", { name: "To: Version 1, current" }).waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScroll(page);
  });

  test("two versions are laid above each other, with a divider for pointer and keyboard", async () => {
    const { page } = await openFiles("compare", [[tallPage("One")], [tallPage("Two")]]);
    await page.getByText("Overlay", { exact: true }).click();
    const divider = page.getByRole("slider", { name: "Divider between the versions" });
    const newer = page.getByRole("region", { name: "Version 2" });
    const leftPart = () =>
      newer.evaluate((element) => element.ownerDocument.defaultView?.getComputedStyle(element).clipPath ?? "");
    expect(await leftPart()).toBe("inset(0px 0px 0px 50%)");
    await divider.focus();
    await page.keyboard.press("ArrowRight");
    await settled(leftPart, "inset(0px 0px 0px 51%)");
    await expectNoBarriers(page);
    const box = await newer.boundingBox();
    if (box === null) throw new Error("It has no place.");
    const y = box.y + box.height / 2;
    await page.mouse.move(box.x + box.width * 0.51, y);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.25, y, { steps: 4 });
    await page.mouse.up();
    await settled(async () => Math.round(Number.parseFloat((await leftPart()).split(" ").at(-1) ?? "")), 25);
  });

  test("changes are shown line by line, unchanged lines are folded, and files show their status", async () => {
    const lines = Array.from({ length: 60 }, (_, index) => `<p>Line ${index + 1}`);
    const versions = [
      [
        pageWith("Figures", lines.join("\n")),
        image(3, "model.bin"),
        { path: "same.css", content: "p{}" },
        { path: "old.txt", content: "old" },
      ],
      [
        pageWith("Figures", lines.with(29, "<p>Line thirty").toSpliced(50, 0, "<p>One more").join("\n")),
        ...[image(5, "model.bin"), { path: "same.css", content: "p{}" }, { path: "new.txt", content: "new\nfile" }],
      ],
    ];
    const { page } = await openFiles("compare", versions);
    await page.getByText("Source", { exact: true }).click();
    const diff = page.getByRole("region", { name: "Changes in index.html" });
    await page.getByText("2 changes").waitFor();
    const read = async () =>
      (await diff.getByRole("listitem").allInnerTexts()).map((row) => row.replace(/\s+/g, " ").trim());
    expect(await read()).toEqual([
      ...["Show 28 lines", "29 29 <p>Line 27", "30 30 <p>Line 28", "31 31 <p>Line 29"],
      ...["32 − Removed: <p>Line 30", "32 + Added: <p>Line thirty"],
      ...["33 33 <p>Line 31", "34 34 <p>Line 32", "35 35 <p>Line 33", "Show 14 lines"],
      ...["50 50 <p>Line 48", "51 51 <p>Line 49", "52 52 <p>Line 50", "53 + Added: <p>One more"],
      ...["53 54 <p>Line 51", "54 55 <p>Line 52", "55 56 <p>Line 53", "Show 7 lines"],
    ]);
    expect(await diff.locator("mark").allInnerTexts()).toEqual(["30", "thirty"]);
    await expectNoBarriers(page);

    await page.getByRole("button", { name: "Next change" }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await page.getByText("Change 2 of 2").waitFor();
    await page.keyboard.press("p");
    await page.getByText("Change 1 of 2").waitFor();
    await page.keyboard.press("n");
    await page.getByText("Change 2 of 2").waitFor();
    await page.getByRole("button", { name: "Previous change" }).click();
    await page.getByText("Change 1 of 2").waitFor();
    expect(await page.getByRole("navigation", { name: "Files" }).getByRole("button").allInnerTexts()).toEqual([
      "index.html\nchanged",
      "model.bin\nchanged",
      "new.txt\nadded",
      "old.txt\nremoved",
      "same.css\nunchanged",
    ]);
    await page.getByText("4 changed files of 5").waitFor();
    await diff.getByRole("button", { name: "Show 14 lines" }).click();
    await diff.getByText("<p>Line 40").waitFor();

    const file = (name: RegExp) => page.getByRole("navigation", { name: "Files" }).getByRole("button", { name });
    await file(/^same\.css ?unchanged$/).click();
    await page.getByText("This file is the same in both versions.").waitFor();
    await file(/^model\.bin ?changed$/).click();
    await page.getByText("It isn't text, so it can't be compared line by line.").waitFor();
    await file(/^old\.txt ?removed$/).click();
    await page.getByText("− Removed: old").or(page.getByText("Removed: ")).first().waitFor();
    await file(/^new\.txt ?added$/).click();
    await page.getByRole("region", { name: "Changes in new.txt" }).getByText("file").waitFor();
  });

  test("large files are compared without blocking the page, and files that are too large are refused", async () => {
    const rows = Array.from({ length: 90_000 }, (_, index) => `<li>Row ${index} ${"x".repeat(40)}`);
    // Moved lines take longest to compare.
    const changed = rows.with(0, "<li>Changed");
    for (let index = 150; index < changed.length; index += 150) {
      changed.splice(index, 2, rows[index + 1] ?? "", rows[index] ?? "");
    }
    const huge = (letter: string) => ({ path: "huge.txt", content: letter.repeat(7 * 1024 * 1024) });
    // Without the framed pages, which would be laid out in the portal's process here.
    const { page } = await openFiles("compare&as=source", [
      [pageWith("Large", "Small")],
      [pageWith("Large", rows.join("\n")), huge("a")],
      [pageWith("Large", changed.join("\n")), huge("b")],
    ]);
    const older = page.getByRole("button", { name: /^From: / });
    const chooseOlder = async (number: number) => {
      await older.click();
      await page.getByRole("menuitemradio", { name: new RegExp(`^Version ${number}`) }).click();
    };
    await chooseOlder(1);
    await page.getByRole("region", { name: "Changes in index.html" }).getByText("Small").waitFor();
    const held = await longestTask(scene.browser, page, async () => {
      await chooseOlder(2);
      await page.getByRole("region", { name: "Changes in index.html" }).getByText("<li>Changed").waitFor();
    });
    expect(held).toBeLessThan(onThisMachine(100));
    await page.getByRole("button", { name: /^huge\.txt/ }).click();
    await page.getByText("so it can't be compared line by line").waitFor();
  });
});
