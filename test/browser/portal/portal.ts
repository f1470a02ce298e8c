import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { z } from "zod";
import { PASSWORD, type Service } from "../../support/service.ts";
import { signIn } from "../../support/sessions.ts";
import { lendContext } from "./visitor-contexts.ts";

/** A person's browser with the portal open. */
export interface PortalVisitor extends AsyncDisposable {
  context: BrowserContext;
  page: Page;
  /** Problems that readers don't see: exceptions, refused styles and scripts, requests to other hosts. */
  troubles: string[];
}

export interface VisitorOptions extends BrowserContextOptions {
  password?: string;
  /** The first page, below `/-`. */
  path?: string;
  /** Never reuses the browser context, because the test changes it irreversibly. */
  isSpoiled?: boolean;
}

type Links = Pick<Service, "baseUrl" | "contentUrl">;

/** Signs a user in and opens a page of the portal. */
export async function openPortal(
  browser: Browser,
  service: Links,
  email: string,
  { password = PASSWORD, path = "/", isSpoiled = false, ...options }: VisitorOptions = {},
): Promise<PortalVisitor> {
  const { context, giveBack } = await lendContext(browser, service.baseUrl, {
    viewport: { width: 1440, height: 900 },
    // Otherwise the test may look during a fade-in.
    reducedMotion: "reduce",
    ...options,
  });
  const troubles = watch(context, service);
  await context.addCookies([await sessionCookie(service, email, password)]);
  const page = await context.newPage();
  await page.goto(`${service.baseUrl}/-${path}`);
  return { context, page, troubles, [Symbol.asyncDispose]: isSpoiled ? () => context.close() : giveBack };
}

/** Signs a browser out through the pages, as a person would. */
export async function signOut(page: Page, { baseUrl }: Pick<Service, "baseUrl">): Promise<void> {
  await page.goto(baseUrl);
  await page.getByRole("button", { name: /^Account of/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
}

/** Returns the session cookie of a separate sign-in. */
export async function sessionCookie({ baseUrl }: Pick<Links, "baseUrl">, email: string, password: string) {
  const pair = await signIn({ baseUrl }, { email, password });
  const equals = pair.indexOf("=");
  return { name: pair.slice(0, equals), value: pair.slice(equals + 1), url: baseUrl };
}

function watch(context: BrowserContext, { baseUrl, contentUrl }: Links): string[] {
  const troubles: string[] = [];
  context.on("console", (message) => {
    // Browsers also log refusals that the page shows. Messages from framed reports don't count.
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

/** Returns one line for each element on the page that axe reports. Leaves out frames of reports. */
export async function findBarriers(page: Page): Promise<string[]> {
  // Evaluated by the debugger, to which the page's policy doesn't apply.
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
