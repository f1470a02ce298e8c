import { afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { createThreadRoute } from "../../src/contract/reviews/threads.ts";
import { startEmbedder } from "../browser/embedder.ts";
import { actionsOf } from "../hosts/app/actions.ts";
import { guestsOf, setGuestPassword } from "../support/guests.ts";
import { uniqueName, useService } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";
import { until } from "../support/until.ts";
import { use } from "../support/use.ts";
import type { Driven } from "./driven.ts";
import { firefoxUnavailable, startFirefox } from "./firefox.ts";
import { startWebkit, webkitUnavailable } from "./webkit.ts";

const BROWSERS = [
  { name: "Firefox", unavailable: firefoxUnavailable, start: startFirefox },
  { name: "WebKitGTK", unavailable: webkitUnavailable, start: startWebkit },
];
const PASSWORD = "a password of guests";

/** Gives the password in the page of a guest link; false until it asks for it. */
const UNLOCK = `(() => {
  const field = document.querySelector("#gate:not([hidden]) [name=password]");
  if (field === null || field.disabled) return false;
  field.value = ${JSON.stringify(PASSWORD)};
  document.querySelector("#gate-button").click();
  return true;
})()`;

/** Opens the comments in the page of a guest link; false until that can be. */
const OPEN_COMMENTS = `(() => {
  const button = document.querySelector("[data-part=comments]");
  if (button === null || !button.checkVisibility()) return false;
  if (button.getAttribute("aria-expanded") !== "true") button.click();
  return true;
})()`;

for (const { name: browserName, unavailable, start } of BROWSERS) {
  describeIf(`guest links in frames of other sites in ${browserName}`, unavailable(), () => {
    const service = useService();
    const named = use(startEmbedder);
    const guests = guestsOf(service);
    let owner: { token: string };
    let driven: Driven;

    beforeAll(async () => {
      owner = await service.build.user();
    });
    beforeEach(async () => {
      driven = await start();
    });
    afterEach(() => driven[Symbol.asyncDispose]());

    /** Shares a report that tells the outermost page that it was opened. */
    async function share(word: string, embed_origins?: string[]) {
      const name = uniqueName();
      const content = `<!doctype html><title>${word}</title><h1>${word}</h1><script>top.postMessage("${word}", "*")</script>`;
      await actionsOf(service).publish(owner.token, { name, files: [{ path: "index.html", content }] });
      return guests.create(owner.token, { name, ...(embed_origins === undefined ? {} : { embed_origins }) });
    }

    const opened = async (...words: string[]) => {
      await until(async () => {
        const title = String(await driven.evaluate("document.title").catch(() => ""));
        return words.every((word) => title.includes(word));
      });
      return String(await driven.evaluate("document.title"));
    };

    test("a report opens where its link names the origin, and one whose link doesn't stays closed", async () => {
      const [first, closed, last] = [
        await share("first", [named.origin]),
        await share("closed", ["https://elsewhere.example"]),
        await share("last", [named.origin]),
      ];
      await driven.open(named.pageFor(first.url, closed.url, last.url));
      expect(await opened("first", "last")).not.toContain("closed");
    });

    test("comments are marked in the report inside the frame", async () => {
      const name = uniqueName();
      const content = `<!doctype html><h1>Sales</h1><p>Revenue rose in March.</p><script>
        setInterval(() => CSS.highlights.get("vitrine-comment")?.size === 1 && top.postMessage("marked", "*"), 50)
      </script>`;
      const { code } = await actionsOf(service).publish(owner.token, {
        name,
        files: [{ path: "index.html", content }],
      });
      const place = { path: "index.html", prefix: "", suffix: "", start: 6, end: 28, headings: ["Sales"] };
      await service.client(owner.token).call(createThreadRoute, {
        body: { code, text: "Why?", anchor: { kind: "text", quote: "Revenue rose in March.", ...place } },
      });
      const { url } = await guests.create(owner.token, { name, comments: true, embed_origins: [named.origin] });
      await driven.open(named.pageFor(url));
      await until(async () => (await driven.evaluateInReport(OPEN_COMMENTS).catch(() => false)) === true);
      expect(await opened("marked")).toContain("marked");
    });

    test("a password is given inside the frame", async () => {
      const { id, url } = await share("guarded", [named.origin]);
      await setGuestPassword(service, id, PASSWORD);
      await driven.open(named.pageFor(url));
      await until(async () => (await driven.evaluateInReport(UNLOCK).catch(() => false)) === true);
      expect(await opened("guarded")).toContain("guarded");
    });
  });
}
