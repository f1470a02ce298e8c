import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { uploadRoute } from "../../src/contract/publish.ts";
import type { BodyInput } from "../../src/contract/route.ts";
import { chromiumUnavailable, launchChromium } from "../support/chromium.ts";
import { type Service, startService, uniqueName } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";

const DEADLINE = 15_000;

interface Form {
  /** Of the page's body; it says into its output whether it works. */
  html: string;
  files?: Readonly<Record<string, string>>;
  storage?: "memory";
}

interface Construct {
  name: string;
  /** What the warning of the broken form begins with. */
  warning: string;
  broken: Form;
  /** Each does what a warning says is to be done; none is warned of. */
  mended: readonly Form[];
}

const WORKS = "say('works')";
const script = (source: string) => `<script>${source}</script>`;
const storage = (use: string, remedies: readonly Form[]): readonly Form[] => [
  { html: script(`try { ${use} } catch {} ${WORKS}`) },
  ...remedies,
];
const stored = (use: string): Form => ({ html: script(`${use}; ${WORKS}`), storage: "memory" });
const ICONS = '<svg xmlns="http://www.w3.org/2000/svg"><rect id="a" width="9" height="9"/></svg>';
const MEASURE =
  "addEventListener('load', () => say(document.querySelector('use').getBBox().width > 0 ? 'works' : 'fails'))";
const ANSWER = "onmessage = ({ data }) => say(data); onerror = () => say('fails')";
const BLOB = (source: string) => `URL.createObjectURL(new Blob([${source}]))`;
const IMAGE = (src: string) => `<img src="${src}" onload="${WORKS}" onerror="say('fails')">`;
const PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
/** Of the text "say('works')". */
const DIGEST = `sha256-${new Bun.CryptoHasher("sha256").update(WORKS).digest("base64")}`;

const CONSTRUCTS: readonly Construct[] = [
  {
    name: "localStorage",
    warning: "uses localStorage",
    broken: { html: script(`localStorage.a = 1; ${WORKS}`) },
    mended: storage("localStorage.a = 1", [stored("localStorage.a = 1")]),
  },
  {
    name: "sessionStorage in a file",
    warning: "uses sessionStorage",
    broken: { html: "<script src=a.js></script>", files: { "a.js": `sessionStorage.a = 1; ${WORKS}` } },
    mended: [
      { html: "<script src=a.js></script>", files: { "a.js": `sessionStorage.a = 1; ${WORKS}` }, storage: "memory" },
    ],
  },
  {
    name: "document.cookie",
    warning: "uses document.cookie",
    broken: { html: script(`document.cookie; ${WORKS}`) },
    mended: storage("document.cookie", [stored("document.cookie")]),
  },
  {
    name: "indexedDB",
    warning: "uses indexedDB",
    broken: { html: script(`indexedDB.open('a'); ${WORKS}`), storage: "memory" },
    mended: storage("indexedDB.open('a')", []),
  },
  {
    name: "caches",
    warning: "uses caches",
    broken: { html: script(`if (window.caches) {} ${WORKS}`), storage: "memory" },
    mended: storage("window.caches", []),
  },
  {
    name: "a service worker",
    warning: "uses navigator.serviceWorker",
    broken: { html: script(`navigator.serviceWorker.register('a.js'); ${WORKS}`), files: { "a.js": "" } },
    mended: storage("navigator.serviceWorker.register('a.js')", []),
  },
  {
    name: "a worker from a file",
    warning: "starts a Worker",
    broken: {
      html: script(`const worker = new Worker('./a.js'); worker.onmessage = ({ data }) => say(data)`),
      files: { "a.js": "postMessage('works')" },
    },
    mended: [
      {
        html: script(
          `const worker = new Worker(${BLOB("`postMessage('works')`")}); worker.onmessage = ({ data }) => say(data)`,
        ),
      },
    ],
  },
  {
    name: "a shared worker",
    warning: "starts a SharedWorker",
    broken: { html: script(`new SharedWorker('a.js'); ${WORKS}`), files: { "a.js": "" } },
    mended: [
      {
        html: script(
          `const worker = new Worker(${BLOB("`postMessage('works')`")}); worker.onmessage = ({ data }) => say(data)`,
        ),
      },
    ],
  },
  {
    name: "importScripts",
    warning: "calls importScripts",
    broken: {
      html: script(
        `const w = new Worker(${BLOB("'import' + \"Scripts('a.js')\"")}); w.${ANSWER.replace("; ", "; w.")}`,
      ),
      files: { "a.js": "postMessage('works')", "worker.js": "importScripts('a.js')" },
    },
    mended: [
      {
        html: script(`const address = new URL('a.js', document.baseURI).href;
          const w = new Worker(${BLOB("'importScripts(' + JSON.stringify(address) + ')'")}); w.${ANSWER.replace("; ", "; w.")}`),
        files: { "a.js": "postMessage('works')" },
      },
    ],
  },
  {
    name: "import() in a script that is loaded without crossorigin",
    warning: 'imports "./m.mjs"',
    broken: {
      html: "<script src=a.js></script>",
      files: { "a.js": `import('./m.mjs').then(() => ${WORKS}, () => say('fails'))`, "m.mjs": "" },
    },
    mended: [
      {
        html: "<script src=a.js crossorigin></script>",
        files: { "a.js": `import('./m.mjs').then(() => ${WORKS}, () => say('fails'))`, "m.mjs": "" },
      },
    ],
  },
  {
    name: "a shape of another file",
    warning: "takes a shape from another file",
    broken: { html: `<svg><use href="icons.svg#a"/></svg>${script(MEASURE)}`, files: { "icons.svg": ICONS } },
    mended: [{ html: `${ICONS}<svg><use href="#a"/></svg>${script(MEASURE)}` }],
  },
  {
    name: "integrity without crossorigin",
    warning: 'loads "a.js" with integrity',
    broken: { html: `<script src=a.js integrity=${DIGEST} onerror="say('fails')"></script>`, files: { "a.js": WORKS } },
    mended: [
      { html: `<script src=a.js integrity=${DIGEST} crossorigin=anonymous></script>`, files: { "a.js": WORKS } },
    ],
  },
  {
    name: "an absent file",
    warning: 'refers to "b.svg"',
    broken: { html: IMAGE("b.svg") },
    mended: [{ html: IMAGE("b.svg"), files: { "b.svg": PICTURE } }],
  },
  {
    name: "a file in a folder",
    warning: 'refers to "img/b.svg"',
    broken: { html: IMAGE("img/b.svg"), files: { "b.svg": PICTURE } },
    mended: [{ html: IMAGE("b.svg"), files: { "b.svg": PICTURE } }],
  },
  {
    name: "an absent module",
    warning: 'refers to "./m.mjs"',
    broken: { html: `<script type=module onerror="say('fails')">import "./m.mjs"; ${WORKS}</script>` },
    mended: [{ html: `<script type=module>import "./m.mjs"; ${WORKS}</script>`, files: { "m.mjs": "" } }],
  },
  {
    name: "an absent stylesheet of a stylesheet",
    warning: 'refers to "b.css"',
    broken: styled({}),
    mended: [styled({ "b.css": "output { color: rgb(1, 2, 3) }" })],
  },
  {
    name: "a reference from the root",
    warning: 'refers to "/b.svg"',
    broken: { html: IMAGE("/b.svg"), files: { "b.svg": PICTURE } },
    mended: [{ html: IMAGE("b.svg"), files: { "b.svg": PICTURE } }],
  },
  {
    name: "a base element",
    warning: "has a base element",
    broken: { html: `<base href="/other/">${IMAGE("b.svg")}`, files: { "b.svg": PICTURE } },
    mended: [{ html: IMAGE("b.svg"), files: { "b.svg": PICTURE } }],
  },
];

function styled(files: Readonly<Record<string, string>>): Form {
  const check =
    "addEventListener('load', () => say(getComputedStyle(document.querySelector('output')).color === 'rgb(1, 2, 3)' ? 'works' : 'fails'))";
  return { html: `<link rel=stylesheet href=a.css>${script(check)}`, files: { "a.css": "@import 'b.css';", ...files } };
}

/** The first word counts; a script that throws has failed. */
const PAGE = (html: string) => `<!doctype html><meta charset=utf-8><title>x</title><output></output>
<script>const say = (word) => { document.querySelector("output").textContent ||= word }; window.addEventListener("error", () => say("fails"));</script>
${html}`;

describeIf("what is warned of, in a browser", chromiumUnavailable(), () => {
  let service: Service;
  let browser: Browser;
  let page: Page;
  let token: string;
  let slug: string;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), launchChromium()]);
    ({ token, slug } = await service.build.user());
    page = await browser.newPage();
    page.setDefaultTimeout(DEADLINE);
  });
  afterAll(async () => {
    await browser.close();
    await service[Symbol.asyncDispose]();
  });

  async function publish(
    { html, files = {}, storage: kind }: Form,
    details: Partial<BodyInput<typeof uploadRoute>> = {},
  ) {
    const all = Object.entries({ "index.html": PAGE(html), ...files });
    return service.client(token).call(uploadRoute, {
      body: {
        files: all.map(([path, content]) => ({ path, content })),
        visibility: "public",
        storage: kind,
        ...details,
      },
    });
  }

  async function outcomeOf(url: string): Promise<string | null> {
    await page.goto(url);
    const output = page.locator("output");
    await output.filter({ hasText: /works|fails/ }).waitFor();
    return output.textContent();
  }

  describe.each(CONSTRUCTS.map((construct) => [construct.name, construct] as const))(
    "%s",
    (_, { warning, broken, mended }) => {
      test("is warned of, with a line, and does not work", async () => {
        const { url, warnings } = await publish(broken);
        expect(warnings).toHaveLength(1);
        expect(warnings[0]).toMatch(/^\S+ line \d+ .*: .*\.$/);
        expect(warnings[0]?.replace(/^\S+ line \d+ /, "")).toStartWith(warning);
        expect(await outcomeOf(url)).toBe("fails");
      });

      test("works when it is mended, and is not warned of any more", async () => {
        for (const form of mended) {
          const { url, warnings } = await publish(form);
          expect(warnings).toEqual([]);
          expect(await outcomeOf(url)).toBe("works");
        }
      });
    },
  );

  test("a link to another site does not open in the frame of a live link, and with a target it does", async () => {
    using site = Bun.serve({
      port: 0,
      fetch: () => new Response("elsewhere", { headers: { "Content-Type": "text/html" } }),
    });
    async function open(target: string) {
      const name = uniqueName();
      const { code, warnings } = await publish({ html: `<a href="${site.url.href}"${target}>away</a>` }, { name });
      await page.goto(`${service.contentUrl}/@${slug}/${name}/`);
      const link = page.frameLocator("iframe").locator("a");
      await link.waitFor();
      const frame = page.frames().find((each) => each.url().includes(code));
      return { warnings, link, frame };
    }
    const plain = await open("");
    expect(plain.warnings).toEqual([expect.stringMatching(/^index.html line 3 links to .*: add target="_blank"\.$/)]);
    const left = page.waitForEvent("framenavigated", (frame) => frame.url().startsWith("chrome-error:"));
    await plain.link.click();
    await left;

    const targeted = await open(' target="_blank"');
    expect(targeted.warnings).toEqual([]);
    const [popup] = await Promise.all([page.waitForEvent("popup"), targeted.link.click()]);
    await popup.getByText("elsewhere").waitFor();
    await popup.close();
  });
});
