import { afterEach, beforeAll, expect, test } from "bun:test";
import type { BrowserContext } from "playwright-core";
import { actionsOf } from "../hosts/app/actions.ts";
import { guestsOf } from "../hosts/app/sharing/guests.ts";
import { chromiumUnavailable, useBrowser } from "../support/chromium.ts";
import { IS_EVERYTHING } from "../support/runs.ts";
import { uniqueName, useService } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";
import { settled, until } from "../support/until.ts";
import { findBarriers } from "./portal/portal.ts";

const reportOf = (total: number, ...rows: string[]) => [
  {
    path: "index.html",
    content: `<!doctype html><title>Sales</title><h1>Sales</h1><p>Sold <b>${total}</b> units.</p>
      <table><tr><th>Region</th><th>Units</th></tr>${rows.map((row) => `<tr><td>${row}</td><td>7</td></tr>`).join("")}</table>`,
  },
];

describeIf("what changed, in the bar", chromiumUnavailable(), () => {
  const service = useService();
  const browser = useBrowser();
  const act = actionsOf(service);
  const contexts: BrowserContext[] = [];
  let token: string;

  beforeAll(async () => {
    ({ token } = await service.build.user());
  });
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
  });

  test("says what a new version changed when it takes the place of another", async () => {
    const name = uniqueName();
    const publish = (files: ReturnType<typeof reportOf>) => act.publish(token, { name, visibility: "public", files });
    const { nameUrl = "" } = await publish(reportOf(10, "North"));
    const context = await browser.newContext({ viewport: { width: 1440, height: 700 } });
    contexts.push(context);
    const page = await context.newPage();
    await page.goto(nameUrl);
    const sentence = page.locator("[data-part=changes]");
    expect(await sentence.isVisible()).toBe(false);
    await publish(reportOf(25, "North", "South"));
    await page.getByText("Version 2: 1 number, 1 row added").first().waitFor();
    expect(await sentence.isVisible()).toBe(true);
    await page.keyboard.press("j");
    const strip = page.getByRole("region", { name: "Changes since version 1" });
    await strip.getByText("1 of 2").waitFor();
    const report = await until(async () => page.frames().find((frame) => frame.url().includes("/~framed/")));
    const marked = () =>
      report.evaluate<string>(`[...(CSS.highlights.get("vitrine-changed") ?? [])].map(String).join("|")`);
    await until(async () => (await marked()) === "25");
    await page.keyboard.press("j");
    await strip.getByText("2 of 2").waitFor();
    await page.keyboard.press("Escape");
    await strip.waitFor({ state: "hidden" });
    await publish(reportOf(25, "North", "South"));
    await page.getByText("Version 3: no changes").first().waitFor();
    await page.getByRole("button", { name: "Previous version" }).click();
    await sentence.waitFor({ state: "hidden" });
  });

  test("compares only what the reader still looks at once the comparison has loaded", async () => {
    const name = uniqueName();
    const publish = (files: ReturnType<typeof reportOf>) => act.publish(token, { name, visibility: "public", files });
    const first = await publish(reportOf(10, "North"));
    const { nameUrl = "" } = await publish(reportOf(25, "North", "South"));
    const context = await browser.newContext();
    contexts.push(context);
    const page = await context.newPage();
    // Readers ask at random moments.
    await page.addInitScript("Math.random = () => 0");
    const released = Promise.withResolvers<void>();
    await page.route("**/~shell/changes-*.js", (route) => released.promise.then(() => route.continue()));
    const asked: (string | null)[] = [];
    page.on("request", (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname.endsWith("/~changes")) asked.push(searchParams.get("from"));
    });
    await page.goto(nameUrl);
    await page.keyboard.press("ArrowLeft");
    await page.getByText("Now showing version 1.").waitFor({ state: "attached" });
    await page.keyboard.press("ArrowRight");
    await page.getByText("Now showing version 2.").waitFor({ state: "attached" });
    released.resolve();
    await page.getByText("Version 2: 1 number, 1 row added").first().waitFor();
    expect(asked).toEqual([first.code]);
  });

  test("shows removed text in a margin beside the report, where it stood", async () => {
    const name = uniqueName();
    const gone = ["Returns are left out.", "Prices are net. ".repeat(40)];
    const page = (...removed: string[]) => [
      {
        path: "index.html",
        content: `<!doctype html><title>Sales</title><style>div{height:1500px}</style><h1>Sales</h1><p>Sold ${removed.length === 0 ? 25 : 10} units.</p><div></div>
          <p id="before">By region and month.</p>${removed.map((text) => `<p>${text}</p>`).join("")}<p>All in euros.</p><div></div>`,
      },
    ];
    const publish = (...removed: string[]) =>
      act.publish(token, { name, visibility: "public", files: page(...removed) });
    await publish(...gone);
    const { url } = await guestsOf(service).create(token, { name, comments: true });
    const context = await browser.newContext({ viewport: { width: 1440, height: 700 } });
    contexts.push(context);
    const view = await context.newPage();
    await view.goto(url);
    await view.frameLocator("iframe").getByText("Sold 10 units").waitFor();
    await publish();
    await view.getByRole("button", { name: /^Version 2: 1 number, 2 paragraphs removed/ }).click();
    const strip = view.getByRole("region", { name: "Changes since version 1" });
    const margin = view.getByRole("region", { name: "Removed text" });
    const notes = margin.getByRole("button");
    await until(async () => (await notes.count()) === 2);
    expect(await notes.first().locator("del").textContent()).toBe("Returns are left out.");
    expect((await notes.last().locator("del").textContent())?.length).toBeLessThan(200);
    // The version before stays until this one is shown.
    const report = "main iframe[src*='/~framed/']";
    const frame = view.locator(report);
    const topOf = async (at: typeof frame) => Math.round((await at.boundingBox())?.y ?? Number.NaN);
    const place = view.frameLocator(report).locator("#before");
    const isBeside = (note: typeof frame) =>
      until(async () => Math.abs((await topOf(note)) - (await topOf(place))) <= 1);
    await isBeside(notes.first());
    expect(await topOf(notes.last())).toBeGreaterThan(await topOf(notes.first()));
    const widthOf = async (at: typeof frame) => (await at.boundingBox())?.width ?? 0;
    expect(await widthOf(frame)).toBe((await widthOf(view.locator("main"))) - 2 - (await widthOf(margin)));
    await frame.hover();
    await view.mouse.wheel(0, 1300);
    await until(async () => (await topOf(place)) < 600);
    await isBeside(notes.first());

    await notes.last().click();
    await strip.getByText("3 of 3").waitFor();
    expect(await notes.last().getAttribute("aria-current")).toBe("true");
    await isBeside(notes.last());
    expect(await topOf(notes.first())).toBeLessThan(await topOf(notes.last()));
    await notes.first().focus();
    await view.keyboard.press("k");
    await strip.getByText("2 of 3").waitFor();
    await isBeside(notes.first());
    await view.keyboard.press("Tab");
    await strip.getByText("3 of 3").waitFor();
    await margin.hover({ position: { x: 20, y: 20 } });
    const before = await topOf(place);
    for (let turn = 0; turn < 10; turn++) await view.mouse.wheel(0, -20);
    await until(async () => (await topOf(place)) === before + 200);
    await isBeside(notes.last());
    expect(await findBarriers(view)).toEqual([]);

    await view.keyboard.press("m");
    const comments = view.getByRole("region", { name: "Comments" });
    await comments.getByRole("button", { name: "Comment on the report" }).waitFor();
    const heightOf = async (at: typeof frame) => (await at.boundingBox())?.height ?? 0;
    expect(await heightOf(frame)).toBeGreaterThan(500);
    expect(await margin.isVisible()).toBe(true);
    await view.setViewportSize({ width: 640, height: 900 });
    await margin.waitFor({ state: "hidden" });
    expect(await heightOf(frame)).toBeGreaterThan(250);
    await comments.getByRole("button", { name: "Close comments" }).click();
    await view.setViewportSize({ width: 640, height: 700 });
    await margin.waitFor({ state: "hidden" });
    expect(await widthOf(frame)).toBe(await widthOf(view.locator("main")));
    await strip.getByText("Returns are left out.").or(strip.getByText("Prices are net.")).waitFor();
    await view.setViewportSize({ width: 1440, height: 700 });
    await notes.last().focus();
    await view.keyboard.press("Escape");
    await margin.waitFor({ state: "detached" });
    expect(await widthOf(frame)).toBe((await widthOf(view.locator("main"))) - 2);
    expect(await view.locator("[data-part=changes]:focus").count()).toBe(1);
  });

  test("says what changed since the reader last looked", async () => {
    const name = uniqueName();
    const publish = (total: number) =>
      act.publish(token, { name, visibility: "public", files: reportOf(total, "North") });
    const { nameUrl = "" } = await publish(10);
    const context = await browser.newContext();
    contexts.push(context);
    const look = async () => {
      const page = await context.newPage();
      await page.goto(nameUrl);
      return page;
    };
    const first = await look();
    // The browser has remembered the version; who leaves before hasn't looked.
    await settled(() => first.evaluate("Object.keys(localStorage).some((key) => key.startsWith('looked '))"), true);
    await first.close();
    await publish(11);
    await publish(12);
    const page = await look();
    await page.getByRole("button", { name: "Since version 1: 1 number" }).click();
    await page.getByRole("region", { name: "Changes since version 1" }).getByText("10 12 +2, +20 %").waitFor();
    await page.close();
    await publish(13);
    await (await look()).getByRole("button", { name: "Version 4: 1 number" }).waitFor();
    const again = await look();
    await again.frameLocator("iframe").getByText("Sold 13 units").waitFor();
    expect(await again.locator("[data-part=changes]").isVisible()).toBe(false);
  });

  test("outlines charts that are layers, as those of Bokeh in shadow roots and of Plotly are", async () => {
    const name = uniqueName();
    const layers = `for (const layer of ["canvas", "canvas"]) Object.assign(inner.appendChild(document.createElement(layer)), { width: 300, height: 150, style: "position: absolute; inset: 0; background: #fff" });`;
    const library = `var Bokeh = { embed: { embed_items() {
        const host = document.getElementById("bokeh").appendChild(Object.assign(document.createElement("div"), { style: "position: relative; width: 300px; height: 150px" }));
        const inner = host.attachShadow({ mode: "open" }).appendChild(document.createElement("div")).attachShadow({ mode: "open" });
        ${layers}
      } } };
      var Plotly = { newPlot(id, data, layout) {
        const inner = Object.assign(document.getElementById(id), { className: "js-plotly-plot", data, layout });
        ${layers}
      } };`;
    const documentOf = (value: number) => {
      const data = { type: "map", entries: [["y", [3, value]]] };
      const roots = [{ type: "object", name: "ColumnDataSource", id: "p1", attributes: { data } }];
      return JSON.stringify({ d1: { version: "3.9.2", roots } });
    };
    const publish = (value: number) =>
      act.publish(token, {
        name,
        visibility: "public",
        files: [
          {
            path: "index.html",
            content: `<!doctype html><title>Orders</title><script src="bokeh.min.js"></script><h1>Orders</h1><p>By month</p><p>Sold ${value} units.</p>
              <h2>Months</h2><div id="bokeh"></div><script>Bokeh.embed.embed_items('${documentOf(value)}', []);</script>
              <h2>Years</h2><div id="plotly" style="position: relative; width: 300px; height: 150px"></div>
              <script>Plotly.newPlot("plotly", [{ name: "Years", y: [3, ${value}] }], { title: "Years" });</script>`,
          },
          { path: "bokeh.min.js", content: library },
        ],
      });
    const { nameUrl = "" } = await publish(10);
    const context = await browser.newContext();
    contexts.push(context);
    const page = await context.newPage();
    await page.goto(nameUrl);
    await page.frameLocator("iframe").getByText("Sold 10 units").waitFor();
    await publish(25);
    await page.getByRole("button", { name: "Version 2: 1 number, chart 1 changed, chart 2 changed" }).click();
    const reader = await context.newPage();
    /** Returns on how many sides of a chart a reader sees the outline. */
    async function outlinedSides(selector: string): Promise<number> {
      // The frame without marks stays until the one with marks has loaded.
      const box = await page.frameLocator("main iframe[src*='/~framed/']").locator(selector).boundingBox();
      if (box === null) return 0;
      const [x, y, width, height] = [box.x - 4, box.y - 4, box.width + 8, box.height + 8];
      const picture = await page.screenshot({ clip: { x, y, width, height } });
      return reader.evaluate<number>(`(async () => {
        const picture = await createImageBitmap(await (await fetch("data:image/png;base64,${picture.toString("base64")}")).blob());
        const canvas = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
        canvas.drawImage(picture, 0, 0);
        const [width, height] = [picture.width, picture.height];
        const sides = [[0, height / 2, 8, 1], [width - 8, height / 2, 8, 1], [width / 2, 0, 1, 8], [width / 2, height - 8, 1, 8]];
        const isGreen = ([red, green, blue]) => red === 21 && green === 128 && blue === 61;
        return sides.filter((side) => {
          const { data } = canvas.getImageData(...side.map(Math.floor));
          return Array.from({ length: data.length / 4 }, (_, at) => data.slice(at * 4)).some(isGreen);
        }).length;
      })()`);
    }
    await page.getByText("1 of 3").waitFor();
    await page.keyboard.press("j");
    await until(async () => (await outlinedSides("#bokeh > div")) === 4);
    await page.keyboard.press("j");
    await until(async () => (await outlinedSides("#plotly")) === 4);
  });

  const places = IS_EVERYTHING ? ["a public link", "a guest link"] : ["a guest link"];
  test.each(places)("says what changed in what scripts draw: %s", async (place) => {
    const name = uniqueName();
    const drawn = (sold: number, color: string) => [
      {
        path: "index.html",
        content: `<!doctype html><title>Sales</title><h1>Sales</h1><h2>Units</h2><p>By day</p><p id="sold"></p><img src="map.svg">
          <script>fetch("data.json").then((it) => it.json()).then(({ sold }) => (document.getElementById("sold").textContent = "Sold " + sold + " units"))</script>`,
      },
      { path: "data.json", content: JSON.stringify({ sold }) },
      {
        path: "map.svg",
        content: `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9" fill="${color}"/></svg>`,
      },
    ];
    const publish = (...data: Parameters<typeof drawn>) =>
      act.publish(token, { name, visibility: "public", files: drawn(...data) });
    const { nameUrl = "" } = await publish(10, "red");
    const { url } = await guestsOf(service).create(token, { name });
    const context = await browser.newContext();
    contexts.push(context);
    const page = await context.newPage();
    await page.goto(place === "a guest link" ? url : nameUrl);
    await page.frameLocator("iframe").getByText("Sold 10 units").waitFor();
    await publish(25, "green");
    await page.getByRole("button", { name: "Version 2: 1 number, image changed" }).click();
    const strip = page.getByRole("region", { name: "Changes since version 1" });
    await strip.getByText("+15, +150 %").waitFor();
    const shown = () => page.frames().filter((frame) => frame.url().includes("/~framed/"));
    await until(async () => shown().length === 1);
    const marked = () =>
      shown()[0]?.evaluate<string>(`[...(CSS.highlights.get("vitrine-changed") ?? [])].map(String).join("|")`);
    await until(async () => (await marked()) === "25");
    await publish(25, "green");
    await page.getByRole("button", { name: "Version 3: no changes" }).waitFor();
  });
});
