import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { z } from "zod";
import { PASSWORD, type Service } from "../../support/service.ts";
import { signIn } from "../../support/sessions.ts";
import { lendContext } from "./visitor-contexts.ts";

/** Somebody's browser with the portal in it. */
export interface PortalVisitor extends AsyncDisposable {
  context: BrowserContext;
  page: Page;
  /** Whatever went wrong that a reader need not see: exceptions, refused styles and scripts, requests to other hosts. */
  troubles: string[];
}

export interface VisitorOptions extends BrowserContextOptions {
  password?: string;
  /** What of the service the visitor sees first, under `/-`. */
  path?: string;
  /** Not to be used by anybody later, since the test does to its context what cannot be undone. */
  isSpoiled?: boolean;
}

type Links = Pick<Service, "baseUrl" | "contentUrl">;

/** Signs somebody in and opens a page of the portal. */
export async function openPortal(
  browser: Browser,
  service: Links,
  email: string,
  { password = PASSWORD, path = "/", isSpoiled = false, ...options }: VisitorOptions = {},
): Promise<PortalVisitor> {
  const { context, giveBack } = await lendContext(browser, service.baseUrl, {
    viewport: { width: 1440, height: 900 },
    // What is fading in is looked at too early.
    reducedMotion: "reduce",
    ...options,
  });
  const troubles = watch(context, service);
  await context.addCookies([await sessionCookie(service, email, password)]);
  const page = await context.newPage();
  await page.goto(`${service.baseUrl}/-${path}`);
  return { context, page, troubles, [Symbol.asyncDispose]: isSpoiled ? () => context.close() : giveBack };
}

/** Ends the session of somebody's browser as they would, from the first page on. */
export async function signOut(page: Page, { baseUrl }: Pick<Service, "baseUrl">): Promise<void> {
  await page.goto(baseUrl);
  await page.getByRole("button", { name: /^Account of/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
}

/** What a signed-in browser has; taken from a sign-in that it had no part in. */
export async function sessionCookie({ baseUrl }: Pick<Links, "baseUrl">, email: string, password: string) {
  const pair = await signIn({ baseUrl }, { email, password });
  const equals = pair.indexOf("=");
  return { name: pair.slice(0, equals), value: pair.slice(equals + 1), url: baseUrl };
}

function watch(context: BrowserContext, { baseUrl, contentUrl }: Links): string[] {
  const troubles: string[] = [];
  context.on("console", (message) => {
    // A refusal that the page shows is logged by the browser as well; what a report says in its frame is its own affair.
    const isExpected = /status of [45]\d\d|net::ERR_/.test(message.text());
    const isReports = message.location().url.startsWith(contentUrl);
    if (["error", "warning"].includes(message.type()) && !isExpected && !isReports) troubles.push(message.text());
  });
  context.on("weberror", (error) => troubles.push(error.error().message));
  context.on("request", (request) => {
    const url = request.url();
    const isOwn = [baseUrl, contentUrl, "data:", "blob:"].some((start) => url.startsWith(start));
    if (!isOwn && request.frame().url().startsWith(baseUrl)) troubles.push(`${url} was asked for`);
  });
  return troubles;
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const axeResult = z.object({
  violations: z.array(
    z.object({
      id: z.string(),
      nodes: z.array(z.object({ target: z.array(z.unknown()), failureSummary: z.string() })),
    }),
  ),
});

/** What axe finds wrong on the page as it is now: nothing, or a line for each element. Frames of reports are left out. */
export async function findBarriers(page: Page): Promise<string[]> {
  // Evaluated by the debugger, which the page's policy does not concern.
  if (!(await page.evaluate('typeof axe === "object"'))) await page.evaluate(axeSource);
  const result = await page.evaluate(
    `axe.run({ exclude: [["iframe"]] }, { resultTypes: ["violations"], iframes: false })`,
  );
  return axeResult
    .parse(result)
    .violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary.replaceAll("\n", " ")}`),
    );
}
