import { afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { commentsRoute } from "../../src/contract/reviews/threads.ts";
import { actionsOf } from "../hosts/app/actions.ts";
import { guestsOf } from "../hosts/app/sharing/guests.ts";
import { uniqueName, useService } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";
import { until, within } from "../support/until.ts";
import { actingIn, button, textOf } from "./acting.ts";
import { BROWSERS } from "./browsers.ts";
import type { Driven } from "./driven.ts";

const PLACES = ["a private live link", "a guest link", "the portal"] as const;
const COMMENT = "Is this before returns";

/** A page whose figure a script draws, so that only what is rendered tells the change. */
const reportOf = (sold: number, script = "") => [
  {
    path: "index.html",
    content: `<!doctype html><title>Sales</title><h1>Sales</h1><p id="sold"></p><input id="trap">
      <script>document.querySelector("#sold").append("Sold ", Object.assign(document.createElement("b"), { textContent: "${sold}" }), " units in March.")</script>
      <script>${script}</script>`,
  },
];

/** Takes the focus again and again, and keeps every key. */
const STEAL = `
  globalThis.stolen = "";
  addEventListener("keydown", ({ key }) => (stolen += key), true);
  addEventListener("message", () => 0);
  setTimeout(function take() { if (globalThis.isTaking) { window.focus(); document.querySelector("#trap").focus(); } setTimeout(take, 5); });`;

const PANEL = `document.querySelector("[aria-label=Comments][role=region], section[aria-label=Comments], aside[aria-label=Comments]")`;

for (const { name: browserName, unavailable, start } of BROWSERS) {
  describeIf(`comments and changes in ${browserName}`, unavailable(), () => {
    const service = useService();
    const act = actionsOf(service);
    let driven: Driven;
    const { isTrue, isTrueInReport, clickOn, signIn } = actingIn(() => driven);
    let owner: { slug: string; email: string; token: string };

    beforeAll(async () => {
      owner = await service.build.user();
    });
    beforeEach(async () => {
      driven = await start();
    });
    afterEach(() => driven[Symbol.asyncDispose]());

    async function openAt(place: (typeof PLACES)[number], files = reportOf(10)) {
      const name = uniqueName();
      const { nameUrl = "" } = await act.publish(owner.token, { name, files });
      if (place === "a guest link") {
        const { url } = await guestsOf(service).create(owner.token, { name, comments: true });
        await driven.open(url);
      } else {
        const next = place === "the portal" ? `/-/r/${name}` : new URL(nameUrl).pathname;
        await signIn(service.baseUrl + next, owner.email);
      }
      await isTrueInReport(`document.querySelector("#sold").textContent.startsWith("Sold 10")`);
      return name;
    }

    async function openComments(): Promise<void> {
      await clickOn(button("Comments"));
      await isTrue(`${textOf(PANEL)}.includes("No comments yet.")`);
    }

    async function nameGuest(place: (typeof PLACES)[number]): Promise<void> {
      if (place !== "a guest link") return;
      await isTrue(`${PANEL}.querySelector("input") !== null`);
      await driven.evaluate(`(${PANEL}.querySelector("input").setAttribute("data-name", ""), true)`);
      await driven.type("[data-name]", "Eve");
    }

    const FIELD = `${PANEL}.querySelector("textarea")`;

    /** A driver clicks where the button was a moment before, so it may miss one that moves as comments appear. */
    async function openForm(): Promise<void> {
      await until(async () => {
        if ((await driven.evaluate(`${FIELD} !== null`)) === true) return true;
        await clickOn(button("Comment on the report"));
        await within(1_000, isTrue(`${FIELD} !== null`));
        return false;
      });
    }

    async function focusField(): Promise<void> {
      await isTrue(`${FIELD} !== null`);
      await driven.evaluate(`(${FIELD}.focus(), true)`);
      await isTrue(`document.activeElement === ${FIELD}`);
    }

    test.each(PLACES)("a reader comments on selected text, which is marked: %s", async (place) => {
      const name = await openAt(place);
      await openComments();
      await until(async () => {
        // The report is framed again for comments, and a driver may find the frame that goes.
        await driven
          .evaluateInReport(
            `(getSelection().removeAllRanges(), getSelection().selectAllChildren(document.querySelector("b")), true)`,
          )
          .catch(() => undefined);
        const isOffered = until(
          async () => (await driven.evaluate(`${button("Comment on selection")} !== undefined`)) === true,
          1_000,
        );
        return isOffered.then(
          () => true,
          () => false,
        );
      });
      await clickOn(button("Comment on selection"));
      await nameGuest(place);
      await focusField();
      await driven.press(COMMENT);
      await clickOn(`[...${PANEL}.querySelectorAll("button")].find((each) => each.textContent.trim() === "Comment")`);
      await isTrue(`${textOf(`${PANEL}.querySelector("article")`)}.includes("${COMMENT}")`);
      await isTrueInReport(`CSS.highlights.get("vitrine-comment")?.size === 1`);
      const { threads } = await service.client(owner.token).call(commentsRoute, { query: { name } });
      expect(threads.map(({ anchor }) => anchor)).toMatchObject([{ kind: "text", quote: "10" }]);
    });

    test.each(PLACES)("a new version says what changed in what is rendered: %s", async (place) => {
      const name = await openAt(place);
      await act.publish(owner.token, { name, files: reportOf(25) });
      await isTrue(`document.body.innerText.includes("Version 2: 1 number")`);
      await isTrueInReport(`document.querySelector("#sold").textContent.startsWith("Sold 25")`);
      await clickOn(button(place === "the portal" ? "Show changes" : "Version 2: 1 number"));
      await isTrue(`${textOf(`document.querySelector("[aria-label='Changes since version 1']")`)}.includes("1 of 1")`);
      await isTrueInReport(`[...(CSS.highlights.get("vitrine-changed") ?? [])].join() === "25"`);
    });

    test.each(PLACES)("a report can't take the keys typed into a comment: %s", async (place) => {
      await openAt(place, reportOf(10, STEAL));
      await openComments();
      await openForm();
      await nameGuest(place);
      await focusField();
      // Later, for the driver leaves a frame that is emptied with an error.
      await isTrueInReport("(setTimeout(() => (globalThis.isTaking = true), 100), true)");
      await driven.press(COMMENT);
      // Some browsers don't let a frame take the focus at all. Where it can, it is emptied after the first key.
      const warned = `document.body.innerText.includes("This report tried to take what you type")`;
      await isTrue(`${warned} || ${FIELD}.value === "${COMMENT}"`);
      const typed = String(await driven.evaluate(`${FIELD}.value`));
      expect(COMMENT.length - typed.length).toBeLessThanOrEqual(1);
    });
  });
}
