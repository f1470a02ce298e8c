import { expect, test } from "bun:test";
import { z } from "zod";
import { pythonUnavailable } from "../python/support.ts";
import { chromiumUnavailable, useBrowser } from "../support/chromium.ts";
import { useService } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";
import { until } from "../support/until.ts";
import { createBridgeScene, type Framed, type Review } from "./bridge-scene.ts";

/** Prints figures of real tools that two sets of data make, each in an element that says which it is. */
const FIGURES = `import base64, io, json, random
import matplotlib; matplotlib.use("Agg")
import matplotlib.pyplot as plt, plotly.graph_objects as go
from plotly.offline import get_plotlyjs
def drawn(data, kind):
    chart, axes = plt.subplots(figsize=(4, 2))
    axes.plot(data)
    out = io.BytesIO()
    chart.savefig(out, format=kind)
    plt.close(chart)
    return out.getvalue()
def image(data, alt=""):
    return f'<img alt="{alt}" src="data:image/png;base64,{base64.b64encode(drawn(data, "png")).decode()}">'
def plot(data, title):
    figure = go.Figure(go.Bar(x=list("abcd"), y=data), layout_title_text=title, layout_height=220)
    return figure.to_html(full_html=False, include_plotlyjs=False)
def made(seed):
    r = random.Random(seed)
    data = lambda: [r.random() for _ in range(4)]
    return {"image": image(data()), "described": image(data(), "Trend"), "first": image(data(), "No description"),
            "second": image(data(), "No description"), "drawing": drawn(data(), "svg").decode().split("?>")[-1],
            "plotly": plot(data(), "Orders"), "library": get_plotlyjs(), "untitled": plot(data(), None),
            "canvas": "<canvas width=200 height=100></canvas>"}
print(json.dumps([made(1), made(2)]))`;
const made = z.array(z.record(z.string(), z.string()));

type Figures = Readonly<Record<string, string>>;

const SECTIONS = [
  ["Images", ["image", "described"]],
  ["Notebook", ["first", "second"]],
  ["Drawings", ["drawing", "canvas"]],
  ["Orders", ["plotly", "untitled"]],
] as const;

/** The script of Plotly comes with a plot of its own, so each page begins with it. */
const pageOf = (figures: Figures, sections: readonly (readonly [string, readonly string[]])[]) =>
  `<!doctype html><title>Figures</title><script>${figures.library ?? ""}</script>
  <h1>Figures</h1>${sections.map(([title, names]) => `<h2>${title}</h2>${names.map((name) => `<div data-k="${name}">${figures[name] ?? ""}</div>`).join("")}`).join("")}`;

describeIf("comments on figures", chromiumUnavailable() ?? pythonUnavailable("matplotlib", "plotly"), () => {
  const service = useService();
  const browser = useBrowser();
  const { publish, open, frame } = createBridgeScene(service, () => browser);
  const { stdout } = Bun.spawnSync(["/usr/bin/python3", "-W", "ignore", "-c", FIGURES]);
  const [one = {}, other = {}] = made.parse(JSON.parse(stdout.toString() || "[]"));

  async function reviewOf(page: string) {
    const visitor = await open();
    const framed = await frame(visitor, await publish({ "index.html": page }));
    await framed.report.locator("[data-k=untitled] .main-svg, [data-k=drawing] svg").first().waitFor();
    const review = await framed.review();
    await review.first("ready");
    return { ...framed, review, [Symbol.asyncDispose]: visitor[Symbol.asyncDispose] };
  }

  async function anchorsIn({ report, review }: Pick<Framed, "report"> & { review: Review }) {
    const anchors = new Map<string, object>();
    await review.pick(true);
    for (const name of NAMES) {
      const before = (await review.all("chosen")).length;
      await report.locator(`[data-k=${name}] :is(.js-plotly-plot, svg, img, canvas)`).first().click();
      const chosen = await until(async () => (await review.all("chosen"))[before]);
      anchors.set(name, z.object({ value: z.object({ anchor: z.looseObject({}) }) }).parse(chosen).value.anchor);
    }
    await review.pick(false);
    return anchors;
  }

  /** Returns which figure each anchor is on: what is outlined, or what became of it. */
  async function placesIn(page: string, anchors: ReadonlyMap<string, object>) {
    await using scene = await reviewOf(page);
    const { report, review } = scene;
    const places: Record<string, string> = {};
    const placedIn = z.object({ value: z.array(z.object({ id: z.number(), place: z.string() })) });
    for (const [id, [name, anchor]] of [...anchors].entries()) {
      await review.show([{ id, anchor }]);
      const place = await until(async () => {
        const told = (await review.all("placed")).flatMap((each) => placedIn.parse(each).value);
        return told.findLast((each) => each.id === id)?.place;
      });
      const marked = await report.evaluate<string | undefined>(
        `[...document.querySelectorAll("[data-k]")].find((each) => [...each.querySelectorAll("*")].some((one) => getComputedStyle(one).outline.includes("rgb(245, 185, 66)")))?.dataset.k`,
      );
      places[name] = marked === undefined ? place : `${place} ${marked}`;
    }
    return places;
  }

  const NAMES: readonly string[] = SECTIONS.flatMap(([, names]) => names);
  const targets = (places: Readonly<Record<string, string>>) => NAMES.map((name) => places[name]?.split(" ")[1]);

  test("stay with the figures in later versions, and on no other", async () => {
    const anchors = await (async () => {
      await using scene = await reviewOf(pageOf(one, SECTIONS));
      return await anchorsIn(scene);
    })();
    const same = await placesIn(pageOf(one, SECTIONS), anchors);
    expect(same).toEqual(Object.fromEntries(NAMES.map((name) => [name, `exact ${name}`])));
    const changed = await placesIn(pageOf(other, SECTIONS), anchors);
    expect(targets(changed)).toEqual([...NAMES]);
    // Of what a chart is made is for "what changed": a comment on it is about the same chart.
    expect(changed).toMatchObject({ image: "changed image", first: "changed first", plotly: "exact plotly" });
    expect(targets(await placesIn(pageOf(one, SECTIONS.toReversed()), anchors))).toEqual([...NAMES]);
    const [images, , drawings, orders] = SECTIONS;
    const shortened = await placesIn(pageOf(other, [images, ["Notebook", ["second"]], drawings, orders]), anchors);
    expect(shortened).toMatchObject({ image: "changed image", first: "gone", second: "gone", plotly: "exact plotly" });
  });
});
