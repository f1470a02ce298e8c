import { afterEach, expect, test } from "bun:test";
import { chromiumUnavailable } from "../support/chromium.ts";
import { publishFiles, until } from "../support/content.ts";
import { describeIf } from "../support/skip.ts";
import { use } from "../support/use.ts";
import { describeEachDeployment, launchNamingChromium, reportIn } from "./deployments.ts";
import { createScene } from "./hostile-scene.ts";

/** A report that sends requests to another site in every way, each to a path that names the way. */
const filesAsking = (elsewhere: string, policy: string) => {
  const attribute = policy && ` referrerpolicy="${policy}"`;
  const init = JSON.stringify(policy ? { referrerPolicy: policy } : {});
  return {
    "index.html": `<!doctype html><title>Asking</title>${policy && `<meta name="referrer" content="${policy}">`}
      <link rel="stylesheet" href="style.css"${attribute}>
      <link rel="stylesheet" href="${elsewhere}/stylesheet"${attribute}>
      <img src="${elsewhere}/image"${attribute}><iframe src="${elsewhere}/frame"${attribute}></iframe>
      <script src="${elsewhere}/script"${attribute}></script>
      <script type="module" src="main.mjs"${attribute}></script>
      <object data="page.svg" type="image/svg+xml"></object><iframe src="more.html"></iframe>
      <p>Text</p><a href="${elsewhere}/link" target="_blank"${attribute}>Away</a>
      <script>
        fetch("${elsewhere}/fetch", ${init});
        navigator.sendBeacon("${elsewhere}/beacon", "x");
        new Worker(URL.createObjectURL(new Blob(['fetch("${elsewhere}/worker", ${init})'])));
        open("${elsewhere}/window");
      </script>`,
    "style.css": `@import "${elsewhere}/import"; @font-face { font-family: F; src: url(${elsewhere}/font) }
      p { font-family: F; background: url(${elsewhere}/background) }`,
    "main.mjs": `import("${elsewhere}/module"); fetch("${elsewhere}/module-fetch", ${init});`,
    "page.svg": `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="${elsewhere}/svg-image" width="9" height="9"/></svg>`,
    "more.html": `<!doctype html><title>More</title><form action="${elsewhere}/form"></form><script>document.forms[0].submit()</script>`,
  };
};

const WAYS = ["stylesheet", "image", "frame", "script", "fetch", "beacon", "worker", "window"].concat([
  "import",
  "font",
  "background",
  "module",
  "module-fetch",
  "svg-image",
  "form",
  "link",
]);

describeIf("what other sites learn from a report's requests", chromiumUnavailable(), () => {
  const browser = use(launchNamingChromium);

  describeEachDeployment(
    (start) => {
      const scene = use(async () => createScene(await start(), browser));

      afterEach(() => scene.closePages());

      /** Starts another site, which records the referrers. */
      function listen() {
        const heard = new Map<string, { referer: string | null; origin: string | null }>();
        const server = Bun.serve({
          hostname: "127.0.0.1",
          port: 0,
          fetch({ url, headers }) {
            heard.set(new URL(url).pathname.slice(1), {
              referer: headers.get("referer"),
              origin: headers.get("origin"),
            });
            return new Response("", { headers: { "Access-Control-Allow-Origin": "*" } });
          },
        });
        return { url: server.url.origin, heard, [Symbol.dispose]: () => void server.stop(true) };
      }

      test.each([
        ["public", ""],
        ["private", ""],
        ["private", "unsafe-url"],
      ] as const)("not the address of a %s report, with the policy %p", async (visibility, policy) => {
        using site = listen();
        const { deployment, victim } = scene;
        const code = await publishFiles(deployment, victim.token, filesAsking(site.url, policy), { visibility });
        const page = await scene.context.newPage();
        await page.goto(`${deployment.baseUrl}/${code}/`);
        const report = await reportIn(page, deployment, code);
        await report.getByRole("link", { name: "Away" }).click();
        await until(async () => WAYS.every((way) => site.heard.has(way)) || undefined);
        for (const way of WAYS) {
          const { referer, origin } = site.heard.get(way) ?? {};
          expect({ way, referer, origin: origin ?? "null" }).toEqual({ way, referer: null, origin: "null" });
        }
      });
    },
    ["intranet", "https"],
  );
});
