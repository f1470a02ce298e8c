import { afterEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { chromiumUnavailable } from "../support/chromium.ts";
import { until } from "../support/content.ts";
import { describeIf } from "../support/skip.ts";
import { use } from "../support/use.ts";
import { FRAME_ALL, LEAVE, OPEN_TABS, PROBE_TABS, TALK } from "./attacks.ts";
import { describeEachDeployment, launchNamingChromium } from "./deployments.ts";
import { attack, createScene, PLACES, SECRET } from "./hostile-scene.ts";

const EMBEDDERS = ["iframe", "embed", "object"].length;

describeIf("windows of a hostile report", chromiumUnavailable(), () => {
  const browser = use(launchNamingChromium);

  describeEachDeployment(
    (start) => {
      const scene = use(async () => createScene(await start(), browser));

      afterEach(() => scene.closePages());

      /** Returns pages of the service, as the victim sees them, including pages only for the victim. */
      const ownPages = () => {
        const { deployment, ledger, links } = scene;
        return [
          `${deployment.baseUrl}/`,
          `${deployment.baseUrl}/-/sign-in`,
          `${deployment.baseUrl}/${ledger.code}/`,
          links["in the page of a private link"].link,
          links["in the page of a live link"].link,
        ];
      };

      test.each(PLACES)("a report learns nothing about a tab that it opened, %s", async (place) => {
        const { page, report } = await scene.openAt(place);
        const urls = ownPages();
        await attack(report, OPEN_TABS, urls);
        const tabs = await until(async () => {
          const others = scene.context.pages().filter((other) => other !== page);
          return others.length === urls.length ? others : undefined;
        });
        const home = `${scene.deployment.baseUrl}/-/w/${scene.victim.slug}`;
        const sights = [home, home, SECRET, "Hostile", "Hostile"].toSorted();
        await until(async () => {
          const shown = await Promise.all(
            tabs.map(async (tab) => (tab.url() === home ? home : (await tab.title()).split(" · report by ")[0])),
          );
          return Bun.deepEquals(shown.toSorted(), sights) || undefined;
        });

        const seen = await attack<(Record<string, unknown> | null)[]>(report, PROBE_TABS);
        const refused = { address: "SecurityError", document: "SecurityError", storage: "SecurityError" };
        const isCutOff = await page.evaluate<boolean>("isSecureContext");
        for (const each of seen) {
          // Over http in an intranet, browsers ignore Cross-Origin-Opener-Policy.
          if (isCutOff) expect(each).toBeNull();
          else expect(each).toEqual({ ...refused, variables: "SecurityError", frame: expect.anything() });
        }
        if (!isCutOff) expect(JSON.stringify(seen)).not.toContain("http");
      });

      test.each([PLACES[0], PLACES[1]])("a report can't frame pages of the service, %s", async (place) => {
        const { page, report } = await scene.openAt(place);
        const settled = new Map<string, number>();
        const count = (url: string) => settled.set(url, (settled.get(url) ?? 0) + 1);
        page.on("requestfinished", (request) => count(request.url()));
        page.on("requestfailed", (request) => count(request.url()));
        const control = new URL("more.html", report.url()).href;
        const urls = [...ownPages(), control];
        await attack(report, FRAME_ALL, urls);
        await until(async () => urls.every((url) => (settled.get(url) ?? 0) >= EMBEDDERS) || undefined);
        const shown = await until(async () => {
          const frames = report.childFrames().filter((frame) => /^https?:/.test(frame.url()));
          return frames.filter((frame) => frame.url() === control).length === EMBEDDERS ? frames : undefined;
        });
        expect(new Set(shown.map((frame) => frame.url()))).toEqual(new Set([control]));
      });

      const AROUND = [PLACES[1], PLACES[2]] as const;

      test.each(AROUND)("a report can neither navigate the tab nor fool the surrounding page, %s", async (place) => {
        const { page, report } = await scene.openAt(place);
        const before = await stateOf(page);
        const elsewhere = `${scene.deployment.contentUrl}/${scene.links["in a tab"].code}/more.html`;
        await attack(report, TALK, elsewhere);
        await attack(report, LEAVE, elsewhere);
        await scene.loadLaterPage();
        expect(await stateOf(page)).toEqual(before);
        expect(scene.context.pages()).toEqual([page]);
      });

      test("a report doesn't become a page of the service by taking its address", async () => {
        const { page, report } = await scene.openAt("in a tab");
        const { link } = scene.links["in the page of a live link"];
        await report.evaluate(`history.replaceState(null, "", ${JSON.stringify(link)}); globalThis.isHostile = true`);
        expect(page.url()).toBe(link);
        expect(await page.evaluate("origin")).toBe("null");
        await page.reload();
        await page.getByRole("button", { name: "Version 1" }).waitFor();
        expect(await page.evaluate<unknown[]>("[origin, globalThis.isHostile]")).toEqual([
          scene.deployment.contentUrl,
          undefined,
        ]);
      });

      test.each(AROUND)("a report can't get another page into its frame by taking its address, %s", async (place) => {
        const { page, report } = await scene.openAt(place);
        const { link } = scene.links["in the page of a live link"];
        await report.evaluate(`history.replaceState(null, "", ${JSON.stringify(new URL(link).pathname)})`);
        expect(report.url()).toBe(link);
        await report.evaluate("location.reload()").catch(() => undefined);
        await until(async () => page.frames().some((frame) => frame.url().startsWith("chrome-error:")) || undefined);
        expect(page.frames().some((frame) => frame !== page.mainFrame() && frame.url() === link)).toBe(false);
      });
    },
    ["local", "intranet", "https"],
  );
});

/** Returns what a reader sees of the page around a report, and its links. */
const stateOf = async (page: Page) => ({
  url: page.url(),
  title: await page.title(),
  text: await page.locator("body").innerText(),
  frames: await page.evaluate<string[]>("[...document.querySelectorAll('iframe')].map((frame) => frame.src)"),
});
