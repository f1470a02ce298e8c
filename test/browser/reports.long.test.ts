import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { uploadRoute } from "../../src/contract/publishing/publish.ts";
import { groupRoute } from "../../src/contract/reports/named-reports.ts";
import { REPLICAS } from "../support/behind-nginx.ts";
import { chromiumUnavailable, useBrowser } from "../support/chromium.ts";
import { clientEnvironment, run, vitrine } from "../support/cli.ts";
import { bearer, publishFiles, read, until } from "../support/content.ts";
import { uniqueName, useOwnService } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";
import { type Edition, type MadeReport, makeBundleReport, makePlotReport, makeTestReport } from "./tool-reports.ts";

/** What a person sees when everything about a page works. */
const REPORTS = {
  "a bundle analyser's report": {
    make: makeBundleReport,
    largest: "index.html",
    async expectDrawn(page: Page, edition: Edition) {
      await page.locator("svg text", { hasText: edition === "first" ? "decode.js" : "hono-base.js" }).waitFor();
      expect(await page.title()).toBe(`Bundle, ${edition} edition`);
      expect(await countVisible(page, "svg rect")).toBeGreaterThan(5);
    },
  },
  "a test reporter's report": {
    make: makeTestReport,
    largest: "app.js",
    async expectDrawn(page: Page, edition: Edition) {
      await page.getByRole("heading", { name: `the ${edition} edition`, level: 3 }).waitFor();
      await page.getByText("fails with an é").first().waitFor();
      // The chart: one sector each for passed, failed and pending.
      await page.locator("svg path").nth(2).waitFor();
      const fonts = await page.evaluate(
        "document.fonts.ready.then((fonts) => [...fonts].filter((f) => f.status === 'loaded').map((f) => f.family))",
      );
      expect(fonts).toContain("robotoregular");
    },
  },
  "a plot page": {
    make: makePlotReport,
    largest: "plotly.min.js",
    async expectDrawn(page: Page, edition: Edition) {
      // Appears last, through modules, JSON and WebAssembly.
      await page.locator("output", { hasText: edition === "first" ? /^9$/ : /^13$/ }).waitFor();
      expect(await countVisible(page, "#chart svg .bars path")).toBe(4);
      expect(await page.evaluate("document.querySelector('h1 img').naturalWidth")).toBeGreaterThan(0);
      expect(await page.evaluate("getComputedStyle(document.querySelector('h1')).color")).toBe("rgb(1, 2, 3)");
    },
  },
} as const;

/** Returns how many of the elements take up space on the page. */
/** Milliseconds. Requests come before compressing, also those of other processes, so it takes long on a busy machine. */
const COMPRESSED_AFTER = 500_000;

const countVisible = (page: Page, selector: string) => page.locator(selector).filter({ visible: true }).count();

describeIf("real reports in a browser", chromiumUnavailable(), () => {
  const service = useOwnService();
  const browser = useBrowser();
  let token: string;

  beforeAll(async () => {
    token = (await service.build.user({ slug: "ada" })).token;
  });

  async function publishByCommand(report: MadeReport, ...flags: string[]): Promise<string> {
    const environment = clientEnvironment(service, token);
    const { code, stdout, stderr } = await vitrine(["publish", report.directory, ...flags], { environment });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    return stdout.trim();
  }

  async function publishByCurl(report: MadeReport, details: object) {
    const files = Object.entries(report.files).map(([path, content]) => ({
      path,
      content: content.toString("base64"),
      encoding: "base64",
    }));
    const body = join(report.directory, "..", "body.json");
    await Bun.write(body, JSON.stringify({ files, ...details }));
    const headers = ["-H", `Authorization: Bearer ${token}`, "-H", "Content-Type: application/json"];
    const { code, stdout } = await run([
      "curl",
      "--silent",
      "--show-error",
      "--fail-with-body",
      ...headers,
      "--data-binary",
      `@${body}`,
      `${service.baseUrl}/api/upload`,
    ]);
    expect(code).toBe(0);
    return uploadRoute.response.parse(JSON.parse(stdout));
  }

  async function expectReadBack(code: string, { files }: MadeReport, headers = {}): Promise<void> {
    for (const [path, bytes] of Object.entries({ ...files, "": files["index.html"] ?? Buffer.alloc(0) })) {
      const { status, body } = await read(service, `/${code}/${path}`, headers);
      expect(status).toBe(200);
      expect(body.equals(bytes)).toBe(true);
    }
  }

  /** Opens a page that records problems. */
  async function openPage() {
    const page = await browser.newPage();
    const troubles: string[] = [];
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) troubles.push(message.text());
    });
    page.on("pageerror", (error) => troubles.push(error.message));
    page.on("requestfailed", (request) => troubles.push(`${request.url()} ${request.failure()?.errorText}`));
    page.on("response", (response) => {
      if (response.status() >= 400) troubles.push(`${response.url()} ${response.status()}`);
    });
    return { page, troubles };
  }

  describe.each(Object.entries(REPORTS))("%s", (_, { make, largest, expectDrawn }) => {
    const name = uniqueName("report");
    let made: Readonly<Record<Edition, MadeReport>>;
    let codes: Readonly<Record<Edition, string>>;

    beforeAll(async () => {
      const [first, second] = await Promise.all([make("first"), make("second")]);
      made = { first, second };
    });
    afterAll(() => Promise.all([made.first.remove(), made.second.remove()]));

    test("is published by the command line and by curl, as two versions of one report", async () => {
      const live = await publishByCommand(made.first, "--name", name, "--public");
      const answer = await publishByCurl(made.second, { name, visibility: "public" });
      expect(live).toBe(`${service.contentUrl}/@ada/${name}/`);
      expect(answer).toMatchObject({ nameUrl: live, visibility: "public", warnings: [] });
      const group = await service.client(token).call(groupRoute, { query: { name } });
      const [first = "", second = ""] = group.versions
        .toSorted((a, b) => a.version_no - b.version_no)
        .map(({ code }) => code);
      expect(group.versions).toHaveLength(2);
      expect(group.current_code).toBe(answer.code);
      expect(answer.url).toBe(`${service.contentUrl}/${second}/`);
      codes = { first, second };
    });

    test.each(["first", "second"] as const)("its %s version is readable at its version link", async (edition) => {
      const { page, troubles } = await openPage();
      await page.goto(`${service.contentUrl}/${codes[edition]}/`);
      await expectDrawn(page, edition);
      expect(troubles).toEqual([]);
      await page.close();
    });

    test("its compressed form is the same", async () => {
      const path = `/${codes.second}/${largest}`;
      let compressed = 0;
      // Each replica compresses it separately, and requests alternate between them.
      await until(async () => {
        const { headers } = await read(service, path, { "Accept-Encoding": "zstd" });
        compressed = headers.get("content-encoding") === "zstd" ? compressed + 1 : 0;
        return compressed === 2 * REPLICAS || undefined;
      }, COMPRESSED_AFTER);
      const { page, troubles } = await openPage();
      const encodings: (string | undefined)[] = [];
      page.on("response", (response) => {
        const { pathname } = new URL(response.url());
        if (pathname === path.replace(/index\.html$/, "")) encodings.push(response.headers()["content-encoding"]);
      });
      await page.goto(`${service.contentUrl}/${codes.second}/`);
      await expectDrawn(page, "second");
      expect(encodings).toEqual([expect.stringMatching(/^(zstd|br)$/)]);
      expect(troubles).toEqual([]);
      await page.close();
    });

    test("both versions are returned unchanged, with and without a token", async () => {
      for (const edition of ["first", "second"] as const) {
        await expectReadBack(codes[edition], made[edition], bearer(token));
        await expectReadBack(codes[edition], made[edition]);
      }
    });

    test("a private report is returned unchanged, to its owner only", async () => {
      const link = await publishByCommand(made.first);
      const [, code = ""] = /^http:\/\/localhost:\d+\/([0-9A-Za-z]{16})\/$/.exec(link) ?? [];
      await expectReadBack(code, made.first, bearer(token));
      for (const path of ["", ...Object.keys(made.first.files)]) {
        expect((await read(service, `/${code}/${path}`)).status).toBe(404);
      }
    });
  });

  test("a published page has an opaque origin and reaches nothing of the service", async () => {
    const code = await publishFiles(service, token, { "data.json": "[]" });
    const { page } = await openPage();
    await page.goto(`${service.contentUrl}/${code}/`);
    expect(await page.evaluate(probeIsolation(service.baseUrl))).toEqual({
      origin: "null",
      localStorage: "SecurityError",
      sessionStorage: "SecurityError",
      cookie: "SecurityError",
      setCookie: "SecurityError",
      list: "TypeError",
      listWithCookies: "TypeError",
      withToken: "TypeError",
      sibling: "200",
    });
    expect(await page.context().cookies()).toEqual([]);
    await page.close();
  });
});

/** Runs in the page: returns the result of each attempt, or the name of its error. */
const probeIsolation = (baseUrl: string) => `(async () => {
  const attempts = {
    origin: () => window.origin,
    localStorage: () => localStorage.length,
    sessionStorage: () => sessionStorage.length,
    cookie: () => document.cookie,
    setCookie: () => { document.cookie = "a=b"; },
    list: async () => (await fetch("${baseUrl}/api/list")).status,
    listWithCookies: async () => (await fetch("${baseUrl}/api/list", { credentials: "include" })).status,
    withToken: async () => (await fetch("data.json", { headers: { Authorization: "Bearer vtr_x" } })).status,
    sibling: async () => (await fetch("data.json")).status,
  };
  const outcomes = {};
  for (const [name, attempt] of Object.entries(attempts)) {
    outcomes[name] = await Promise.try(attempt).then(String, (error) => error.name);
  }
  return outcomes;
})()`;
