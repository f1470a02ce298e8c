import { beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import type { Frame, Page } from "playwright-core";
import { withStandIn } from "../../src/html/stand-in.ts";
import { chromiumUnavailable, useBrowser } from "../support/chromium.ts";
import { publishFiles } from "../support/content.ts";
import { runsOf } from "../support/runs.ts";
import { uniqueName, useService } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";

const TRIALS = runsOf(25);

/** Ordinary keys, names of methods, keys that look like numbers, and the empty key. */
const key = fc.constantFrom("a", "b", "getItem", "length", "key", "toString", "constructor", "0", "", "é\u0000");
const value = fc.oneof(fc.string({ maxLength: 5 }), fc.constantFrom(null, 1, true));
const call = (name: string, ...given: fc.Arbitrary<unknown>[]) =>
  fc.tuple(...given).map((all) => `storage.${name}(${all.map((each) => JSON.stringify(each)).join()})`);
const text = (build: (key: string) => string) => key.map((name) => build(JSON.stringify(name)));
/** What a script can do with a storage object, each as an expression. */
const step = fc.oneof(
  call("setItem", key, value),
  call("setItem", key, value),
  call("getItem", key),
  call("removeItem", key),
  call("clear"),
  fc.constantFrom(
    "storage.length",
    "storage.key(99)",
    "storage.key(-1)",
    "storage.key()",
    "storage.getItem()",
    "storage.setItem('a')",
  ),
  fc.tuple(key, value).map(([name, given]) => `storage[${JSON.stringify(name)}] = ${JSON.stringify(given)}`),
  text((name) => `typeof storage[${name}] === "function" ? "function" : storage[${name}]`),
  text((name) => `delete storage[${name}]`),
  text((name) => `${name} in storage`),
  text((name) => `Object.hasOwn(storage, ${name})`),
  text((name) => `Object.getOwnPropertyDescriptor(storage, ${name})`),
  text((name) => `Object.defineProperty(storage, ${name}, { value: 7 }) === storage`),
  text((name) => `Storage.prototype.getItem.call(storage, ${name})`),
  fc.constantFrom(
    "Object.keys(storage).filter(isOwn).sort()",
    "Object.entries(storage).filter(([key]) => isOwn(key)).sort()",
    "Object.entries(JSON.parse(JSON.stringify(storage))).filter(([key]) => isOwn(key)).sort()",
    "{ const keys = []; for (const key in storage) if (isOwn(key)) keys.push(key); result = keys.sort(); }",
    "({ ...storage }).a",
    "Array.from({ length: storage.length }, (_, n) => storage.key(n)).sort()",
    "storage instanceof Storage",
    "String(storage)",
    "storage === window[name]",
    "storage[Symbol.iterator]",
    "storage.setItem(Symbol(), 1)",
    "Storage.prototype.getItem.call({}, 'a')",
  ),
);

/** Runs the steps in a page and returns the results, with errors by their kinds. */
const program = (name: string, steps: readonly string[]) => `((name) => {
  const storage = window[name];
  // Browsers don't always list items with the name of a method.
  const isOwn = (key) => !(key in Storage.prototype);
  storage.clear();
  const outcomes = [];
  const attempt = (act) => {
    try { const value = act(); outcomes.push(value === undefined ? "undefined" : value); } catch (error) { outcomes.push("throws " + error.name); }
  };
  ${steps.map((each) => (each.startsWith("{") ? `attempt(() => { let result; ${each} return result; });` : `attempt(() => (${each}));`)).join("\n")}
  return JSON.stringify(outcomes);
})(${JSON.stringify(name)})`;

const PIECES = [
  "<!doctype html>",
  "<html lang=en>",
  "<head class=h>",
  "<!-- c -->",
  "<!--",
  "-->",
  "<?x?>",
  " \n",
  "text",
  "<script>1</script>",
  "<title>t</title>",
  "<body class=b>",
  "<p a='>'>",
  "</head>",
  "<frameset>",
  "é",
];

describeIf("the stand-in for browser storage", chromiumUnavailable(), () => {
  const service = useService();
  const browser = useBrowser();
  let token: string;
  let slug: string;
  let page: Page;

  beforeAll(async () => {
    ({ token, slug } = await service.build.user());
    page = await browser.newPage();
  });

  const publish = (html: string, details: object = {}) =>
    publishFiles(service, token, { "index.html": html }, { storage: "memory", ...details });

  test.each(["localStorage", "sessionStorage"])("%s behaves like the browser's own", async (name) => {
    using own = Bun.serve({ port: 0, fetch: () => new Response("", { headers: { "Content-Type": "text/html" } }) });
    const real = await browser.newPage();
    await real.goto(own.url.href);
    const stoodIn = await browser.newPage();
    await stoodIn.goto(`${service.contentUrl}/${await publish("")}/`);
    expect(await stoodIn.evaluate("origin")).toBe("null");
    const trials = fc.array(step, { minLength: 1, maxLength: 25 });
    await fc.assert(
      fc.asyncProperty(trials, async (steps) => {
        await Promise.all([real.reload(), stoodIn.reload()]);
        const [expected, got] = await Promise.all([real, stoodIn].map((each) => each.evaluate(program(name, steps))));
        expect(JSON.parse(String(got))).toEqual(JSON.parse(String(expected)));
      }),
      { numRuns: TRIALS },
    );
    await real.close();
    await stoodIn.close();
  });

  test("both are separate, hold five megabytes, and are cleared with the page", async () => {
    await page.goto(`${service.contentUrl}/${await publish("")}/`);
    const fill = `(() => {
      localStorage.a = "x".repeat(5 * 1024 * 1024 - 1);
      const outcomes = [];
      for (const act of [() => localStorage.setItem("b", ""), () => { localStorage.a = ""; localStorage.b = "1"; }]) {
        try { act(); outcomes.push("done"); } catch (error) { outcomes.push(error.name + " " + error.code); }
      }
      return [...outcomes, sessionStorage.length, localStorage.length];
    })()`;
    expect(await page.evaluate(fill)).toEqual(["QuotaExceededError 22", "done", 0, 2]);
    await page.reload();
    expect(await page.evaluate("localStorage.length")).toBe(0);
  });

  test("events can refer to it, as those made by libraries do", async () => {
    await page.goto(`${service.contentUrl}/${await publish("")}/`);
    const made = `(() => {
      const event = new StorageEvent("storage", { key: "a", newValue: "1", storageArea: sessionStorage });
      const plain = new StorageEvent("storage");
      return [event.storageArea === sessionStorage, event.key, event.newValue, event instanceof Event, plain.storageArea];
    })()`;
    expect(await page.evaluate(made)).toEqual([true, "a", "1", true, null]);
  });

  test("cookies are kept, replaced, and removed when they expire", async () => {
    await page.goto(`${service.contentUrl}/${await publish("")}/`);
    const cookies = (...set: string[]) =>
      page.evaluate(`${set.map((each) => `document.cookie = ${JSON.stringify(each)};`).join("")} document.cookie`);
    expect(await cookies()).toBe("");
    expect(await cookies("a=1", " b = x=y ; path=/; Max-Age=60", "c")).toBe("a=1; b=x=y; c");
    expect(await cookies("a=2", "b=; max-age=0", "c; expires=Thu, 01 Jan 1970 00:00:00 GMT")).toBe("a=2");
    expect(await cookies("=", "d=1; expires=nonsense")).toBe("a=2; d=1");
  });

  test("documents parse as they would without it", async () => {
    await page.goto("about:blank");
    const documents = fc
      .sample(fc.array(fc.constantFrom(...PIECES), { maxLength: 10 }), 400)
      .map((all) => all.join(""));
    const pairs = documents.map((html) => [html, Buffer.from(withStandIn(Buffer.from(html))).toString()]);
    const differing = await page.evaluate(`${JSON.stringify(pairs)}.filter(([plain, made]) => {
      const parse = (html) => new DOMParser().parseFromString(html, "text/html");
      // Comments and spaces before everything else end up in the head, where they have no effect either.
      const describe = (doc) => {
        const walker = doc.createTreeWalker(doc, NodeFilter.SHOW_COMMENT | NodeFilter.SHOW_PROCESSING_INSTRUCTION | NodeFilter.SHOW_TEXT);
        const nodes = [];
        while (walker.nextNode()) nodes.push(walker.currentNode);
        for (const node of nodes) if (node.nodeType !== 3 || node.nodeValue.trim() === "") node.remove();
        doc.normalize();
        return [doc.compatMode, ...Array.from(doc.childNodes, (node) => node.outerHTML ?? node.nodeName)].join("|");
      };
      const made_ = parse(made);
      const script = made_.querySelector("script");
      if (!script?.textContent.includes("currentScript.remove")) return true;
      script.remove();
      return describe(made_) !== describe(parse(plain));
    }).map(([plain]) => plain)`);
    expect(differing).toEqual([]);
  });

  test("it runs before the page's own scripts and policy, and leaves no trace in the document", async () => {
    const code = await publish(
      `<!doctype html><html><head><meta http-equiv="Content-Security-Policy" content="script-src 'nonce-a'">
       <script nonce=a>localStorage.seen = document.scripts.length + document.compatMode;</script><p>x`,
    );
    await page.goto(`${service.contentUrl}/${code}/`);
    expect(await page.evaluate("localStorage.seen + document.head.firstElementChild.tagName")).toBe("1CSS1CompatMETA");
  });

  test("it is present behind live links and in frames of the report, and only where it was requested", async () => {
    const name = uniqueName();
    const html =
      "<!doctype html><iframe src=inner.html></iframe><output></output><script>document.querySelector('output').textContent = localStorage.length</script>";
    const files = { "index.html": html, "inner.html": html.replace(/<iframe.*iframe>/, "") };
    const frameNamed = (path: string): Frame | undefined => page.frames().find((each) => each.url().endsWith(path));
    for (const [storage, shown] of [
      ["memory", "0"],
      ["none", ""],
    ] as const) {
      const code = await publishFiles(service, token, files, { name, storage });
      await page.goto(`${service.contentUrl}/@${slug}/${name}/`);
      const report = page.frameLocator("iframe").first();
      await report.frameLocator("iframe").locator("output").waitFor({ state: "attached" });
      for (const path of [`/${code}/`, `/${code}/inner.html`]) {
        const frame = frameNamed(path);
        expect(frame).toBeDefined();
        await frame?.waitForLoadState();
        expect(await frame?.locator("output").textContent()).toBe(shown);
      }
    }
  });
});
