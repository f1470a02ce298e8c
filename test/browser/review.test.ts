import { expect, test } from "bun:test";
import { chromiumUnavailable, useBrowser } from "../support/chromium.ts";
import { useService } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";
import { until } from "../support/until.ts";
import { createBridgeScene } from "./bridge-scene.ts";

const PAGE = `<!doctype html><title>Sales</title><style>p{margin:20px 0} .tall{height:2000px}</style>
<h1>Sales</h1><p id="first">Revenue rose to <b>1,204</b> in March, driven by new contracts.</p>
<table><tr><th>Month</th><th>Orders</th></tr><tr><td>January</td><td id="cell">12</td></tr><tr><td>February</td><td>15</td></tr></table>
<script>const note = "not text of the page";</script><p hidden>Hidden</p><!-- Note --><svg width="200" height="20"><text y="15">Drawn</text></svg>
<div class="tall"></div><h2>Paris</h2><p id="last">Churn was flat in the second half.</p>`;

describeIf("comments on a framed report", chromiumUnavailable(), () => {
  const service = useService();
  const browser = useBrowser();
  const { publish, open, frame } = createBridgeScene(service, () => browser);

  async function reviewOf(page: string) {
    const visitor = await open();
    const framed = await frame(visitor, await publish({ "index.html": page }));
    await framed.until("connected");
    const review = await framed.review();
    return { ...framed, review, [Symbol.asyncDispose]: visitor[Symbol.asyncDispose] };
  }

  test("text that the reader selects becomes an anchor, is found, painted and shown", async () => {
    await using scene = await reviewOf(PAGE);
    const { report, review } = scene;
    await review.first("ready");
    const before = await report.evaluate<string>("document.documentElement.outerHTML");
    await report.evaluate(`getSelection().selectAllChildren(document.getElementById("last"))`);
    const { value } = await review.first("chosen");
    expect(value).toMatchObject({
      anchor: {
        kind: "text",
        path: "index.html",
        quote: "Churn was flat in the second half.",
        headings: ["Sales", "Paris"],
      },
    });
    await review.show([{ id: 3, ...Object(value), isPicked: undefined }]);
    const placed = await review.first("placed");
    expect(placed.value).toEqual([{ id: 3, place: "exact", top: expect.any(Number) }]);
    expect(await report.evaluate<string>(`String([...CSS.highlights.get("vitrine-comment")][0])`)).toBe(
      "Churn was flat in the second half.",
    );
    await review.reveal(3);
    await until(() => report.evaluate<boolean>("scrollY > 1000"));
    expect(await report.evaluate<string>("document.documentElement.outerHTML")).toBe(before);
    expect(
      await report.evaluate<string[]>("Object.keys(window).filter((name) => /vitrine|review/i.test(name))"),
    ).toEqual([]);
  });

  test("a table's cell is chosen by click, and followed while the page changes", async () => {
    await using scene = await reviewOf(PAGE);
    const { report, review } = scene;
    await review.first("ready");
    await review.pick(true);
    await report.locator("#cell").click();
    const { value } = await review.first("chosen");
    expect(value).toMatchObject({
      anchor: { element: "cell", label: "Orders, January", fingerprint: { text: "12" } },
      isPicked: true,
    });
    await review.pick(false);
    await review.show([{ id: 0, ...Object(value), isPicked: undefined }]);
    const places = async () => JSON.stringify(await review.all("placed"));
    await until(async () => (await places()).includes('"exact"'));
    await report.evaluate(`document.getElementById("cell").textContent = "14"`);
    await until(async () => (await places()).includes('"changed"'));
    await report.evaluate(`document.querySelector("table").remove()`);
    await until(async () => (await places()).includes('"gone"'));
  });

  test("text is found in a page that changes while it is read", async () => {
    const rows = Array.from({ length: 20_000 }, (_, at) => `<p>Row ${at} of the list</p>`).join("");
    await using scene = await reviewOf(
      `<!doctype html>${rows}<p id="clock"><p id="last">The end is here.</p>
      <script>setInterval(() => { document.getElementById("clock").textContent += "tick "; }, 1)</script>`,
    );
    const { report, review } = scene;
    await review.first("ready");
    const quote = "The end is here.";
    const anchor = { kind: "text", path: "index.html", quote, prefix: "", suffix: "", start: 0, end: 16, headings: [] };
    await review.show([{ id: 1, anchor }]);
    await review.first("placed");
    expect(await report.evaluate<string>(`String([...CSS.highlights.get("vitrine-comment")][0])`)).toBe(quote);
  });

  test("a review that ends takes its marks along, and gives clicks back to the page", async () => {
    await using scene = await reviewOf(`${PAGE}<button onclick="this.textContent = 'Pressed'">Press</button>`);
    const { report, review } = scene;
    await review.first("ready");
    await review.pick(true);
    await report.locator("#cell").click();
    const { value } = await review.first("chosen");
    const text = { kind: "text", path: "index.html", quote: "Churn was flat in the second half.", headings: [] };
    await review.show([
      { id: 0, ...Object(value), isPicked: undefined },
      { id: 1, anchor: { ...text, prefix: "", suffix: "", start: 0, end: 34 } },
    ]);
    const marks = () =>
      report.evaluate<string>(`getComputedStyle(document.querySelector("#cell")).outlineStyle + CSS.highlights.size`);
    await until(async () => (await marks()) === "solid1");
    await review.stop();
    await until(async () => (await marks()) === "none0");
    await report.getByRole("button", { name: "Press" }).click();
    await report.getByRole("button", { name: "Pressed" }).waitFor();
  });

  test("a page whose policy forbids other scripts can't have comments on its parts", async () => {
    await using scene = await reviewOf(
      `<!doctype html><head><meta http-equiv="Content-Security-Policy" content="script-src 'unsafe-inline'"></head><p>Hello`,
    );
    await scene.review.first("failed");
  });

  test("a page that floods the port, or sends what the bridge never sends, is no longer heard", async () => {
    const takePort = (act: string) => `<!doctype html><script>
      const { postMessage } = MessagePort.prototype;
      MessagePort.prototype.postMessage = function (data, ...rest) {
        if (data?.kind === "ready") { const port = this; setTimeout(() => { ${act} }); }
        return postMessage.call(this, data, ...rest);
      };
    </script><p>Hello`;
    const send = (message: string) => `postMessage.call(port, ${message});`;
    const forged = [
      `for (let n = 0; n < 500; n++) ${send('{ kind: "pressed", id: 0 }')}`,
      send(
        `{ kind: "chosen", anchor: { kind: "text", path: "", quote: "x".repeat(2000), prefix: "", suffix: "", start: 0, end: 1, headings: [] }, isPicked: true, top: 0 }`,
      ),
      send(`{ kind: "chosen", anchor: { kind: "report" }, isPicked: true, top: 0 }`),
      send(`{ kind: "placed", placed: [{ id: 0, place: "here", top: 0 }] }`),
      send(`{ kind: "threads" }`),
    ];
    for (const act of forged) {
      await using scene = await reviewOf(takePort(act));
      await scene.review.first("failed");
      expect((await scene.review.all("chosen")).length + (await scene.review.all("pressed")).length).toBe(0);
    }
  });
});
