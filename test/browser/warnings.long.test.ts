import { beforeAll, describe, expect, test } from "bun:test";
import type { ConsoleMessage, Page } from "playwright-core";
import type { BodyInput } from "../../src/contract/model/route.ts";
import { uploadRoute } from "../../src/contract/publishing/publish.ts";
import { chromiumUnavailable, useBrowser } from "../support/chromium.ts";
import { uniqueName, useService } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";
import { type Form, PAGE } from "./construct.ts";
import { CONSTRUCTS } from "./constructs.ts";

describeIf("constructs that cause warnings, in a browser", chromiumUnavailable(), () => {
  const service = useService();
  const browser = useBrowser();
  let page: Page;
  let token: string;
  let slug: string;

  beforeAll(async () => {
    ({ token, slug } = await service.build.user());
    page = await browser.newPage();
  });

  async function publish(
    { html, files = {}, storage: kind }: Form,
    details: Partial<BodyInput<typeof uploadRoute>> = {},
  ) {
    const all = Object.entries({ "index.html": PAGE(html), ...files });
    return service.client(token).call(uploadRoute, {
      body: {
        files: all.map(([path, content]) => ({ path, content })),
        visibility: "public",
        storage: kind,
        ...details,
      },
    });
  }

  /** Returns what the page logs, because the page itself can't be asked while a navigation is being refused. */
  async function outcomeOf(url: string): Promise<string> {
    const isOutcome = (message: ConsoleMessage) => /^(?:works|fails)$/.test(message.text());
    const [said] = await Promise.all([page.waitForEvent("console", isOutcome), page.goto(url)]);
    return said.text();
  }

  describe.each(CONSTRUCTS.map((construct) => [construct.name, construct] as const))(
    "%s",
    (_, { warning, broken, fixed }) => {
      test("causes a warning with a line, and does not work", async () => {
        const { url, warnings } = await publish(broken);
        expect(warnings).toHaveLength(1);
        expect(warnings[0]).toMatch(/^\S+ line \d+: .+\. .+\.$/);
        expect(warnings[0]?.replace(/^\S+ line \d+: /, "")).toStartWith(warning);
        expect(await outcomeOf(url)).toBe("fails");
      });

      test("works once it is fixed, and causes no warning", async () => {
        for (const form of fixed) {
          const { url, warnings } = await publish(form);
          expect(warnings).toEqual([]);
          expect(await outcomeOf(url)).toBe("works");
        }
      });
    },
  );

  test("a link to another site opens from the frame of a live link only if it has a target", async () => {
    using site = Bun.serve({
      port: 0,
      fetch: () => new Response("elsewhere", { headers: { "Content-Type": "text/html" } }),
    });
    async function open(target: string) {
      const name = uniqueName();
      const { code, warnings } = await publish({ html: `<a href="${site.url.href}"${target}>away</a>` }, { name });
      await page.goto(`${service.contentUrl}/@${slug}/${name}/`);
      const link = page.frameLocator("iframe").locator("a");
      await link.waitFor();
      const frame = page.frames().find((each) => each.url().includes(code));
      return { warnings, link, frame };
    }
    const plain = await open("");
    expect(plain.warnings).toEqual([
      expect.stringMatching(/^index.html line 3: The link to .*\. Add target="_blank"\.$/),
    ]);
    const left = page.waitForEvent("framenavigated", (frame) => frame.url().startsWith("chrome-error:"));
    await plain.link.click();
    await left;

    const targeted = await open(' target="_blank"');
    expect(targeted.warnings).toEqual([]);
    const [popup] = await Promise.all([page.waitForEvent("popup"), targeted.link.click()]);
    await popup.getByText("elsewhere").waitFor();
    await popup.close();
  });
});
