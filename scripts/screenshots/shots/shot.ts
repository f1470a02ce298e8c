import type { Page } from "playwright-core";
import type { Scene } from "../server.ts";

/** One state of a page of the portal or of another page: what it shows, and how to get there. */
export interface Shot {
  /** The picture's file name without its ending. */
  name: string;
  /** Below the server's address. */
  path: string | ((scene: Scene) => string);
  /** Whether it is photographed signed out. */
  isPublic?: boolean;
  /** Whether the page's policy allows no scripts. */
  isUnscripted?: boolean;
  /** Widths to photograph, if the state doesn't exist at all. */
  widths?: readonly number[];
  /** Brings the page into the state to photograph. */
  act?(page: Page): Promise<unknown>;
}

export const WIDE = [1440];
export const PHONE = [390];

/** Milliseconds. */
const SETTLING = 4_000;

/** Waits until the page loads nothing, but not long: a page that keeps loading is photographed as people see it. */
const settle = (page: Page) => page.waitForLoadState("networkidle", { timeout: SETTLING }).catch(() => undefined);

/** Opens a page in a state. */
export async function openShot(page: Page, scene: Scene, { path, act }: Shot): Promise<void> {
  // What another state hid stays hidden in a browser.
  await page.addInitScript("try { localStorage.clear(); } catch {}");
  await page.goto(scene.url + (typeof path === "string" ? path : path(scene)), { waitUntil: "load" });
  await settle(page);
  await page.locator("h1:not([aria-busy=true] h1)").first().waitFor({ state: "attached" });
  if (act === undefined) return;
  await act(page);
  await settle(page);
}

type Act = NonNullable<Shot["act"]>;

/** Clicks the first button, tab or link with a name that is visible. */
export const click =
  (name: string | RegExp, role: "button" | "link" | "menuitem" | "radio" | "checkbox" | "option" = "button"): Act =>
  (page) =>
    page.getByRole(role, { name }).filter({ visible: true }).first().click();

/** Clicks as `click` does, and waits for the menu or dialog that this opens. */
export const opens = (what: "menu" | "dialog", ...clicked: Parameters<typeof click>): Act =>
  inOrder(click(...clicked), (page) => page.getByRole(what).filter({ visible: true }).last().waitFor());

export const chooses =
  (label: string): Act =>
  (page) =>
    page.getByText(label, { exact: true }).filter({ visible: true }).first().click();

export const hover =
  (text: string): Act =>
  (page) =>
    page.getByText(text).first().hover();

export const shows =
  (text: string | RegExp): Act =>
  (page) =>
    page.getByText(text).filter({ visible: true }).first().waitFor();

export const showsField =
  (name: string): Act =>
  (page) =>
    page.getByRole("textbox", { name, exact: true }).filter({ visible: true }).first().waitFor();

export const framesHeading =
  (name: string): Act =>
  (page) =>
    page.frameLocator("iframe").first().getByRole("heading", { name }).waitFor();

export const press =
  (...keys: string[]): Act =>
  async (page) => {
    for (const key of keys) await page.keyboard.press(key);
  };

export const types =
  (text: string): Act =>
  (page) =>
    page.keyboard.type(text);

export const inOrder =
  (...acts: readonly Act[]): Act =>
  async (page) => {
    for (const act of acts) await act(page);
  };

/** Answers requests in place of the server, and loads the page again. */
export const refuses =
  (pattern: string | RegExp, status: number, error: string): Act =>
  async (page) => {
    const headers = { "X-Request-Id": "9f2c1d7a-5b0e-4c6f-8a43-2f1e0d9c8b7a" };
    await page.route(pattern, (route) => route.fulfill({ status, headers, json: { error } }));
    await page.reload();
  };

/** Never answers requests, and loads the page again. */
export const waitsFor =
  (pattern: string | RegExp): Act =>
  async (page) => {
    await page.route(pattern, () => undefined);
    await page.reload({ waitUntil: "commit" });
  };

/** Returns a path that the scene knows. */
export const known =
  (what: string) =>
  ({ paths }: Scene): string => {
    const path = paths.get(what);
    if (path === undefined) throw new Error(`The scene has no path for "${what}".`);
    return path;
  };
