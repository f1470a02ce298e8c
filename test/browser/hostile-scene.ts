import type { Browser, Frame, Page } from "playwright-core";
import { accountRoute } from "../../src/contract/people/account.ts";
import { actionsOf } from "../hosts/app/actions.ts";
import { publishFiles, until } from "../support/content.ts";
import { IS_EVERYTHING } from "../support/runs.ts";
import { uniqueName } from "../support/service.ts";
import { type Deployment, reportIn, signedInContext } from "./deployments.ts";

const PAGE = `<!doctype html><meta charset="utf-8"><title>Hostile</title><h1>Hostile</h1><iframe name="inside"></iframe>`;
const FILES = { "index.html": PAGE, "more.html": PAGE, "worker.js": "" };

/** Words that only their owner may read. */
export const SECRET = "The ledger of the company";
const LEDGER = [{ path: "index.html", content: `<!doctype html><title>${SECRET}</title><h1>${SECRET}</h1>` }];

/** Where a report runs: on its own, or within a page of the service. */
export const PLACES = [
  "in a tab",
  "in the page of a private link",
  "in the page of a live link",
  "in the page of a private live link",
] as const;
export type Place = (typeof PLACES)[number];

/** Those in which the slowest attacks are made: all in a run of everything, otherwise those nearest to a private report. */
export const SLOW_PLACES = IS_EVERYTHING ? PLACES : ([PLACES[0], PLACES[3]] as const);

/** Signs in a victim with a private report, who opens reports of an attacker. */
export async function createScene(deployment: Deployment, browser: Browser) {
  const act = actionsOf(deployment);
  const [victim, attacker] = [await deployment.build.user(), await deployment.build.user()];
  const { baseUrl, contentUrl } = deployment;

  const ledgerName = uniqueName("ledger");
  const [first = "", code = ""] = await act.publishVersions(victim.token, ledgerName, 2, {
    title: SECRET,
    files: LEDGER,
  });
  const liveName = uniqueName("hostile");
  const open = await publishFiles(deployment, attacker.token, FILES, { name: liveName });
  // The victim published it, but its content is the attacker's.
  const ownName = uniqueName("own");
  const own = await publishFiles(deployment, victim.token, FILES, { visibility: "private", name: ownName });
  const links: Readonly<Record<Place, { link: string; code: string }>> = {
    "in a tab": { link: `${contentUrl}/${open}/`, code: open },
    "in the page of a private link": { link: `${baseUrl}/${own}/`, code: own },
    "in the page of a live link": { link: `${contentUrl}/@${attacker.slug}/${liveName}/`, code: open },
    "in the page of a private live link": { link: `${baseUrl}/${ownName}/`, code: own },
  };

  const context = await signedInContext(browser, deployment, victim.email);

  /** Opens a hostile report in the victim's browser. */
  async function openAt(place: Place): Promise<{ page: Page; report: Frame }> {
    const page = await context.newPage();
    await page.goto(links[place].link);
    const report = await reportIn(page, deployment, links[place].code);
    await report.getByRole("heading", { name: "Hostile" }).waitFor();
    return { page, report };
  }

  /** Loads a page of the service, after everything that the browser requested earlier. */
  async function loadLaterPage(): Promise<void> {
    const page = await context.newPage();
    await page.goto(`${deployment.baseUrl}/-/ready`);
    await page.close();
  }

  /** Opens another page of the report inside it, whose sandbox is looser. */
  async function openInside(report: Frame, file: string): Promise<Frame> {
    await report.evaluate(`void (document.querySelector("iframe").src = ${JSON.stringify(file)})`);
    const frame = await until(async () => report.childFrames().find((child) => child.url().endsWith(`/${file}`)));
    await frame.getByRole("heading", { name: "Hostile" }).waitFor();
    return frame;
  }

  /** Returns whom the application host knows the victim's browser as, and until when. */
  async function whoIsSignedIn(): Promise<unknown> {
    const page = await context.newPage();
    await page.goto(`${baseUrl}/`);
    const session = await page.evaluate<unknown>("fetch('/api/auth/get-session').then((response) => response.json())");
    await page.close();
    return session;
  }

  /** Returns everything that an attack could have changed. */
  const state = async () => ({
    victims: await act.list(victim.token),
    attackers: await act.list(attacker.token),
    ledger: await act.group(victim.token, ledgerName),
    account: await deployment.client(victim.token).call(accountRoute),
    tokens: (await deployment.build.tokens.list(victim.slug)).map(({ id }) => id),
    session: await whoIsSignedIn(),
    cookies: (await context.cookies()).map(({ name, value, domain, path }) => ({ name, value, domain, path })),
  });

  return {
    deployment,
    act,
    context,
    victim,
    attacker,
    ledger: { name: ledgerName, first, code },
    links,
    openAt,
    loadLaterPage,
    openInside,
    state,
    /** Closes all pages that attacks have opened. */
    closePages: () => Promise.all(context.pages().map((page) => page.close())),
    async [Symbol.asyncDispose]() {
      await context.close();
      await deployment[Symbol.asyncDispose]();
    },
  };
}

/** Runs an attack in a page, with the page's rights. */
export const attack = <Result>(frame: Frame, script: string, argument?: unknown): Promise<Result> =>
  frame.evaluate<Result>(`(${script})(${JSON.stringify(argument)})`);
