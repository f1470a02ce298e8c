import { afterEach, expect, test } from "bun:test";
import type { BrowserContext, Frame } from "playwright-core";
import { actionsOf } from "../hosts/app/actions.ts";
import { chromiumUnavailable } from "../support/chromium.ts";
import { publishFiles, until } from "../support/content.ts";
import { executeSql } from "../support/direct-sql.ts";
import { HTML, readersOf } from "../support/readers.ts";
import { describeIf } from "../support/skip.ts";
import { use } from "../support/use.ts";
import { FETCH_STATUSES, FRAME_ALL } from "./attacks.ts";
import { describeEachDeployment, launchNamingChromium, reportIn, signedInContext } from "./deployments.ts";
import { attack, createScene, SECRET, SLOW_PLACES } from "./hostile-scene.ts";
import { signOut } from "./portal/portal.ts";

/** Returns the first part of a private report's address, which admits its reader. */
const ticketOf = (report: Frame) => /\/(~[^/]+)\//.exec(report.url())?.[1];

describeIf("what a hostile report can read of other people's reports", chromiumUnavailable(), () => {
  const browser = use(launchNamingChromium);

  describeEachDeployment(
    (start) => {
      const scene = use(async () => createScene(await start(), browser));

      afterEach(() => scene.closePages());

      /** Returns every possible address of the victim's report for an attacker who knows its code and name. */
      function guesses(report: Frame): string[] {
        const { deployment, ledger, victim } = scene;
        const { baseUrl, contentUrl } = deployment;
        const ticket = ticketOf(report) ?? "~1";
        return [
          `${baseUrl}/${ledger.code}/`,
          `${baseUrl}/${ledger.code}/index.html`,
          `${baseUrl}/${ledger.name}/`,
          `${baseUrl}/api/report?code=${ledger.code}`,
          `${baseUrl}/api/thumbnail?code=${ledger.code}`,
          `${baseUrl}/api/report/file?code=${ledger.code}&path=index.html`,
          `${contentUrl}/${ledger.code}/`,
          `${contentUrl}/${ledger.code}/index.html`,
          `${contentUrl}/@${victim.slug}/${ledger.name}/`,
          `${contentUrl}/@${victim.slug}/${ledger.name}/~current`,
          `${contentUrl}/${ticket}/${ledger.code}/`,
          `${contentUrl}/${ticket}/${ledger.code}/index.html`,
          `${contentUrl}/~framed/${ledger.code}/`,
          `${contentUrl}/~framed/${ticket}/${ledger.code}/`,
          `${contentUrl}/${ticket}/@${victim.slug}/${ledger.name}/`,
        ];
      }

      test.each(SLOW_PLACES)("no address works, %s", async (place) => {
        const { page, report } = await scene.openAt(place);
        const urls = guesses(report);
        const statuses = await attack<unknown[]>(report, FETCH_STATUSES, { urls, cache: "default" });
        expect(statuses).toEqual(urls.map((url) => (url.startsWith(scene.deployment.baseUrl) ? "TypeError" : 404)));

        const settled = new Set<string>();
        page.on("requestfinished", (request) => settled.add(request.url()));
        page.on("requestfailed", (request) => settled.add(request.url()));
        await attack(report, FRAME_ALL, urls);
        await until(async () => urls.every((url) => settled.has(url)) || undefined);
        const framed = () => page.frames().filter((frame) => urls.includes(frame.url()));
        const texts = await until(async () => {
          const all = await Promise.all(framed().map((frame) => frame.evaluate<string>("document.body.innerText")));
          return all.length > 0 && all.every((text) => text !== "") ? all : undefined;
        });
        for (const text of texts) expect(text).not.toContain(SECRET);
      });

      test("its own ticket opens nothing else, wherever it is sent from", async () => {
        const { deployment, ledger, links } = scene;
        const { code } = links["in the page of a private link"];
        const { report } = await scene.openAt("in the page of a private link");
        const ticket = await report.evaluate<string>("location.pathname.split('/')[1]");
        expect(ticket).toBe(ticketOf(report) ?? "");
        const [version, expiry, ref, mac] = ticket.split(".");
        const longer = [version, Number(expiry) + 3600, ref, mac].join(".");
        const statusAt = async (path: string) =>
          (await deployment.fetch(`${deployment.contentUrl}${path}`, { headers: HTML })).status;
        expect(await statusAt(`/${ticket}/${code}/`)).toBe(200);
        expect(await statusAt(`/${longer}/${code}/`)).toBe(404);
        for (const other of [ledger.code, ledger.first, `${code}/../${ledger.code}`, `${code}/..%2f${ledger.code}`]) {
          expect(await statusAt(`/${ticket}/${other}/`)).toBe(404);
        }
      });
    },
    ["local", "https"],
  );

  describeEachDeployment(
    (start) => {
      const service = use(start);
      const act = actionsOf(service);

      interface Ended {
        code: string;
        organization: string;
        owner: { token: string };
        reader: { slug: string; email: string };
        context: BrowserContext;
      }

      const ends: Readonly<Record<string, (ended: Ended) => Promise<unknown>>> = {
        async "its reader has signed out"({ context }) {
          const page = await context.newPage();
          await signOut(page, service);
          await page.close();
        },
        "its reader's session has expired": ({ reader: { email } }) =>
          executeSql(
            service.database,
            `update sessions set expires_at = 1 where user_id in (select id from users where email = '${email}')`,
          ),
        "its reader has left the organization": ({ organization, reader }) =>
          readersOf(service).leave(organization, reader.slug),
        "its owner has made it private": ({ owner, code }) =>
          act.setVisibility(owner.token, { code, visibility: "private" }),
        "its owner has deleted it": ({ owner, code }) => act.deleteCode(owner.token, code),
      };

      test.each(Object.keys(ends))("a report that was opened before can't be read any more after %s", async (name) => {
        const { slug: organization } = await service.build.organization();
        const [owner, reader] = [await service.build.user(), await service.build.user()];
        for (const { slug } of [owner, reader]) {
          await service.build.accounts.addMember({ organizationSlug: organization, userSlug: slug, role: "member" });
        }
        const files = { "index.html": "<!doctype html><title>Shared</title><h1>Shared</h1>", "data.json": "[]" };
        const code = await publishFiles(service, owner.token, files, { visibility: "org" });
        const context = await signedInContext(browser, service, reader.email);
        const page = await context.newPage();
        const link = `${service.baseUrl}/${code}/`;
        await page.goto(link);
        const report = await reportIn(page, service, code);
        const urls = [report.url(), new URL("data.json", report.url()).href];
        // Including what a browser would return from its cache without a request.
        const seen = () =>
          Promise.all(
            ["default", "force-cache"].map((cache) => attack<unknown[]>(report, FETCH_STATUSES, { urls, cache })),
          );
        expect(await seen()).toEqual([
          [200, 200],
          [200, 200],
        ]);

        await ends[name]?.({ code, organization, owner, reader, context });
        expect(await seen()).toEqual([
          [404, 404],
          [404, 404],
        ]);
        const tab = await context.newPage();
        for (const url of urls) expect((await tab.goto(url))?.status()).toBe(404);
        await page.goto(`${service.contentUrl}/`);
        await page.goBack();
        await page.getByRole("heading", { name: /^(?:This report isn't public|Page not found)$/ }).waitFor();
        expect(page.url()).toStartWith(service.baseUrl);
        expect(page.frames()).toHaveLength(1);
        await context.close();
      });
    },
    ["local"],
  );
});
