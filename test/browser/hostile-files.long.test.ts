import { afterEach, beforeAll, expect, test } from "bun:test";
import type { Frame, Page } from "playwright-core";
import { chromiumUnavailable } from "../support/chromium.ts";
import { publishFiles, until } from "../support/content.ts";
import { describeIf } from "../support/skip.ts";
import { use } from "../support/use.ts";
import { describeEachDeployment, launchNamingChromium, reportIn } from "./deployments.ts";
import { attack, createScene, PLACES } from "./hostile-scene.ts";

const XHTML = "http://www.w3.org/1999/xhtml";
const RUN = "globalThis.hasRun = true";

/** Every kind of file in which browsers run scripts. */
const DOCUMENTS = {
  "page.html": `<!doctype html><title>Page</title><script>${RUN}</script>`,
  "page.htm": `<!doctype html><title>Page</title><script>${RUN}</script>`,
  "page.xhtml": `<html xmlns="${XHTML}"><head><title>Page</title><script>${RUN}</script></head><body/></html>`,
  "page.xml": `<page xmlns:h="${XHTML}"><h:script>${RUN}</h:script></page>`,
  "page.svg": `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>${RUN}</script></svg>`,
} as const;
const NAMES = Object.keys(DOCUMENTS);

const PROBE = `async () => {
  const attempts = {
    hasRun: () => globalThis.hasRun,
    origin: () => origin,
    cookie: () => document.cookie,
    storage: () => localStorage.length,
    worker: async () => void await navigator.serviceWorker.register("worker.js"),
    opener: () => opener === null || opener.document.title,
    parent: () => parent === self || parent.document.title,
  };
  const seen = {};
  for (const [name, attempt] of Object.entries(attempts)) {
    seen[name] = await Promise.try(attempt).catch(({ name }) => name);
  }
  return seen;
}`;

/** Pages without an address inherit the origin of their creator, or get an opaque one. */
const MAKE_PAGES = `(html) => {
  const blob = () => URL.createObjectURL(new Blob([html], { type: "text/html" }));
  const script = "javascript:" + JSON.stringify(html);
  for (const url of ["about:blank", blob(), script]) {
    const tab = open(url);
    try { tab.document.write(html) } catch {}
  }
  for (const [name, value] of [["src", "about:blank"], ["src", blob()], ["src", script], ["srcdoc", html], ["src", "data:text/html," + html]]) {
    const frame = document.createElement("iframe");
    frame.setAttribute(name, value);
    document.body.append(frame);
  }
}`;
const MADE_FRAMES = 5;

const ERROR = expect.stringMatching(/^(?:Security|Type)Error$/);
const ISOLATED = { hasRun: true, origin: "null", cookie: ERROR, storage: ERROR, worker: ERROR };

describeIf("files with scripts in a hostile report", chromiumUnavailable(), () => {
  const browser = use(launchNamingChromium);

  describeEachDeployment(
    (start) => {
      const scene = use(async () => createScene(await start(), browser));
      let codes: { open: string; own: string };

      beforeAll(async () => {
        const { deployment, attacker, victim } = scene;
        const links = NAMES.map((name) => `<a href="${name}" target="_blank">${name}</a>`);
        const files = { ...DOCUMENTS, "worker.js": "", "index.html": `<!doctype html><title>Files</title>${links}` };
        codes = {
          open: await publishFiles(deployment, attacker.token, files),
          own: await publishFiles(deployment, victim.token, files, { visibility: "private" }),
        };
      });
      afterEach(() => scene.closePages());

      const probe = (frame: Frame | Page) => frame.evaluate<object>(`(${PROBE})()`);

      /** Returns the frame or tab with the file itself. */
      function fileIn(page: Page, name: string): Promise<Frame> {
        const { contentUrl } = scene.deployment;
        const isFile = (url: string) => url.startsWith(`${contentUrl}/`) && new URL(url).pathname.endsWith(`/${name}`);
        return until(async () => page.frames().find((frame) => isFile(frame.url())));
      }

      test.each(NAMES)("%s has an opaque origin in a tab", async (name) => {
        const page = await scene.context.newPage();
        await page.goto(`${scene.deployment.contentUrl}/${codes.open}/${name}`);
        expect(await probe(page)).toEqual({ ...ISOLATED, opener: true, parent: true });
      });

      test.each(NAMES)("%s has an opaque origin in a frame of another report", async (name) => {
        const { report } = await scene.openAt("in a tab");
        const url = `${scene.deployment.contentUrl}/${codes.open}/${name}`;
        await report.evaluate(`void (document.querySelector("iframe").src = ${JSON.stringify(url)})`);
        const frame = await fileIn(report.page(), name);
        await frame.waitForLoadState();
        expect(await probe(frame)).toEqual({ ...ISOLATED, opener: true, parent: "SecurityError" });
        const seen = await report.evaluate<unknown[]>(`(() => {
        const frame = document.querySelector("iframe");
        try { return [frame.contentDocument, frame.contentWindow.hasRun] } catch ({ name }) { return [frame.contentDocument, name] }
      })()`);
        expect(seen).toEqual([null, "SecurityError"]);
      });

      test.each(PLACES)("pages created by a report have an opaque origin too, %s", async (place) => {
        const { page, report } = await scene.openAt(place);
        const before = new Set(page.frames());
        await attack(report, MAKE_PAGES, `<title>Made</title><script>${RUN}</script>`);
        const frames = await until(async () => {
          const made = page.frames().filter((frame) => !before.has(frame));
          return made.length === MADE_FRAMES ? made : undefined;
        });
        // The number of tabs depends on whether they may know their opener.
        const tabs = await until(async () => {
          const others = scene.context.pages().filter((other) => other !== page);
          return others.length > 0 ? others : undefined;
        });
        const made = [...frames, ...tabs.map((tab) => tab.mainFrame())];
        for (const frame of made) {
          await frame.waitForLoadState();
          expect(await probe(frame)).toMatchObject({ origin: "null", cookie: ERROR, storage: ERROR, worker: ERROR });
        }
      });

      test.each(NAMES)("%s of a private report has an opaque origin when a link opens it", async (name) => {
        const page = await scene.context.newPage();
        await page.goto(`${scene.deployment.baseUrl}/${codes.own}/`);
        const report = await reportIn(page, scene.deployment, codes.own);
        const opening = scene.context.waitForEvent("page");
        await report.getByRole("link", { name, exact: true }).click();
        const frame = await fileIn(await opening, name);
        await frame.waitForLoadState();
        expect(await probe(frame)).toMatchObject(ISOLATED);
      });
    },
    ["intranet", "https"],
  );
});
