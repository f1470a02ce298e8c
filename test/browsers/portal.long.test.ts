import { afterEach, beforeEach, expect, test } from "bun:test";
import { openFilledScene } from "../../scripts/screenshots/scene/open.ts";
import { EMAIL, PASSWORD, type Scene } from "../../scripts/screenshots/server.ts";
import { SHOTS } from "../../scripts/screenshots/shots/all.ts";
import type { Shot } from "../../scripts/screenshots/shots/shot.ts";
import { describeIf } from "../support/skip.ts";
import { use } from "../support/use.ts";
import { actingIn, button, textOf } from "./acting.ts";
import { BROWSERS } from "./browsers.ts";
import type { Driven } from "./driven.ts";

const REPORT = "<!doctype html><title>Dropped figures</title><h1>42 apples</h1>";
const DIALOG = `document.querySelector("[role=dialog]")`;
const FIELD = `document.querySelector("[role=combobox][aria-label='Search or run a command']")`;

/** Drops a file on the page, as far as pages can do that themselves. */
const DROP = `(() => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([${JSON.stringify(REPORT)}], "Weekly figures.html", { type: "text/html" }));
  for (const type of ["dragenter", "dragover", "drop"])
    document.querySelector("main").dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
  return true;
})()`;

/** What the portal complains of if a page is left in Firefox while parts of it load. Where they are missing, it says so. */
const LEFT_EARLY = /^MissingPart: /;

/** The states that an address alone leads to. */
const addressed = (isPublic: boolean): Shot[] =>
  SHOTS.filter(({ act, ...shot }) => act === undefined && (shot.isPublic ?? false) === isPublic);

for (const { name: browserName, unavailable, start } of BROWSERS) {
  describeIf(`the portal in ${browserName}`, unavailable(), () => {
    const scene: Scene = use(openFilledScene);
    let driven: Driven;
    let complaints: string[];
    const { isTrue, isTrueInReport, clickOn, shows, signIn } = actingIn(() => driven);

    beforeEach(async () => {
      driven = await start();
      complaints = [];
    });
    afterEach(async () => {
      complaints.push(...(driven.takeComplaints() ?? []));
      await driven[Symbol.asyncDispose]();
      // Refusals that pages show, and what a report of the scene throws on purpose.
      expect(complaints.filter((text) => !/status|No data|localStorage|SecurityError|cookie/i.test(text))).toEqual([]);
    });

    const signInTo = (path: string) => signIn(scene.url + path, EMAIL, PASSWORD);

    test("a dropped file is previewed, published and shared, and its link opens for anyone", async () => {
      await signInTo("/-/w/team");
      await shows("Publish your first report");
      await driven.evaluate(DROP);
      await isTrue(`location.pathname === "/-/w/team/publish"`);
      await isTrueInReport(`document.querySelector("h1")?.textContent === "42 apples"`);
      await clickOn(`document.querySelector("main button[type=submit]")`);
      await isTrue(`location.pathname === "/-/r/dropped-figures" && location.search === "?share=true"`);
      await clickOn(button("Public"));
      await isTrue(`${DIALOG}.querySelector("[role=radio][aria-checked=true]").textContent.startsWith("Public")`);
      await shows("Now public");
      const link = String(await driven.evaluate(`${DIALOG}.querySelector("input[readonly]").value`));
      await driven.open(link);
      await isTrueInReport(`document.querySelector("h1")?.textContent === "42 apples"`);
    });

    test("versions are compared, side by side and line by line", async () => {
      await signInTo("/-/r/ada-weekly-sales?tab=compare");
      await isTrue(`document.querySelectorAll("main iframe").length === 2`);
      await clickOn(button("Overlay"));
      await isTrue(`document.querySelector("main input[type=range]") !== null`);
      await clickOn(button("Changes"));
      await isTrue(`/\\d+ numbers/.test(document.body.innerText)`);
      await clickOn(button("Source"));
      await isTrue(`/sales.json/.test(document.body.innerText)`);
      await shows("changed file");
    });

    test("the palette opens by keyboard, finds a report and opens it", async () => {
      await signInTo("/-/w/ada");
      await isTrue(`document.querySelector("[role=row][data-key]") !== null`);
      await driven.pressTogether("Control", "k");
      await isTrue(`document.activeElement === ${FIELD}`);
      await driven.press("inventory");
      await isTrue(`${textOf(`document.querySelector("[role=option]")`)}.startsWith("Inventory turnover")`);
      await driven.pressTogether("Enter");
      await isTrue(`location.pathname === "/-/r/ada-inventory"`);
      await isTrueInReport(`document.querySelector("h1")?.textContent.startsWith("Inventory turnover")`);
    });

    test("keys select reports, and a deleted one is restored from the trash", async () => {
      await signInTo("/-/w/ada?q=headline");
      const row = `document.querySelector("[role=row][data-key=ada-ab-headline]")`;
      await isTrue(`${row} !== null`);
      await driven.press("jx");
      await isTrue(`${row}.getAttribute("aria-selected") === "true"`);
      await clickOn(button("Delete"));
      await isTrue(`${row} === null`);
      await driven.open(`${scene.url}/-/w/ada/trash`);
      const restore = `[...document.querySelectorAll("li")].find(({ innerText }) => innerText.includes("Headline test"))?.querySelector("button")`;
      await isTrue(`${restore} !== undefined`);
      await clickOn(restore);
      await isTrue(`${restore} === undefined`);
      await driven.open(`${scene.url}/-/w/ada?q=headline`);
      await isTrue(`${row} !== null`);
    });

    test.each([
      [false, "signed in"],
      [true, "signed out"],
    ] as const)("every page is drawn, and nothing is wider than the window (isPublic: %p, %s)", async (isPublic) => {
      if (!isPublic) {
        await signInTo("/-/w/ada");
        await isTrue(`document.querySelector("[role=row][data-key]") !== null`);
      }
      const missing: string[] = [];
      for (const { name, path } of addressed(isPublic)) {
        await driven.evaluate("(globalThis.isLeft = true)").catch(() => undefined);
        await driven.open(scene.url + (typeof path === "string" ? path : path(scene)));
        await isTrue(
          `globalThis.isLeft === undefined && document.readyState === "complete" && document.querySelector("h1") !== null && document.querySelector("[aria-busy=true]") === null`,
        );
        complaints.push(...(driven.takeComplaints() ?? []).filter((text) => !LEFT_EARLY.test(text)));
        const isDrawn = await driven.evaluate(
          `document.documentElement.scrollWidth <= innerWidth && !document.body.innerText.includes("Reload to continue")`,
        );
        if (isDrawn !== true) missing.push(name);
      }
      expect(missing).toEqual([]);
    });
  });
}
