import { afterEach, expect, test } from "bun:test";
import type { Request } from "playwright-core";
import { routes } from "../../src/contract/index.ts";
import { webpOf } from "../domain/thumbnails/images.ts";
import { chromiumUnavailable } from "../support/chromium.ts";
import { until } from "../support/content.ts";
import { buildUpload, PASSWORD } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";
import { within } from "../support/until.ts";
import { use } from "../support/use.ts";
import { type Call, OPEN_SOCKETS, PROBE_STORAGE, SEND_CALLS, SEND_FORMS } from "./attacks.ts";
import { describeEachDeployment, launchNamingChromium } from "./deployments.ts";
import { attack, createScene, PLACES, SLOW_PLACES } from "./hostile-scene.ts";

describeIf("a hostile report", chromiumUnavailable(), () => {
  const browser = use(launchNamingChromium);

  describeEachDeployment((start) => {
    const scene = use(async () => createScene(await start(), browser));

    afterEach(() => scene.closePages());

    /** Returns requests that would do harm, as JSON by path. */
    function harmful(): Record<string, object> {
      const { ledger, attacker, victim } = scene;
      const { name, first, code } = ledger;
      return {
        "/api/upload": { ...buildUpload(), name, visibility: "public" },
        "/api/rename": { name, newName: `${name}-taken` },
        "/api/set-visibility": { name, visibility: "public" },
        "/api/share/links/create": { name },
        "/api/set-folder": { name, folder: "Taken" },
        "/api/setlatest": { name, code: first },
        "/api/report/thumbnail": { code, image: webpOf().toString("base64") },
        "/api/delete-code": { code },
        "/api/delete-group": { name },
        "/api/settings/set-display-name": { owner: victim.slug, display_name: "Taken" },
        "/api/tokens/create": { owner: victim.slug, name: "Taken", scopes: ["reports:delete"], expires_in_days: null },
        "/api/sessions/end-others": {},
        "/api/auth/sign-in/email": { email: attacker.email, password: PASSWORD },
        "/api/auth/change-password": { currentPassword: PASSWORD, newPassword: "chosen by an attacker" },
        "/api/auth/revoke-sessions": {},
        "/api/auth/sign-out": {},
      };
    }

    const toCalls = (bodies: Readonly<Record<string, object>>): Call[] =>
      Object.entries(bodies).map(([path, body]) => ({
        url: scene.deployment.baseUrl + path,
        body: JSON.stringify(body),
      }));

    /** Returns the requests to the application host during an action. */
    async function requestsDuring(act: () => Promise<unknown>): Promise<Request[]> {
      const requests: Request[] = [];
      const listen = (request: Request) => {
        if (request.url().startsWith(`${scene.deployment.baseUrl}/api/`)) requests.push(request);
      };
      scene.context.on("request", listen);
      await act();
      scene.context.off("request", listen);
      return requests;
    }

    /** Milliseconds: the debugger may have missed requests of a page that just opened, and would wait forever. */
    const PATIENCE = 5_000;

    const headersOf = async (requests: readonly Request[]) =>
      (await Promise.all(requests.map((request) => within(PATIENCE, request.allHeaders())))).filter(
        (headers) => headers !== undefined,
      );

    test.each(PLACES)("a report can't read the browser's storage, %s", async (place) => {
      const { report } = await scene.openAt(place);
      const { origin, referrer, ...rest } = await attack<Record<string, string>>(report, PROBE_STORAGE);
      expect({ origin, referrer }).toEqual({ origin: "null", referrer: "" });
      for (const [name, outcome] of Object.entries(rest)) {
        // Over http in an intranet, browsers don't even have some of these.
        expect([name, outcome]).toEqual([name, expect.stringMatching(/^(?:Security|Type|Reference)Error$/)]);
      }
    });

    test.each(SLOW_PLACES)("scripts of a report change and read nothing, %s", async (place) => {
      const before = await scene.state();
      const { report } = await scene.openAt(place);
      const others = [...routes.map(({ path }) => path), "/api/auth/get-session"];
      const wanted = toCalls({ ...Object.fromEntries(others.map((path) => [path, {}])), ...harmful() });
      const requests = await requestsDuring(async () => {
        expect(await attack<unknown[]>(report, SEND_CALLS, wanted)).toEqual([]);
      });
      const reached = new Set(requests.map((request) => request.url()));
      expect(reached).toEqual(new Set(wanted.map(({ url }) => url)));
      expect(await scene.state()).toEqual(before);
    });

    test.each([PLACES[0], PLACES[1]])("forms of a report change nothing, %s", async (place) => {
      const before = await scene.state();
      const { report } = await scene.openAt(place);
      const wanted = toCalls(harmful());
      const sent = await requestsDuring(async () => {
        await attack(report, SEND_FORMS, wanted);
        await scene.loadLaterPage();
      });
      expect(sent).toEqual([]);
      const inside = await scene.openInside(report, "more.html");
      const requests = await requestsDuring(async () => {
        await attack(inside, SEND_FORMS, wanted);
        await until(async () => scene.context.pages().length > wanted.length || undefined);
        await Promise.all(scene.context.pages().map((page) => page.waitForLoadState()));
      });
      const headers = await headersOf(requests);
      expect(headers.length).toBeGreaterThanOrEqual(wanted.length);
      expect(headers.flatMap(({ cookie }) => cookie ?? [])).toEqual([]);
      const answers = await Promise.all(requests.map((request) => within(PATIENCE, request.response())));
      const statuses = answers.flatMap((answer) => answer?.status() ?? []);
      expect(statuses.length).toBeGreaterThanOrEqual(wanted.length);
      expect(new Set(statuses)).toEqual(new Set([403]));
      expect(await scene.state()).toEqual(before);
    });

    test.each(PLACES)("a report opens no sockets, %s", async (place) => {
      const { deployment, victim, ledger, links } = scene;
      const { report } = await scene.openAt(place);
      const pages = [
        `${deployment.baseUrl}/`,
        `${deployment.baseUrl}/${ledger.name}/`,
        `${deployment.contentUrl}/@${victim.slug}/${ledger.name}/`,
        links["in the page of a live link"].link,
      ];
      const urls = pages.flatMap((page) => [page, `${page}~socket`]).map((url) => url.replace("http", "ws"));
      expect(await attack<string[]>(report, OPEN_SOCKETS, urls)).toEqual([]);
    });

    test("the victim's password is unchanged after all attacks", async () => {
      const { victim, deployment } = scene;
      const response = await deployment.fetch(`${deployment.baseUrl}/api/auth/sign-in/email`, {
        method: "POST",
        headers: { Origin: deployment.baseUrl, "Content-Type": "application/json" },
        body: JSON.stringify({ email: victim.email, password: PASSWORD }),
      });
      expect(response.status).toBe(200);
    });
  });
});
