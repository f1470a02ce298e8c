import { existsSync } from "node:fs";
import puppeteer from "puppeteer-core";
import { type Driven, KEY_DELAY, REPORT_FRAME } from "./driven.ts";

const executablePath = "/usr/bin/firefox-esr";

/** Returns why Firefox can't run here, or undefined. */
export const firefoxUnavailable = (): string | undefined =>
  existsSync(executablePath) ? undefined : `no ${executablePath} (Debian's package: firefox-esr)`;

const PREFERENCES = {
  // As set by people who block tracking.
  "network.cookie.cookieBehavior": 5,
  "privacy.trackingprotection.enabled": true,
  "browser.contentblocking.category": "strict",
  // Prevents update checks.
  "app.update.enabled": false,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
};

/** Errors that pages log, as text, because the protocol tells only that they are objects. */
const LOG_AS_TEXT = `for (const kind of ["error", "warn"]) {
  const log = console[kind];
  console[kind] = (...parts) => log.apply(console, parts.map((part) => (part instanceof Error ? String(part) : part)));
}`;

/** Milliseconds. Only ends waits for what never comes, however busy the machine. */
const HANGS_AFTER = 180_000;

/** Starts Firefox with an empty profile and one tab, driven by WebDriver BiDi. */
export async function startFirefox(): Promise<Driven> {
  const browser = await puppeteer.launch({
    browser: "firefox",
    executablePath,
    headless: true,
    timeout: HANGS_AFTER,
    protocolTimeout: HANGS_AFTER,
    extraPrefsFirefox: PREFERENCES,
  });
  const page = await browser.newPage();
  await page.evaluateOnNewDocument(LOG_AS_TEXT);
  let complaints: string[] = [];
  page.on("console", (message) => {
    if (["error", "warn"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));

  /** Finds an element, or null. With `page.$`, an error escapes its caller if the page removes the element meanwhile. */
  const find = async (selector: string) =>
    (await page.evaluateHandle(`document.querySelector(${JSON.stringify(selector)})`)).asElement();

  async function get(selector: string) {
    const element = await find(selector);
    if (element === null) throw new Error(`No element matches ${selector}.`);
    return element;
  }

  return {
    async open(url) {
      // Tests wait for what is visible; loading may never end.
      page.goto(url, { timeout: 0 }).catch(() => undefined);
    },
    evaluate: (expression) => page.evaluate(expression),
    async evaluateInReport(expression) {
      const frame = await (await find(REPORT_FRAME))?.contentFrame();
      return frame?.evaluate(expression);
    },
    type: async (selector, text) => (await get(selector)).type(text),
    click: async (selector) => (await get(selector)).click(),
    press: (keys) => page.keyboard.type(keys, { delay: KEY_DELAY }),
    async pressTogether(...keys) {
      for (const key of keys) await page.keyboard.down(key);
      for (const key of keys.toReversed()) await page.keyboard.up(key);
    },
    takeComplaints() {
      const taken = complaints;
      complaints = [];
      return taken;
    },
    [Symbol.asyncDispose]: () => browser.close(),
  };
}
