import { afterEach, beforeAll, expect, test } from "bun:test";
import type { BrowserContext, Page, Request } from "playwright-core";
import { createGuestLinkRoute, guestLinksRoute } from "../../src/contract/sharing/guest-links.ts";
import { actionsOf } from "../hosts/app/actions.ts";
import { secretIn, setGuestPassword } from "../hosts/app/sharing/guests.ts";
import { chromiumUnavailable } from "../support/chromium.ts";
import { publishFiles } from "../support/content.ts";
import { uniqueName } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";
import { use } from "../support/use.ts";
import { OPEN_GUEST_LINK, PROBE_FRAMES, PROBE_SURROUNDINGS } from "./attacks.ts";
import { describeEachDeployment, launchNamingChromium, reportIn, signedInContext } from "./deployments.ts";
import { startEmbedder } from "./embedder.ts";
import { attack } from "./hostile-scene.ts";

const TITLE = "Takeover plans";
const PASSWORD = "a password of guests";
const FILES = {
  "index.html": `<!doctype html><title>${TITLE}</title><h1>${TITLE}</h1><img src="a.svg">`,
  "a.svg": "<svg/>",
};

describeIf("guest links among hostile pages", chromiumUnavailable(), () => {
  const browser = use(launchNamingChromium);
  const named = use(startEmbedder);
  const unnamed = use(startEmbedder);

  describeEachDeployment((start) => {
    const deployment = use(start);
    const contexts: BrowserContext[] = [];
    let owner: { token: string; email: string };

    beforeAll(async () => {
      owner = await deployment.build.user();
    });
    afterEach(async () => {
      await Promise.all(contexts.splice(0).map((context) => context.close()));
    });

    async function share(embed_origins: string[] = []) {
      const name = uniqueName();
      const code = await publishFiles(deployment, owner.token, FILES, { name, visibility: "private" });
      const body = { name, ...(embed_origins.length === 0 ? {} : { embed_origins }) };
      const link = await deployment.client(owner.token).call(createGuestLinkRoute, { body });
      return { name, code, ...link };
    }
    async function newPage(): Promise<Page> {
      const context = await browser.newContext();
      contexts.push(context);
      return context.newPage();
    }
    const usesOf = async (name: string) =>
      (await deployment.client(owner.token).call(guestLinksRoute, { query: { name } })).links[0]?.uses;

    test("the report finds the link's secret nowhere", async () => {
      const { url, code } = await share();
      const page = await newPage();
      const requests: Request[] = [];
      page.on("request", (request) => requests.push(request));
      await page.goto(url);
      const report = await reportIn(page, deployment, code);
      await report.getByRole("heading", { name: TITLE }).waitFor();
      const found = await attack<Record<string, string>>(report, PROBE_SURROUNDINGS);
      expect(found).toMatchObject({ referrer: "", parent: "SecurityError", top: "SecurityError", heard: "" });
      expect(found["location"]).toContain(`/${code}/`);
      expect(JSON.stringify(found)).not.toContain(secretIn(url));
      const ofReport = requests.filter((request) => request.url().startsWith(deployment.contentUrl));
      expect(ofReport.length).toBeGreaterThanOrEqual(2);
      for (const request of ofReport) {
        expect(request.url()).not.toContain(secretIn(url));
        expect(JSON.stringify(request.headers())).not.toContain(secretIn(url));
      }
    });

    test("a site that the link doesn't name frames neither its page nor the report in it", async () => {
      const { url, code } = await share([named.origin]);
      const page = await newPage();
      await page.goto(url);
      const src = (await reportIn(page, deployment, code)).url();
      for (const address of [url, src]) {
        const blocked = page.waitForEvent("requestfailed", (request) => request.url() === address);
        await page.goto(unnamed.pageFor(address));
        expect((await blocked).failure()?.errorText).toContain("ERR_BLOCKED_BY_RESPONSE");
      }
    });

    test("a site that the link names reads nothing in the frame", async () => {
      const { url, code } = await share([named.origin]);
      const page = await newPage();
      await page.goto(named.pageFor(url));
      const report = await reportIn(page, deployment, code);
      await report.getByRole("heading", { name: TITLE }).waitFor();
      const read = await attack<Record<string, string>>(page.mainFrame(), PROBE_FRAMES);
      expect(read).toEqual({
        contentDocument: "null",
        title: "SecurityError",
        location: "SecurityError",
        inner: "SecurityError",
        heard: "",
      });
    });

    test("a report and another site that know a link neither open it nor guess its password", async () => {
      const { id, url, name } = await share([named.origin]);
      await setGuestPassword(deployment, id, PASSWORD);
      const guesses = [
        "password1234",
        PASSWORD,
        ...Array.from({ length: 20 }, (_, number) => `wrong password ${number}`),
      ];
      const hostile = await publishFiles(deployment, owner.token, FILES, { visibility: "public" });
      const page = await newPage();
      for (const address of [`${deployment.contentUrl}/${hostile}/`, named.pageFor(url)]) {
        await page.goto(address);
        const outcomes = await attack<Record<string, string>>(page.mainFrame(), OPEN_GUEST_LINK, { url, guesses });
        expect(new Set(Object.values(outcomes))).toEqual(new Set(["TypeError"]));
      }
      expect(await usesOf(name)).toBe(0);
      // Attempts that were refused unread don't count, so that they lock no guest out.
      const opened = await deployment.fetch(`${url}~open`, {
        method: "POST",
        headers: { Origin: deployment.baseUrl, "Content-Type": "application/json" },
        body: JSON.stringify({ password: PASSWORD }),
      });
      expect(opened.status).toBe(200);
    });

    test("nobody frames the Share dialog, to have it clicked unseen", async () => {
      const { name } = await share([named.origin]);
      const context = await signedInContext(browser, deployment, owner.email);
      contexts.push(context);
      const page = await context.newPage();
      const address = `${deployment.baseUrl}/-/r/${name}?share=true`;
      for (const site of [named, unnamed]) {
        // In another site's frame the browser sends no session, so the portal leads to its sign-in page.
        const blocked = page.waitForEvent("requestfailed", (request) => request.url().startsWith(deployment.baseUrl));
        await page.goto(site.pageFor(address));
        expect((await blocked).failure()?.errorText).toContain("ERR_BLOCKED_BY_RESPONSE");
      }
    });

    test("programs that make previews learn nothing and use up nothing", async () => {
      const { url, name } = await share();
      for (const agent of ["Slackbot-LinkExpanding 1.0", "facebookexternalhit/1.1", "Googlebot/2.1", "curl/8"]) {
        for (const method of ["GET", "HEAD"]) {
          const response = await deployment.fetch(url, { method, headers: { "User-Agent": agent } });
          expect(response.status).toBe(200);
          expect(response.headers.get("x-robots-tag")).toContain("noindex");
          const text = (await response.text()) + JSON.stringify([...response.headers]);
          for (const secret of [TITLE, name, "~2.", owner.email]) expect(text).not.toContain(secret);
        }
      }
      expect(await usesOf(name)).toBe(0);
      expect((await actionsOf(deployment).group(owner.token, name)).visibility).toBe("private");
    });
  });
});
