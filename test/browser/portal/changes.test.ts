import { expect, test } from "bun:test";
import { actionsOf } from "../../hosts/app/actions.ts";
import { chromiumUnavailable, useBrowser } from "../../support/chromium.ts";
import { uniqueName, useService } from "../../support/service.ts";
import { describeIf } from "../../support/skip.ts";
import { until } from "../../support/until.ts";
import { findBarriers, openPortal } from "./portal.ts";

const reportOf = (total: number, ...rows: string[]) => [
  {
    path: "index.html",
    content: `<!doctype html><title>Sales</title><h1>Sales</h1><p>Sold <b>${total}</b> units in March.</p>
      <p>A ${total < 20 ? "weak" : "strong"} month in all regions.</p>
      <table><tr><th>Region</th><th>Units</th></tr>${rows.map((row) => `<tr><td>${row.replace(" ", "</td><td>")}</td></tr>`).join("")}</table>`,
  },
];

describeIf("what changed, in the portal", chromiumUnavailable(), () => {
  const service = useService();
  const browser = useBrowser();
  const act = actionsOf(service);

  test("the bar says what a new version changed, and the keys J and K step through it in the report", async () => {
    const user = await service.build.user();
    const name = uniqueName();
    const publish = (files: ReturnType<typeof reportOf>) => act.publish(user.token, { name, title: "Sales", files });
    await publish(reportOf(10, "North 5", "South 5"));
    await using visitor = await openPortal(browser, service, user.email, { path: `/r/${name}` });
    const { page: portal } = visitor;
    await portal.frameLocator("iframe").getByText("Sold 10 units").waitFor();
    await publish(reportOf(25, "North 5", "South 8", "West 12"));
    await portal
      .getByText(/^Version 2: 2 numbers, 1 row added/)
      .last()
      .waitFor();
    await portal.frameLocator("iframe").getByText("Sold 25 units").waitFor();
    await portal.keyboard.press("j");
    const strip = portal.getByRole("region", { name: "Changes since version 1" });
    await strip.getByText("1 of 4").waitFor();
    expect(await strip.locator("p").innerText()).toBe("Sales 10 25 +15, +150 %");
    const report = await until(async () => portal.frames().find((frame) => frame.url().includes("/~framed/")));
    const marked = (highlight: string) =>
      report.evaluate<string>(`[...(CSS.highlights.get("${highlight}") ?? [])].map(String).join("|")`);
    await until(async () => (await marked("vitrine-changed")) === "25");
    await portal.keyboard.press("j");
    await strip.getByText("2 of 4").waitFor();
    await until(async () => (await marked("vitrine-changed")) === "strong");
    await portal.keyboard.press("j");
    await strip.getByText("3 of 4").waitFor();
    const third = await strip.locator("p").innerText();
    await portal.keyboard.press("j");
    await strip.getByText("4 of 4").waitFor();
    const rest = [third, await strip.locator("p").innerText()].join("\n");
    expect(rest).toContain("5 8 +3, +60 %");
    expect(rest).toContain("Row added");
    await portal.keyboard.press("k");
    await strip.getByText("3 of 4").waitFor();
    expect(await findBarriers(portal)).toEqual([]);
    await portal.keyboard.press("Escape");
    await strip.waitFor({ state: "hidden" });
    await until(async () => (await marked("vitrine-changed")) === "");

    await portal.goto("about:blank");
    await publish(reportOf(30, "North 5", "South 8", "West 12"));
    await portal.goto(`${service.baseUrl}/-/r/${name}`);
    await portal.getByText("Version 3: 1 number").last().waitFor();
    await portal.getByRole("button", { name: "Show changes" }).click();
    await portal.getByRole("region", { name: "Changes since version 2" }).getByText("1 of 1").waitFor();
    expect(visitor.troubles).toEqual([]);
  });

  test("a margin shows removed text where it stood, beside comments, too", async () => {
    const user = await service.build.user();
    const name = uniqueName();
    const publish = (...removed: string[]) =>
      act.publish(user.token, {
        name,
        files: [
          {
            path: "index.html",
            content: `<!doctype html><title>Sales</title><style>div{height:1500px}</style><h1>Sales</h1><div></div>
              <p id="before">By region and month.</p>${removed.map((text) => `<p>${text}</p>`).join("")}<p>All in euros.</p><div></div>`,
          },
        ],
      });
    await publish("Returns are left out.", "Prices are net.");
    await publish();
    await using visitor = await openPortal(browser, service, user.email, { path: `/r/${name}` });
    const { page: portal } = visitor;
    await portal.frameLocator("iframe").getByText("By region").waitFor();
    await publish("Returns are left out.", "Prices are net.");
    await portal
      .getByText(/^Version 3: 2 paragraphs added/)
      .last()
      .waitFor();
    await publish();
    await portal
      .getByText(/^Version 4: 2 paragraphs removed/)
      .last()
      .waitFor();
    // While the strip loads for the first time, the report stays where it is.
    await portal.evaluate(`{
      const stage = document.querySelector("iframe").parentElement;
      new MutationObserver(() => (globalThis.hidings = 1)).observe(stage, { attributes: true, attributeFilter: ["style"] });
    }`);
    await portal.keyboard.press("j");
    const margin = portal.getByRole("region", { name: "Removed text" });
    const note = margin.getByRole("button", { name: "Prices are net." });
    await note.click();
    await portal.getByRole("region", { name: "Changes since version 3" }).getByText("2 of 2").waitFor();
    expect(await portal.evaluate("globalThis.hidings")).toBeUndefined();
    const place = portal.frameLocator("iframe").locator("#before");
    const topOf = async (at: typeof note) => Math.round((await at.boundingBox())?.y ?? Number.NaN);
    await until(async () => Math.abs((await topOf(note)) - (await topOf(place))) <= 1);
    await portal.keyboard.press("m");
    await portal.getByRole("region", { name: "Comments" }).waitFor();
    await until(async () => Math.abs((await topOf(note)) - (await topOf(place))) <= 1);
    const boxes = [portal.locator("iframe"), margin, portal.getByRole("region", { name: "Comments" })];
    const lefts = await Promise.all(boxes.map(async (box) => (await box.boundingBox())?.x ?? Number.NaN));
    expect(lefts).toEqual(lefts.toSorted((one, other) => one - other));
    expect(await findBarriers(portal)).toEqual([]);
    await margin.hover({ position: { x: 20, y: 20 } });
    const before = await topOf(place);
    for (let turn = 0; turn < 10; turn++) await portal.mouse.wheel(0, 15);
    await until(async () => (await topOf(place)) === before - 150);
    await until(async () => Math.abs((await topOf(note)) - (await topOf(place))) <= 1);
    await note.focus();
    await portal.keyboard.press("Escape");
    await margin.waitFor({ state: "detached" });
    expect(visitor.troubles).toEqual([]);
  });

  test("pictures that changed are compared pixel by pixel, in the page and in files", async () => {
    const user = await service.build.user();
    const name = uniqueName();
    const drawing = await browser.newPage();
    const draw = async (bar: number) =>
      Buffer.from(
        await drawing.evaluate<string>(`(() => {
          const canvas = Object.assign(document.createElement("canvas"), { width: 100, height: 50 });
          const context = canvas.getContext("2d");
          context.fillStyle = "teal";
          context.fillRect(0, 0, ${bar}, 50);
          return canvas.toDataURL("image/png").split(",")[1];
        })()`),
        "base64",
      );
    const publish = (inline: Buffer, file: Buffer) =>
      act.publish(user.token, {
        name,
        files: [
          {
            path: "index.html",
            content: `<!doctype html><title>Sales</title><h1>Sales</h1><p>By month</p>
              <img alt="Revenue" src="data:image/png;base64,${inline.toString("base64")}">
              <h2>Costs</h2><p>By year</p><img alt="Costs" src="costs.png">`,
          },
          { path: "costs.png", content: file.toString("base64"), encoding: "base64" },
        ],
      });
    // A text chunk at the end changes the file, and nothing that anyone sees.
    await publish(await draw(40), await draw(20));
    await publish(await draw(70), Buffer.concat([await draw(20), Buffer.from("\n")]));
    await drawing.close();
    await using visitor = await openPortal(browser, service, user.email, {
      path: `/r/${name}?tab=compare&as=changes`,
    });
    const { page: portal } = visitor;
    const list = portal.getByRole("region", { name: "Changes" });
    await list.getByText("30% of the pixels differ").waitFor();
    await list.getByText("Both look the same.").waitFor();
    expect(await list.getByRole("img", { name: "Difference" }).count()).toBe(1);
    const drawn = await portal.evaluate<number[]>(
      `[...document.querySelector('canvas[aria-label="After"]').getContext("2d").getImageData(69, 25, 1, 1).data]`,
    );
    expect(drawn).toEqual([0, 128, 128, 255]);
    expect(await findBarriers(portal)).toEqual([]);
    await portal.getByText("Source", { exact: true }).click();
    await portal.getByRole("button", { name: "costs.png changed" }).click();
    await portal.getByText("Both look the same.").waitFor();
    expect(visitor.troubles).toEqual([]);
  });
});
