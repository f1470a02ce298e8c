import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromiumUnavailable, launchChromium, screenshots } from "./chromium.ts";
import { describeIf } from "./skip.ts";

const html = `<!doctype html>
<style>:root { color-scheme: light dark }</style>
<button onclick="this.textContent = 'clicked'">click</button>`;

/** Width of a PNG, from its first chunk. */
const pngWidth = (path: string) => readFileSync(path).readUInt32BE(16);

describeIf("Chromium for tests", chromiumUnavailable(), () => {
  test("opens a page, clicks and takes screenshots", async () => {
    using server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () => new Response(html, { headers: { "content-type": "text/html" } }),
    });
    await using browser = await launchChromium();
    const page = await browser.newPage();
    await page.goto(server.url.href);
    await page.getByRole("button").click();
    expect(await page.getByRole("button").textContent()).toBe("clicked");

    const directory = mkdtempSync(join(tmpdir(), "vitrine-screenshots-"));
    try {
      const paths = await screenshots(page, directory, "button");
      expect(paths.map((path) => [path.slice(directory.length + 1), pngWidth(path)])).toEqual([
        ["button-1440-light.png", 1440],
        ["button-1440-dark.png", 1440],
        ["button-390-light.png", 390],
        ["button-390-dark.png", 390],
      ]);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});
