import { afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { actionsOf } from "../hosts/app/actions.ts";
import { uniqueName, useService } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";
import { until } from "../support/until.ts";
import { actingIn } from "./acting.ts";
import { BROWSERS } from "./browsers.ts";
import type { Driven } from "./driven.ts";

const QUERY = "?region=north#table";

/** A report whose script reads one of its files and shows what it was given. */
const reportSaying = (word: string) => [
  {
    path: "index.html",
    content: `<!doctype html><html lang="en"><meta charset="utf-8"><title>${word}</title><h1>${word}</h1><output></output>
      <script>fetch("data.json", { headers: { "X-Requested-With": "XMLHttpRequest" } }).then((response) => response.json())
        .then(({ rows }) => { document.querySelector("output").textContent = rows + location.search + location.hash })</script>`,
  },
  { path: "data.json", content: '{"rows":3}' },
];

for (const { name: browserName, unavailable, start } of BROWSERS) {
  describeIf(`Vitrine in ${browserName}`, unavailable(), () => {
    const service = useService();
    const act = actionsOf(service);
    let driven: Driven;
    let owner: { slug: string; email: string; token: string };

    beforeAll(async () => {
      owner = await service.build.user();
    });
    // One per test, because not every protocol can make a browser forget a session.
    beforeEach(async () => {
      driven = await start();
    });
    afterEach(async () => {
      const complaints = driven.takeComplaints() ?? [];
      await driven[Symbol.asyncDispose]();
      expect(complaints).toEqual([]);
    });

    /** Waits until an expression has a value; pages that are being left have none. */
    async function comesTo(expression: string, value: unknown, evaluate = driven.evaluate): Promise<void> {
      let last: unknown;
      const isThere = async () => {
        last = await evaluate(expression).catch((error: unknown) => String(error));
        return Bun.deepEquals(last, value) || undefined;
      };
      await until(isThere).catch(async () => {
        const address = await driven.evaluate("location.href").catch(String);
        throw new Error(`${expression} was ${JSON.stringify(last)}, not ${JSON.stringify(value)}, at ${address}.`);
      });
    }

    const reportComesTo = (expression: string, value: unknown) => comesTo(expression, value, driven.evaluateInReport);

    const signIn = (next: string) => actingIn(() => driven).signIn(service.baseUrl + next, owner.email);

    async function publish(visibility: "public" | "private", word = "First", name = uniqueName()) {
      const published = await act.publish(owner.token, { name, visibility, files: reportSaying(word) });
      return { ...published, name, nameUrl: published.nameUrl ?? "" };
    }

    test("a person signs in, finds a report in the portal's list, and opens its page", async () => {
      const { name } = await publish("private");
      await signIn("/-/");
      await comesTo("location.pathname", `/-/w/${owner.slug}`);
      const link = `a[href="/-/r/${name}"]`;
      await comesTo(`document.querySelector('${link}') !== null`, true);
      await driven.click(link);
      await comesTo("location.pathname", `/-/r/${name}`);
      await comesTo("document.querySelector('h1')?.textContent", "First");
      await reportComesTo("document.querySelector('h1')?.textContent", "First");
      await reportComesTo("document.querySelector('output')?.textContent", "3");
    });

    test("a private version link leads through sign-in to its shell, which passes on query and fragment", async () => {
      const { code } = await publish("private");
      await signIn(`/${code}/${QUERY}`);
      await comesTo("document.title", `First · report by ${owner.slug}`);
      await reportComesTo("document.querySelector('output')?.textContent", `3${QUERY}`);
      expect(await driven.evaluate("location.href")).toBe(`${service.baseUrl}/${code}/${QUERY}`);
      expect(await driven.evaluate("document.querySelector('header').getBoundingClientRect().height")).toBe(44);
    });

    test("a public version link shows the report itself", async () => {
      const { code } = await publish("public");
      await driven.open(`${service.baseUrl}/${code}/${QUERY}`);
      await comesTo("document.querySelector('output')?.textContent", `3${QUERY}`);
      expect(await driven.evaluate("[document.title, self.origin]")).toEqual(["First", "null"]);
    });

    test.each(["private", "public"] as const)(
      "a %s live link shows a new version without a reload",
      async (visibility) => {
        const { name, nameUrl } = await publish(visibility);
        if (visibility === "private") await signIn(`/${name}/${QUERY}`);
        else await driven.open(nameUrl + QUERY);
        await reportComesTo("document.querySelector('output')?.textContent", `3${QUERY}`);
        await comesTo("location.href", nameUrl + QUERY);
        await driven.evaluate("(globalThis.isSamePage = true)");
        await publish(visibility, "Second", name);
        await reportComesTo("document.querySelector('h1')?.textContent", "Second");
        await reportComesTo("document.querySelector('output')?.textContent", `3${QUERY}`);
        await comesTo("document.title", `Second · report by ${owner.slug}`);
        await comesTo("document.querySelectorAll('iframe').length", 1);
        expect(
          await driven.evaluate(
            "[globalThis.isSamePage, document.querySelector('[data-part=version-text]').textContent]",
          ),
        ).toEqual([true, "Version 2"]);
        await driven.click("[data-part=version]");
        await comesTo("document.querySelectorAll('[role=menuitemradio]').length", 4);
        await driven.click("[data-part=menu] [role=group]:last-child button:last-child");
        await reportComesTo("document.querySelector('h1')?.textContent", "First");
      },
    );

    test("a click on the version opens its menu although the versions arrive before the button is released", async () => {
      const { name, nameUrl } = await publish("public");
      await publish("public", "Second", name);
      await driven.open(nameUrl);
      await reportComesTo("document.querySelector('h1')?.textContent", "Second");
      await driven.evaluate(`(() => {
        const pressed = new Promise((resolve) => addEventListener("mousedown", resolve, { once: true, capture: true }));
        const { fetch } = globalThis;
        globalThis.fetch = async (address, options) => {
          const response = await fetch(address, options);
          if (address !== "~versions") return response;
          const versions = await response.json();
          globalThis.haveArrived = true;
          await pressed;
          return { ok: true, json: () => versions };
        };
        document.querySelector("[data-part=version]").focus();
      })()`);
      await comesTo("globalThis.haveArrived === true", true);
      await driven.click("[data-part=version]");
      await comesTo("document.querySelectorAll('[role=menuitemradio]').length", 4);
    });

    test.each(["/", "/-/sign-in", "/-/docs", "/none/a/b"])("%s logs no errors", async (path) => {
      await driven.open(service.baseUrl + path);
      await comesTo("[location.pathname, document.readyState]", [path, "complete"]);
    });
  });
}
