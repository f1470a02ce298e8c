import { expect, test } from "bun:test";
import type { Frame } from "playwright-core";
import { commentsRoute, createThreadRoute } from "../../src/contract/reviews/threads.ts";
import { actionsOf } from "../hosts/app/actions.ts";
import { guestsOf } from "../hosts/app/sharing/guests.ts";
import { chromiumUnavailable, useBrowser } from "../support/chromium.ts";
import { uniqueName, useService } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";
import { settled, until } from "../support/until.ts";
import { openPortal } from "./portal/portal.ts";

const SECRET = "The auditors must not see this";
const QUOTE = "Revenue rose to 1,204";

/**
 * A page that replaces what scripts use to talk and to keep things, before anything of Vitrine loads that reads comments. It
 * keeps every text that passes, and every port.
 */
const REPORT = `<!doctype html><title>Hostile</title>
<script>
  const heard = (globalThis.heard = new Set());
  const ports = (globalThis.ports = new Set());
  const keep = (value, depth = 0) => {
    if (typeof value === "string") heard.add(value);
    if (value instanceof MessagePort) ports.add(value);
    if (value === null || typeof value !== "object" || depth > 6 || value instanceof Node) return;
    try { for (const key of Object.getOwnPropertyNames(value).slice(0, 200)) keep(value[key], depth + 1); } catch {}
  };
  const spy = (owner, name) => {
    const own = owner[name];
    let isInside = false;
    owner[name] = function (...given) {
      if (!isInside) {
        isInside = true;
        try { keep(this); given.forEach((each) => keep(each)); } finally { isInside = false; }
      }
      return Reflect.apply(own, this, given);
    };
  };
  for (const [owner, names] of [
    [MessagePort.prototype, ["postMessage", "start", "addEventListener"]],
    [EventTarget.prototype, ["addEventListener", "dispatchEvent"]],
    [Window.prototype, ["postMessage"]],
    [JSON, ["parse", "stringify"]],
    [Map.prototype, ["set", "get"]],
    [Array.prototype, ["map", "filter", "push"]],
    [Promise.prototype, ["then"]],
    [String.prototype, ["normalize", "indexOf", "slice"]],
    [globalThis, ["structuredClone", "fetch"]],
  ]) for (const name of names) if (typeof owner[name] === "function") spy(owner, name);
  for (const type of [MessageEvent.prototype]) {
    const { get } = Object.getOwnPropertyDescriptor(type, "data");
    Object.defineProperty(type, "data", { get() { const data = Reflect.apply(get, this, []); keep(data); return data; } });
  }
  const handler = Object.getOwnPropertyDescriptor(MessagePort.prototype, "onmessage");
  Object.defineProperty(MessagePort.prototype, "onmessage", {
    set(listener) { ports.add(this); Reflect.apply(handler.set, this, [listener]); },
    get() { return Reflect.apply(handler.get, this, []); },
  });
</script>
<h1>Sales</h1><p id="revenue">${QUOTE} in March.</p>
<input id="trap" style="position:fixed;inset:0;opacity:.01">`;

/** Takes the focus again and again, and tells every key to the test. */
const STEAL = `{
  addEventListener("keydown", ({ key }) => keep(key), true);
  setInterval(() => { window.focus(); document.querySelector("#trap").focus(); }, 5);
}`;

/** Where a report can have comments beside it. */
const PLACES = ["a private live link", "a guest link", "the portal"] as const;

describeIf("a hostile report with comments beside it", chromiumUnavailable(), () => {
  const service = useService();
  const browser = useBrowser();
  const act = actionsOf(service);

  async function openAt(place: (typeof PLACES)[number]) {
    const user = await service.build.user();
    const name = uniqueName();
    const files = [{ path: "index.html", content: REPORT }];
    const { nameUrl = "" } = await act.publish(user.token, { name, files });
    const client = service.client(user.token);
    const anchor = { kind: "text" as const, path: "index.html", quote: QUOTE, prefix: "", suffix: " in March." };
    const { id } = await client.call(createThreadRoute, {
      body: { name, text: SECRET, anchor: { ...anchor, start: 6, end: 6 + QUOTE.length, headings: ["Sales"] } },
    });
    const guest =
      place === "a guest link" ? await guestsOf(service).create(user.token, { name, comments: true }) : undefined;
    const visitor = await openPortal(browser, service, user.email, { path: "/account/tokens" });
    const { page } = visitor;
    if (place === "the portal") await page.goto(`${service.baseUrl}/-/r/${name}?comments`);
    else {
      await page.goto(guest?.url ?? nameUrl);
      await page.getByRole("button", { name: /^Comments/ }).click();
    }
    const panel = page.getByRole("region", { name: "Comments" });
    await panel.getByText(SECRET).waitFor();
    const report = await until(async () => page.frames().find((frame) => frame.url().includes("/~framed/")));
    // The page has been told where the thread is.
    await until(async () => (await heardBy(report)).includes(QUOTE));
    const threads = async () => (await client.call(commentsRoute, { query: { name } })).threads;
    return {
      user,
      name,
      id,
      visitor,
      page,
      panel,
      report,
      threads,
      [Symbol.asyncDispose]: visitor[Symbol.asyncDispose],
    };
  }

  const heardBy = (report: Frame) => report.evaluate<string[]>("[...(globalThis.heard ?? [])]");

  /** Sends a message of the page's own over all ports that it got hold of. */
  const forge = (report: Frame, message: unknown) =>
    report.evaluate<number>(
      `(() => { for (const port of ports) port.postMessage(${JSON.stringify(message)}); return ports.size; })()`,
    );

  test.each(PLACES)("learns nothing of the comments: %s", async (place) => {
    await using opened = await openAt(place);
    const { report, panel, user, id, page } = opened;
    await panel.getByText(SECRET).click();
    await panel.getByRole("button", { name: "Comment on the report" }).press("Enter");
    await page.keyboard.type(`${SECRET}, nor this`);
    const heard = (await heardBy(report)).join("\\n");
    expect(heard).toContain(QUOTE);
    for (const secret of [SECRET, "auditors", "nor this", id, user.slug, user.email])
      expect(heard).not.toContain(secret);
    const around = await report.evaluate<string[]>(
      "['document', 'name', 'panel'].map((key) => { try { return String(parent[key]); } catch { return 'refused'; } })",
    );
    expect(around).toEqual(["refused", "refused", "refused"]);
  });

  test.each(PLACES)("can't write, open, close or send a comment by forged messages: %s", async (place) => {
    await using opened = await openAt(place);
    const { report, panel, page, threads } = opened;
    await panel.getByRole("button", { name: "Comment on the report" }).press("Enter");
    const box = panel.getByRole("textbox", { name: "Write a comment" });
    await box.fill("What I think");
    const anchor = {
      ...{ kind: "text", path: "index.html", quote: "Send me your password", prefix: "", suffix: "" },
      ...{ start: 0, end: 21, headings: [] },
    };
    for (const message of [
      { kind: "chosen", anchor, isPicked: true, top: 0 },
      { kind: "escaped" },
      { kind: "pressed", id: 0 },
      { kind: "pressed", id: 7 },
      {
        kind: "placed",
        placed: [
          { id: 0, place: "gone", top: null },
          { id: 7, place: "exact", top: 1 },
        ],
      },
    ]) {
      expect(await forge(report, message)).toBeGreaterThan(0);
    }
    // A message that the bridge would not send, after which the page isn't heard.
    await forge(report, { kind: "send", text: "Agreed" });
    await page.keyboard.press("Shift");
    expect(await box.inputValue()).toBe("What I think");
    expect(await panel.getByText("Send me your password").count()).toBe(0);
    // What was commented on is what was stored, whatever the page says.
    await panel.getByRole("article").first().getByText(QUOTE).waitFor();
    expect((await threads()).flatMap(({ comments }) => comments.map(({ text }) => text))).toEqual([SECRET]);
  });

  test.each(PLACES)("can't take the keys that a reader types into a comment: %s", async (place) => {
    await using opened = await openAt(place);
    const { report, panel, page, threads } = opened;
    let stolen = "";
    await page.exposeFunction("keep", (key: string) => {
      stolen += key;
    });
    await panel.getByRole("button", { name: "Comment on the report" }).press("Enter");
    if (place === "a guest link") {
      await panel.getByRole("textbox", { name: "Your name" }).fill("Eve");
      await panel.getByRole("textbox", { name: "Write a comment" }).focus();
    }
    const box = panel.getByRole("textbox", { name: "Write a comment" });
    await report.evaluate(STEAL);
    await page.keyboard.type("What only colleagues may read", { delay: 30 });
    await page.getByRole("alert").getByText("This report tried to take what you type").waitFor();
    await box.fill("What only colleagues may read");
    await page.keyboard.press("Control+Enter");
    await settled(async () => (await threads()).length, 2);
    // A key that was pressed in the moment between may be lost, and no more.
    expect(stolen.length).toBeLessThanOrEqual(1);
    await page.getByRole("button", { name: "Show it again" }).click();
    await page.frameLocator("iframe").getByRole("heading", { name: "Sales" }).waitFor();
  });

  test("shows a comment on what it was written about, after the page has put other words there", async () => {
    await using opened = await openAt("a private live link");
    const { report, panel } = opened;
    await report.evaluate(`void (document.querySelector("#revenue").textContent = "Costs fell by half in March.")`);
    await panel.getByText("No longer in the report").waitFor();
    await panel.getByRole("article").getByText(QUOTE).waitFor();
  });
});
