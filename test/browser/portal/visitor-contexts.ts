import type { Browser, BrowserContext, BrowserContextOptions } from "playwright-core";

/** A browser context that one visitor uses for a while. */
export interface Lent {
  context: BrowserContext;
  giveBack(): Promise<void>;
}

/**
 * Used contexts, by browser and options. They hold compiled scripts and, in a page that stays open, a running renderer;
 * creating both takes most of the time of a page's first load.
 */
const idle = new WeakMap<Browser, Map<string, BrowserContext[]>>();

/** Returns a context without cookies, storage, permissions and routes, and with one idle page of the service. */
export async function lendContext(browser: Browser, baseUrl: string, options: BrowserContextOptions): Promise<Lent> {
  const key = JSON.stringify([baseUrl, options]);
  const kinds = idle.get(browser) ?? new Map<string, BrowserContext[]>();
  idle.set(browser, kinds);
  const shelf = kinds.get(key) ?? [];
  kinds.set(key, shelf);
  const context = shelf.pop() ?? (await makeContext(browser, baseUrl, options));
  return {
    context,
    async giveBack() {
      await clean(context, baseUrl);
      await context.grantPermissions(options.permissions ?? []);
      shelf.push(context);
    },
  };
}

async function makeContext(browser: Browser, baseUrl: string, options: BrowserContextOptions): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  const keeper = await context.newPage();
  await keeper.goto(`${baseUrl}/-/sign-in`);
  return context;
}

async function clean(context: BrowserContext, baseUrl: string): Promise<void> {
  const [keeper, ...pages] = context.pages();
  if (keeper === undefined) throw new Error("A test closed the idle page of its context.");
  for (const event of ["console", "weberror", "request", "page", "response"] as const)
    context.removeAllListeners(event);
  await context.setOffline(false);
  await Promise.all(pages.map((page) => page.close()));
  await context.unrouteAll();
  await context.clearCookies();
  await context.clearPermissions();
  const debugging = await context.newCDPSession(keeper);
  await debugging.send("Storage.clearDataForOrigin", {
    origin: baseUrl,
    storageTypes: "local_storage,indexeddb,cache_storage,service_workers",
  });
  await debugging.detach();
}
