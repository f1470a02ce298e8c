import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import type { Cause } from "../../src/html/warnings/findings.ts";
import { PAGE } from "../browser/construct.ts";
import { CONSTRUCTS } from "../browser/constructs.ts";
import { chromiumUnavailable, launchChromium } from "../support/chromium.ts";
import { clientEnvironment, vitrine } from "../support/cli.ts";
import { type Service, startService } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";
import { REPORT_TOOLS } from "./report-tools.ts";
import { exerciseReport, type Troubles } from "./report-troubles.ts";

/** Reports made in parallel: the tools are slow programs. */
const MAKERS = 2;

/** The causes of warnings, by their texts. */
const SENTENCES: readonly (readonly [RegExp, Cause])[] = [
  [/: localStorage is/, "localStorage"],
  [/: sessionStorage is/, "sessionStorage"],
  [/: document\.cookie is/, "document.cookie"],
  [/: indexedDB is/, "indexedDB"],
  [/: caches is/, "caches"],
  [/: navigator\.serviceWorker is/, "serviceWorker"],
  [/start a Worker/, "Worker"],
  [/start a SharedWorker/, "SharedWorker"],
  [/importScripts can't load/, "importScripts"],
  [/can't import .* without crossorigin/, "import()"],
  [/on your own computer/, "local file"],
  [/in the upload\./, "missing"],
  [/can't have subdirectories/, "subdirectory"],
  [/starts? with "\/"/, "rooted"],
  [/outside the upload/, "outside"],
  [/over http,/, "insecure"],
  [/The base element/, "base"],
  [/use shapes/, "shape"],
  [/has an integrity attribute/, "integrity"],
  [/instead of downloading/, "download"],
  [/can't submit forms/, "form"],
  [/no target="_blank"/, "link"],
  [/getDirectory/, "getDirectory"],
  [/navigator\.locks/, "locks"],
  [/navigator\.credentials/, "navigator.credentials"],
  [/requests with cookies/, "credentials"],
  [/Reading a canvas/, "canvas"],
  [/Reading cssRules/, "cssRules"],
  [/content of frames/, "frame"],
  [/of a window they open/, "popup"],
  [/of the page around them/, "parent"],
  [/to check completely/, "incomplete"],
];

/** The causes of problems, by the browser's messages. */
const MESSAGES: readonly (readonly [RegExp, Cause])[] = [
  [/'localStorage' property/, "localStorage"],
  [/'sessionStorage' property/, "sessionStorage"],
  [/'cookie' property/, "document.cookie"],
  [/IDBFactory|indexedDB/, "indexedDB"],
  [/CacheStorage|'caches'/, "caches"],
  [/Service ?worker/i, "serviceWorker"],
  [/construct 'Worker'/, "Worker"],
  [/construct 'SharedWorker'/, "SharedWorker"],
  [/file:\/\//, "local file"],
  [/form-action/, "form"],
  [/tainted|cross-origin data/i, "canvas"],
  [/cssRules/, "cssRules"],
  [/named property 'document' from 'Window'/, "popup"],
  [/Locks/, "locks"],
  [/base-uri/, "base"],
];

/**
 * Causes that a browser does not report, judged by hand: it loads icons and images of unused styles only when it shows
 * them, follows links only on click, and opens a report by its version link outside any frame.
 */
const BY_HAND: Readonly<Record<string, readonly Cause[]>> = {
  "Allure Classic": ["missing"],
  "Allure Dashboard": ["missing"],
  Leaflet: ["subdirectory"],
  jsdoc: ["link"],
};

interface Judged {
  name: string;
  real: ReadonlySet<Cause>;
  told: ReadonlySet<Cause>;
}

const causeOf = (table: readonly (readonly [RegExp, Cause])[], text: string): Cause[] => {
  const found = table.find(([pattern]) => pattern.test(text));
  return found === undefined ? [] : [found[1]];
};

function causesOf({ messages, missing }: Troubles, base: string): Cause[] {
  const fromMessages = messages.flatMap((message) => causeOf(MESSAGES, message));
  const fromAddresses = missing.map((address): Cause => {
    if (!address.startsWith(base)) return "rooted";
    return address.slice(base.length).includes("/") ? "subdirectory" : "missing";
  });
  return [...fromMessages, ...fromAddresses];
}

/** Returns the causes that a command warned of. A text without a known cause is an error. */
function causesTold(stderr: string): Cause[] {
  const warnings = stderr.split("\n").filter((line) => line.startsWith("Warning: "));
  return warnings.map((warning) => {
    const [cause] = causeOf(SENTENCES, warning);
    if (cause === undefined) throw new Error(`Unknown warning: ${warning}`);
    return cause;
  });
}

describeIf("how many of the warnings are right, and how many are missing", chromiumUnavailable(), () => {
  let service: Service;
  let browser: Browser;
  let token: string;
  let work: string;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), launchChromium()]);
    token = (await service.build.user()).token;
    work = await mkdtemp(join(tmpdir(), "vitrine-figures-"));
  });
  afterAll(async () => {
    await browser.close();
    await service[Symbol.asyncDispose]();
    await rm(work, { recursive: true });
  });

  async function judge(name: string, path: string): Promise<Judged> {
    const environment = clientEnvironment(service, token);
    const { code, stdout, stderr } = await vitrine(["publish", path, "--public", "--flatten"], { environment });
    if (code !== 0) throw new Error(`${name} was not published: ${stderr}`);
    const url = stdout.trim();
    const troubles = await exerciseReport(browser, url).catch((cause) => {
      throw new Error(`${name} could not be used.`, { cause });
    });
    const real = new Set([...causesOf(troubles, url), ...(BY_HAND[name] ?? [])]);
    return { name, real, told: new Set(causesTold(stderr)) };
  }

  const directoryFor = async (name: string) => {
    const directory = join(work, name.replace(/[^A-Za-z0-9]+/g, "-"));
    await mkdir(directory);
    return directory;
  };

  async function makeReports() {
    const waiting = REPORT_TOOLS.filter(({ needs = "node" }) => Bun.which(needs) !== null);
    const made: { name: string; path: string }[] = [];
    const makers = Array.from({ length: MAKERS }, async () => {
      for (let tool = waiting.shift(); tool !== undefined; tool = waiting.shift()) {
        made.push({ name: tool.name, path: await tool.make(await directoryFor(tool.name)) });
      }
    });
    await Promise.all(makers);
    return made;
  }

  /** Publishes each failing construct on a separate page; test/browser/warnings.long.test.ts shows that it fails. */
  async function judgeConstructs(): Promise<Judged[]> {
    const judged: Judged[] = [];
    for (const { name, cause, broken } of CONSTRUCTS) {
      const directory = await directoryFor(`construct ${judged.length}`);
      const files = { "index.html": PAGE(broken.html), ...broken.files };
      for (const [file, text] of Object.entries(files)) await Bun.write(join(directory, file), text);
      const storage = broken.storage === undefined ? [] : ["--storage", broken.storage];
      const environment = clientEnvironment(service, token);
      const { stderr } = await vitrine(["publish", directory, "--public", ...storage], { environment });
      judged.push({ name, real: new Set([cause]), told: new Set(causesTold(stderr)) });
    }
    return judged;
  }

  test("recall is at least 90 %, precision at least 95 %, by cause, for the constructs and 25 real reports", async () => {
    const reports: Judged[] = [];
    for (const { name, path } of await makeReports()) reports.push(await judge(name, path));
    expect(reports.length).toBeGreaterThanOrEqual(25);
    const judged = [...(await judgeConstructs()), ...reports];
    const count = (pick: (each: Judged) => number) => judged.reduce((sum, each) => sum + pick(each), 0);
    const right = count(({ real, told }) => real.intersection(told).size);
    const recall = right / count(({ real }) => real.size);
    const precision = right / count(({ told }) => told.size);
    const wrong = judged.filter(({ real, told }) => real.symmetricDifference(told).size > 0);
    for (const { name, real, told } of reports)
      console.error(`  ${name}: real ${[...real].join(", ") || "none"}; told ${[...told].join(", ") || "none"}`);
    for (const { name, real, told } of wrong)
      console.error(`  WRONG ${name}: real ${[...real].join(", ")}; told ${[...told].join(", ")}`);
    console.error(
      `  ${reports.length} reports, ${CONSTRUCTS.length} constructs: recall ${percent(recall)}, precision ${percent(precision)}`,
    );
    expect(recall).toBeGreaterThanOrEqual(0.9);
    expect(precision).toBeGreaterThanOrEqual(0.95);
  });
});

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
