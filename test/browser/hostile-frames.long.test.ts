import { expect, test } from "bun:test";
import { chromiumUnavailable, useBrowser } from "../support/chromium.ts";
import { useService } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";
import { until } from "../support/until.ts";
import { createBridgeScene, type Framed, type Heard } from "./bridge-scene.ts";

const PAGE = { "index.html": "<!doctype html><title>Hostile</title><h1>Hostile</h1>" };
const MARK = "vitrine-bridge";
/** Messages of a flood of a million that the test waits for, while it checks that the portal works. */
const WITNESSED = 200_000;

/** Takes the bridge's place: connects with a port of its own. */
const TAKE_PORT = `{
  const { port1, port2 } = new MessageChannel();
  globalThis.port = port1;
  parent.postMessage("${MARK}", "*", [port2]);
}`;

describeIf("a hostile report in a frame of the portal", chromiumUnavailable(), () => {
  const service = useService();
  const browser = useBrowser();
  const { publish, open, frame } = createBridgeScene(service, () => browser);

  /** Frames a hostile report, whose script has run before that of Vitrine could keep it from anything. */
  async function frameHostile() {
    const visitor = await open();
    const framed = await frame(visitor, await publish(PAGE));
    await framed.until("settled");
    return { ...framed, visitor, [Symbol.asyncDispose]: visitor[Symbol.asyncDispose] };
  }

  const count = (heard: readonly Heard[], kind: string) => heard.filter((message) => message.kind === kind).length;

  /** Returns whether the page of the portal still does what people ask for. */
  async function answers({ page }: Framed): Promise<boolean> {
    await page.evaluate(`document.querySelectorAll("iframe").forEach((each) => { each.style.visibility = "hidden"; })`);
    await page.getByRole("button", { name: /^Account of/ }).click();
    await page.getByRole("menu").waitFor();
    await page.keyboard.press("Escape");
    return true;
  }

  test("can't send the portal more than it takes, on either way", async () => {
    await using framed = await frameHostile();
    const { report } = framed;
    const before = (await framed.heard()).length;
    const flood = `void (async () => {
      for (let n = 0; n < 1_000_000; n++) {
        const ports = n % 1_000 === 1 ? [new MessageChannel().port2] : [];
        parent.postMessage(n % 2 ? "${MARK}" : { kind: "error", text: "flood" }, "*", ports);
        globalThis.sent = n;
        if (n % 10_000 === 0) await new Promise((resolve) => setTimeout(resolve));
      }
    })()`;
    await report.evaluate(flood);
    expect(await answers(framed)).toBe(true);
    await until(() => report.evaluate<boolean>(`sent > ${WITNESSED}`));
    const heard = await framed.heard();
    expect(heard.length - before).toBeLessThan(400);
    // Only connections: what is sent to the window is no message.
    expect(count(heard, "error")).toBe(0);
    expect(await answers(framed)).toBe(true);
  });

  test("that floods a port it got hold of is no longer heard", async () => {
    await using visitor = await open();
    // The page runs without a bridge, as a page would that tampered with it.
    const framed = await frame(visitor, await publish(PAGE));
    await framed.until("settled");
    await framed.report.goto(framed.report.url().replace("/~framed", ""));
    await framed.report.evaluate(TAKE_PORT);
    await framed.report.evaluate(`void (async () => {
      for (let n = 0; n < 1_000_000; n++) {
        port.postMessage({ kind: "error", text: String(n) });
        globalThis.sent = n;
        if (n % 10_000 === 0) await new Promise((resolve) => setTimeout(resolve));
      }
    })()`);
    expect(await answers(framed)).toBe(true);
    await until(() => framed.report.evaluate<boolean>(`sent > ${WITNESSED}`));
    expect(await answers(framed)).toBe(true);
    expect(count(await framed.heard(), "error")).toBeLessThanOrEqual(450);
  });

  test("is no longer heard after anything that the bridge wouldn't send", async () => {
    await using visitor = await open();
    const framed = await frame(visitor, await publish(PAGE));
    await framed.until("settled");
    await framed.report.goto(framed.report.url().replace("/~framed", ""));
    for (const forged of [
      `{ kind: "error", text: "x".repeat(1_000_000) }`,
      `{ kind: "scroll", left: 0, top: 0, width: Infinity, height: 0 }`,
      `{ kind: "picture", pixels: { width: 1280, height: 1280, data: new ArrayBuffer(4) } }`,
      `{ kind: "picture", pixels: { width: 1, height: 1, data: "<script>" } }`,
      `{ kind: "__proto__" }`,
      `[{ kind: "error", text: "x" }]`,
      "null",
    ]) {
      const before = (await framed.heard()).length;
      await framed.report.evaluate(TAKE_PORT);
      await framed.report.evaluate(`port.postMessage(${forged})`);
      await framed.report.evaluate(`port.postMessage({ kind: "settled", isBlank: true })`);
      // The next connection shows that everything before it has arrived.
      await framed.report.evaluate(TAKE_PORT);
      await framed.report.evaluate(`port.postMessage({ kind: "settled", isBlank: false })`);
      await until(async () => (await framed.heard()).at(-1)?.["isBlank"] === false);
      expect((await framed.heard()).slice(before).map(({ kind }) => kind)).toEqual([
        "connected",
        "connected",
        "settled",
      ]);
    }
  });

  test("can't speak for another report, nor get at its bridge", async () => {
    await using visitor = await open();
    const victim = await frame(visitor, await publish({ "index.html": "<!doctype html><p>Secret of the victim" }));
    const hostile = await frame(visitor, await publish(PAGE));
    await Promise.all([victim.until("settled"), hostile.until("settled")]);
    const before = await victim.heard();
    // The frames of the page around it are all that a page can reach.
    await hostile.report.evaluate(`void (async () => {
      globalThis.stolen = [];
      for (let n = 0; n < parent.frames.length; n++) {
        const other = parent.frames[n];
        if (other === window) continue;
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = ({ data }) => stolen.push(data);
        other.postMessage("${MARK}", "*", [port2]);
        port1.postMessage({ kind: "scrollTo", left: 0, top: 100 });
        port1.postMessage({ kind: "takePicture", width: 100, height: 100 });
      }
    })()`);
    // The victim's page has heard everything by the time that it answers to its own portal.
    await victim.send({ kind: "takePicture", width: 10, height: 10 });
    await victim.until("picture");
    expect(await hostile.report.evaluate<unknown[]>("stolen")).toEqual([]);
    expect((await victim.heard()).filter(({ kind }) => kind !== "picture")).toEqual(before);
  });
});
