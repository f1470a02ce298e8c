import { afterAll, beforeAll, expect, test } from "bun:test";
import type { BrowserContext } from "playwright-core";
import { chromiumUnavailable } from "../support/chromium.ts";
import { publishFiles } from "../support/content.ts";
import { uniqueName } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";
import { use } from "../support/use.ts";
import { assetReport, EXPECTED_OUTCOMES } from "./asset-report.ts";
import {
  type Deployment,
  describeEachDeployment,
  launchNamingChromium,
  reportIn,
  signedInContext,
} from "./deployments.ts";
import { groundOf } from "./frame-samples.ts";

interface Published {
  code: string;
  name: string;
}

type Links = Pick<Deployment, "baseUrl" | "contentUrl"> & { slug: string };

/** Links that open a report. */
const LINKS: readonly (readonly [string, "public" | "private", (links: Links, report: Published) => string])[] = [
  ["public version link", "public", ({ contentUrl }, { code }) => `${contentUrl}/${code}/`],
  ["private version link", "private", ({ baseUrl }, { code }) => `${baseUrl}/${code}/`],
  ["public live link", "public", ({ contentUrl, slug }, { name }) => `${contentUrl}/@${slug}/${name}/`],
  ["private live link", "private", ({ baseUrl }, { name }) => `${baseUrl}/${name}/`],
];

describeIf("every kind of file that a report can use", chromiumUnavailable(), () => {
  const browser = use(launchNamingChromium);

  describeEachDeployment((start) => {
    const deployment = use(start);
    let context: BrowserContext;
    let slug: string;
    let published: Readonly<Record<"public" | "private", Published>>;

    beforeAll(async () => {
      const owner = await deployment.build.user();
      ({ slug } = owner);
      const files = await assetReport();
      async function publish(visibility: "public" | "private"): Promise<Published> {
        const name = uniqueName();
        return { name, code: await publishFiles(deployment, owner.token, files, { visibility, name }) };
      }
      published = { public: await publish("public"), private: await publish("private") };
      context = await signedInContext(browser, deployment, owner.email);
    });
    afterAll(async () => {
      await context.close();
    });

    test.each(LINKS)("works by its %s", async (_, visibility, linkTo) => {
      const report = published[visibility];
      const page = await context.newPage();
      const ranges: string[] = [];
      // Explains a failure, which the outcomes don't.
      const lost: string[] = [];
      page.on("requestfailed", (request) => {
        if (request.url().endsWith(".woff2")) lost.push(`${request.url()}: ${request.failure()?.errorText}`);
      });
      page.on("response", (response) => {
        if (response.status() === 206) ranges.push(response.url().split("/").at(-1) ?? "");
      });
      await page.goto(linkTo({ ...deployment, slug }, report));
      const shown = await reportIn(page, deployment, report.code);
      const output = shown.locator("output");
      await output.filter({ hasText: "{" }).waitFor();
      expect({ lost, outcomes: JSON.parse((await output.textContent()) ?? "") }).toEqual({
        lost: [],
        outcomes: EXPECTED_OUTCOMES,
      });
      expect(await groundOf(page, shown.locator("#mask"))).toEqual([0, 128, 0]);
      expect(new Set(ranges)).toEqual(new Set(["film.webm", "silence.wav"]));
      await page.close();
    });
  });
});
