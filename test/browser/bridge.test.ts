import { expect, test } from "bun:test";
import { chromiumUnavailable, useBrowser } from "../support/chromium.ts";
import { useService } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";
import { until } from "../support/until.ts";
import { createBridgeScene, type Heard } from "./bridge-scene.ts";

const page = (body: string, head = "") => ({ "index.html": `<!doctype html><html><head>${head}</head><body>${body}` });

/** What a page can notice of a script that ran before its own. */
const TRACES = `JSON.stringify({
  globals: Object.getOwnPropertyNames(window).sort(),
  html: document.documentElement.outerHTML,
  storage: ["localStorage", "sessionStorage"].map((name) => {
    const { get, set, enumerable, configurable } = Object.getOwnPropertyDescriptor(window, name);
    return [/\\[native code\\]/.test(String(get)), String(set), get.name, get.length, enumerable, configurable];
  }),
  cookie: /\\[native code\\]/.test(String(Object.getOwnPropertyDescriptor(Document.prototype, "cookie").get)),
  scripts: document.scripts.length,
})`;

describeIf("the bridge in a framed report", chromiumUnavailable(), () => {
  const service = useService();
  const browser = useBrowser();
  const { publish, open, frame } = createBridgeScene(service, () => browser);

  async function frameNew(files: Parameters<typeof publish>[0], details: Parameters<typeof publish>[1] = {}) {
    const visitor = await open();
    return {
      ...(await frame(visitor, await publish(files, details))),
      [Symbol.asyncDispose]: visitor[Symbol.asyncDispose],
    };
  }

  const kinds = (heard: readonly Heard[], kind: string) => heard.filter((message) => message.kind === kind);

  test("reports errors, rejections and missing files, in the page's own words, and that nothing shows", async () => {
    await using framed = await frameNew(
      page(
        `<img src="none.png" width=0 height=0><script src="gone.js"></script><script>
          setTimeout(() => { throw new TypeError("x is not a function\\nat all"); });
          Promise.reject(new Error("no data"));
          setTimeout(() => { for (let n = 0; n < 20; n++) setTimeout(() => { throw new Error("x".repeat(1_000)); }); }, 100);
        </script>`,
      ),
      { visibility: "private" },
    );
    expect(await framed.until("settled")).toEqual({ kind: "settled", isBlank: true });
    const heard = await framed.heard();
    expect(
      kinds(heard, "missing")
        .map(({ path }) => path)
        .toSorted(),
    ).toEqual(["gone.js", "none.png"]);
    const errors = kinds(heard, "error").map(({ text }) => String(text));
    expect(errors).toContain("Uncaught TypeError: x is not a function at all");
    expect(errors).toContain("Unhandled rejection: Error: no data");
    expect(errors).toHaveLength(5);
    expect(Math.max(...errors.map((text) => text.length))).toBe(300);
    expect(kinds(heard, "denied")).toEqual([]);
    // Nothing says where a private report is.
    expect(JSON.stringify(heard)).not.toContain("~1.");
  });

  test("doesn't report what browsers say about sizes that change while they are observed", async () => {
    await using framed = await frameNew(
      page(`<p>Wide</p><script>
        const text = document.querySelector("p");
        new ResizeObserver(() => { text.style.width = text.offsetWidth - 1 + "px"; }).observe(text);
        addEventListener("error", ({ message }) => {
          if (message.startsWith("ResizeObserver")) setTimeout(() => { throw new Error("sizes changed"); });
        }, { once: true });
      </script>`),
    );
    await framed.until("error");
    const errors = kinds(await framed.heard(), "error").map(({ text }) => String(text));
    expect(errors).toEqual(["Uncaught Error: sizes changed"]);
  });

  test("reports storage that the page tries in vain, also if the page catches the error", async () => {
    await using framed = await frameNew(
      page(`<script>
        try { localStorage.x; } catch {}
        try { document.cookie = "a=1"; } catch {}
        sessionStorage.getItem("a");
      </script>`),
    );
    expect(await framed.until("settled")).toMatchObject({ isBlank: true });
    const areas = kinds(await framed.heard(), "denied").map(({ area }) => area);
    expect(areas.toSorted()).toEqual(["cookie", "localStorage", "sessionStorage"]);
    expect(kinds(await framed.heard(), "error")[0]?.text).toContain("sessionStorage");
  });

  test("reports none where storage is provided in memory, or not used", async () => {
    const files = page(
      `<p>Shown</p><script>localStorage.a = 1; document.cookie = "a=1"; sessionStorage.b = 2;</script>`,
    );
    await using stored = await frameNew(files, { storage: "memory" });
    expect(await stored.until("settled")).toEqual({ kind: "settled", isBlank: false });
    expect(kinds(await stored.heard(), "denied")).toEqual([]);
    await using unused = await frameNew(page("<p>Shown"));
    expect(await unused.until("settled")).toEqual({ kind: "settled", isBlank: false });
    expect(kinds(await unused.heard(), "denied")).toEqual([]);
  });

  const SHOWN: readonly [string, string][] = [
    ["text", "<p>Hello"],
    ["a canvas", "<canvas width=100 height=100></canvas>"],
    ["a drawing", "<svg width=100 height=100><circle r=9 /></svg>"],
    [
      "text in a component",
      `<div id=d></div><script>d.attachShadow({ mode: "open" }).innerHTML = "<b>Hello</b>"</script>`,
    ],
    ["a form", "<button>&nbsp;</button>"],
    ["text that comes late", `<script>setTimeout(() => { document.body.textContent = "Late"; }, 1_000)</script>`],
  ];
  const BLANK: readonly [string, string][] = [
    ["nothing", ""],
    ["white space", "<div> &#10; </div>"],
    ["what is hidden", `<p style="display: none">Hello<p style="visibility: hidden">Hello<p style="opacity: 0">Hello`],
    ["a script and a style", "<script>/* text */</script><style>p { color: red }</style><noscript>Hello</noscript>"],
    ["an empty root", `<div id="root" style="width: 100px; height: 100px"></div>`],
    ["an image that didn't load", `<img src="data:image/png;base64,AAAA" width=100 height=100>`],
    ["a canvas without size", "<canvas width=0 height=0></canvas>"],
  ];

  test("tells blank pages from others", async () => {
    await using visitor = await open();
    const framed = await Promise.all(
      [...SHOWN, ...BLANK].map(async ([name, body]) => ({
        name,
        ...(await frame(visitor, await publish(page(body)))),
      })),
    );
    const found = await Promise.all(framed.map(async (each) => [each.name, (await each.until("settled"))["isBlank"]]));
    expect(Object.fromEntries(found)).toEqual(
      Object.fromEntries([...SHOWN.map(([name]) => [name, false]), ...BLANK.map(([name]) => [name, true])]),
    );
  });

  test("looks no further than the first thing that a long page shows", async () => {
    const counting = `globalThis.looked = 0;
      for (const name of ["nextSibling", "previousSibling"]) {
        const { get } = Object.getOwnPropertyDescriptor(Node.prototype, name);
        Object.defineProperty(Node.prototype, name, { get() { looked++; return get.call(this); } });
      }`;
    await using framed = await frameNew(page(`<script>${counting}</script>${"<p>Shown".repeat(5_000)}`));
    expect(await framed.until("settled")).toMatchObject({ isBlank: false });
    const looked = await framed.report.evaluate<number>("looked");
    expect(looked).toBeGreaterThan(0);
    expect(looked).toBeLessThan(50);
  });

  test("corrects itself when a blank page shows something after all", async () => {
    await using framed = await frameNew(
      page(
        `<script>onmessage = () => 0; document.addEventListener("late", () => { document.body.textContent = "Late"; });</script>`,
      ),
    );
    expect(await framed.until("settled")).toMatchObject({ isBlank: true });
    await framed.report.evaluate(`document.dispatchEvent(new Event("late"))`);
    await until(async () => kinds(await framed.heard(), "settled").at(-1)?.["isBlank"] === false);
  });

  test("reports scrolling, and scrolls", async () => {
    await using framed = await frameNew(
      page(`<style>html { scroll-behavior: smooth }</style><div style="width: 2000px; height: 5000px">Long</div>`),
    );
    const { width, height } = await framed.until("scroll");
    expect([Number(width) >= 2_000, Number(height) >= 5_000]).toEqual([true, true]);
    await framed.send({ kind: "scrollTo", left: 100, top: 1_234, behavior: "instant" });
    const at = async () => kinds(await framed.heard(), "scroll").at(-1);
    await until(async () => (await at())?.["top"] === 1_234);
    expect(await at()).toMatchObject({ left: 100, width, height });
    expect(await framed.report.evaluate<number>("scrollY")).toBe(1_234);
    await framed.report.evaluate(`scrollTo({ left: 0, top: 77, behavior: "instant" })`);
    await until(async () => (await at())?.["top"] === 77);
    for (const top of [300, 400]) await framed.send({ kind: "scrollBy", left: -1, top, behavior: "instant" });
    await until(async () => (await at())?.["top"] === 777);
    expect(await at()).toMatchObject({ left: 0 });
  });

  test("leaves no trace in the page, and the page's listeners hear nothing", async () => {
    const body = `<p>Hello</p><script>
      var early = ${TRACES};
      var messages = 0;
      addEventListener("message", () => messages++, true);
      onmessage = () => messages++;
    </script>`;
    const code = await publish(page(body));
    await using visitor = await open();
    const framed = await frame(visitor, code);
    await framed.report.waitForLoadState();
    await framed.until("scroll");
    expect(await framed.report.evaluate<number>("messages")).toBe(0);
    const [early, late] = await framed.report.evaluate<[string, string]>(`[early, ${TRACES}]`);
    await visitor.page.evaluate(`{
      const plain = Object.assign(document.createElement("iframe"), { name: "plain", sandbox: "allow-scripts" });
      plain.src = ${JSON.stringify(`${service.contentUrl}/${code}/`)};
      document.body.append(plain);
    }`);
    const plain = await until(async () => visitor.page.frames().find((each) => each.name() === "plain"));
    await plain.getByText("Hello").waitFor();
    expect(JSON.parse(early)).toEqual(JSON.parse(await plain.evaluate<string>("early")));
    expect(JSON.parse(late)).toEqual(JSON.parse(await plain.evaluate<string>(TRACES)));
  });

  test("connects again with each page that loads in the frame, and with none inside it", async () => {
    await using framed = await frameNew({
      "index.html": `<!doctype html><p>First<a href="second.html">next</a><iframe src="inside.html"></iframe>`,
      "second.html": "<!doctype html><p>Second<script>throw new Error('second')</script>",
      "inside.html": "<!doctype html><p>Inside<script>throw new Error('inside')</script>",
    });
    await framed.report.waitForLoadState();
    await framed.report.evaluate(`document.querySelector("a").click()`);
    expect((await framed.until("error"))["text"]).toBe("Uncaught Error: second");
    const heard = await framed.heard();
    expect(kinds(heard, "connected")).toHaveLength(2);
    expect(JSON.stringify(heard)).not.toContain("inside");
  });

  test("loses nothing of a page that loads while the page around is busy", async () => {
    await using visitor = await open();
    const code = await publish({
      "index.html": `<!doctype html><script>location.href = "second.html";</script>`,
      "second.html": "<!doctype html><script>throw new Error('second')</script>",
    });
    const framed = await frame(visitor, code, { busyFor: 2_000 });
    expect((await framed.until("error"))["text"]).toBe("Uncaught Error: second");
  });

  test("draws the page with its canvases and images, without leaving anything in it", async () => {
    const image = `data:image/svg+xml,${encodeURIComponent("<svg xmlns='http://www.w3.org/2000/svg' width='400' height='125'><rect width='400' height='125' fill='lime'/></svg>")}`;
    await using framed = await frameNew({
      ...page(
        `<div style="height: 125px; background: rgb(255, 0, 0)"></div><canvas width=400 height=125></canvas><img src="own.svg" width=400 height=125
          ><div style="height: 125px" class="below"></div><div style="height: 4000px; background: red"></div>
        <script>const context = document.querySelector("canvas").getContext("2d"); context.fillStyle = "blue"; context.fillRect(0, 0, 400, 125);</script>`,
        `<style>body { margin: 0; background: rgb(0, 0, 100) } canvas, img { display: block } .below { background: yellow }</style>`,
      ),
      "own.svg": decodeURIComponent(image.split(",")[1] ?? ""),
    });
    await framed.report.waitForLoadState();
    const before = await framed.report.evaluate<string>("document.documentElement.outerHTML");
    await framed.send({ kind: "takePicture", width: 400, height: 250 });
    const { pixels } = await framed.until("picture");
    const { width, height, data: base64 } = pixels as { width: number; height: number; data: string };
    const data = Buffer.from(base64, "base64");
    expect([width, height, data.length]).toEqual([400, 250, 400 * 250 * 4]);
    const at = (x: number, y: number) => [...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4)];
    // The frame is 800 by 500.
    expect(at(100, 30)).toEqual([255, 0, 0, 255]);
    expect(at(100, 93)).toEqual([0, 0, 255, 255]);
    expect(at(300, 93)).toEqual([0, 0, 100, 255]);
    expect(at(100, 155)).toEqual([0, 255, 0, 255]);
    expect(at(300, 218)).toEqual([255, 255, 0, 255]);
    expect(await framed.report.evaluate<string>("document.documentElement.outerHTML")).toBe(before);
  });

  test("draws the page without the marks of comments on it", async () => {
    await using framed = await frameNew(
      page("<h1>Sales</h1><p>Revenue rose.</p><table><tr><th>Month<th>Orders<tr><td>May<td id=cell>12</table>"),
    );
    const pictures = async (count: number) => {
      await framed.send({ kind: "takePicture", width: 400, height: 250 });
      return until(async () => {
        const drawn = kinds(await framed.heard(), "picture");
        return drawn.length === count && drawn.map(({ pixels }) => JSON.stringify(pixels));
      });
    };
    await framed.until("connected");
    await pictures(1);
    const review = await framed.review();
    await review.first("ready");
    const text = { kind: "text", path: "index.html", prefix: "", suffix: "", start: 6, end: 19, headings: ["Sales"] };
    await review.pick(true);
    await framed.report.locator("#cell").click();
    const { value } = await review.first("chosen");
    await review.pick(false);
    await review.show([
      { id: 0, ...Object(value), isPicked: undefined },
      { id: 1, anchor: { ...text, quote: "Revenue rose." } },
    ]);
    await review.first("placed");
    const style = (property: string) =>
      framed.report.evaluate<string>(`getComputedStyle(document.querySelector("#cell")).${property}`);
    expect([await style("outlineStyle"), await framed.report.evaluate<number>("CSS.highlights.size")]).toEqual([
      "solid",
      1,
    ]);
    const [plain, marked] = await pictures(2);
    expect(marked).toBe(plain);
  });
});
