import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { demoSteps, vitrine } from "./demo.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const IMAGES = join(ROOT, "docs/images");
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const PASSWORD = "correct horse battery staple";
const EMAIL = "ada@example.org";
/** The number of reports in the portal's gallery. */
const REPORTS = 3;

/** Starts a server on free ports and resolves to its address, which it prints for people. */
async function startServer(environment: Readonly<Record<string, string | undefined>>) {
  const server = Bun.spawn([join(ROOT, "bin/vitrine"), "serve"], {
    env: environment,
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  const url = Promise.withResolvers<string>();
  const read = async () => {
    let output = "";
    const decoder = new TextDecoder();
    for await (const chunk of server.stderr) {
      output += decoder.decode(chunk, { stream: true });
      const [, address] = /application +(\S+)\n/.exec(output) ?? [];
      if (address !== undefined) url.resolve(address);
    }
    url.reject(new Error(`The server stopped before it listened: ${output}`));
  };
  read().catch(url.reject);
  return { server, url: await url.promise };
}

/** Saves a WebP image through Chromium, because Playwright itself only supports PNG and JPEG. */
async function save(page: Page, name: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 82 });
  const path = join(IMAGES, name);
  const bytes = await Bun.write(path, Buffer.from(data, "base64"));
  console.log(`${path} (${Math.round(bytes / 1_000)} KB)`);
}

async function showPortal(browser: Browser, url: string): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1240, height: 600 }, reducedMotion: "reduce" });
  await page.goto(`${url}/-/`);
  await page.getByLabel("Email address").fill(EMAIL);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.locator("label", { hasText: "Gallery" }).click();
  await makeThumbnails(page);
  await save(page, "portal.webp");
}

/** Points at each card of the gallery until it has a thumbnail. */
async function makeThumbnails(page: Page): Promise<void> {
  const cards = page.getByRole("gridcell");
  for (let index = 0; index < REPORTS; index += 1) {
    const card = cards.nth(index);
    await card.hover();
    await card.locator("img").waitFor({ state: "attached" });
  }
  await page.mouse.move(0, 0);
  await page.waitForLoadState("networkidle");
}

/** Waits until the reports that the page frames have drawn their charts. */
async function waitForCharts(page: Page, reports: number): Promise<void> {
  for (let index = 0; index < reports; index += 1) {
    await page.locator("iframe").nth(index).contentFrame().locator("svg").first().waitFor({ state: "attached" });
  }
  await page.waitForLoadState("networkidle");
}

/** Shows one page that stays open, before and after the next version is published. */
async function showLiveUpdate(browser: Browser, publishNext: () => Promise<string>, link: string): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1000, height: 640 }, reducedMotion: "reduce" });
  const take = async (version: number) => {
    await page.getByText(`Version ${version}`, { exact: true }).first().waitFor();
    await page
      .frameLocator("iframe:only-of-type")
      .getByRole("heading", { name: `Week ${version + 44}:` })
      .waitFor();
    await waitForCharts(page, 1);
    return (await page.screenshot({ animations: "disabled" })).toString("base64");
  };
  await page.goto(link);
  const before = await take(1);
  await publishNext();
  const after = await take(2);
  const both = await browser.newPage({ viewport: { width: 1440, height: 500 } });
  const figure = (image: string, text: string) =>
    `<figure><figcaption>${text}</figcaption><img src="data:image/png;base64,${image}"></figure>`;
  await both.setContent(`<!doctype html><style>
    body { margin: 0; padding: 14px; display: grid; grid-template-columns: 1fr 1fr; gap: 20px; background: #eceff3; }
    figure { margin: 0; } figcaption { margin-bottom: 8px; font: 600 16px system-ui, sans-serif; color: #333c48; }
    img { display: block; width: 100%; border: 1px solid #cdd4dc; border-radius: 8px; }
    </style>${figure(before, "A reader has the live link open")}${figure(after, "Version 2 is published: the same page, not reloaded")}`);
  await save(both, "live-update.webp");
}

const directory = await mkdtemp(join(tmpdir(), "vitrine-screenshots-"));
const environment = {
  ...process.env,
  VITRINE_DATA_DIR: directory,
  VITRINE_PORT: "0",
  VITRINE_CONTENT_PORT: "0",
  VITRINE_RATE_LIMIT: "0",
};
const { server, url } = await startServer(environment);
try {
  const user = ["--email", EMAIL, "--slug", "ada", "--name", "Ada Berg", "--password", PASSWORD];
  await vitrine(["users", "create", ...user], environment);
  const scopes = "reports:read,reports:write";
  const token = await vitrine(["tokens", "create", "--user", "ada", "--scopes", scopes], environment);
  const [publishFirst, publishNext, ...others] = await demoSteps({
    ...environment,
    VITRINE_URL: url,
    VITRINE_TOKEN: token,
  });
  if (publishFirst === undefined || publishNext === undefined)
    throw new Error("The demo has two versions of a report.");
  await mkdir(IMAGES, { recursive: true });
  await using browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  await showLiveUpdate(browser, publishNext, await publishFirst());
  for (const publish of others) await publish();
  await showPortal(browser, url);
} finally {
  server.kill();
  await server.exited;
  await rm(directory, { recursive: true });
}
