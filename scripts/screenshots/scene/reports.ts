import { createClient } from "../../../src/client/client.ts";
import {
  addFilterRoute,
  addShortcutRoute,
  type BodyInput,
  createTagRoute,
  tagItemsRoute,
  uploadRoute,
} from "../../../src/client/routes.ts";
import { vitrine } from "../../demo.ts";
import type { Scene } from "../server.ts";

const FILLING = [
  ["forecast-q4", "Revenue forecast for the fourth quarter", "Finance/Forecasts"],
  ["support-load", "Support load by hour and channel", "Support"],
  ["ab-headline", "Headline test: “Free returns” against “Returns within 60 days”", "Shop/Tests"],
  ["latency", "API latency, p50 to p99, last 30 days", "Platform"],
  ["nightly-tests", "Nightly tests: 4,218 passed, 3 failed", "Platform/Tests"],
  ["survey-2026", "Customer survey 2026, first results", "Research"],
  ["umsatz", "تقرير المبيعات الأسبوعي: مقارنة بين المتاجر", "Shop/Sales"],
  [
    "postmortem",
    "Postmortem of the checkout outage of 14 November: what happened, how it was noticed, what it cost, and what changes until the end of the year",
    "Platform",
  ],
  ["inventory", "Inventory turnover by warehouse", "Shop/Stock"],
] as const;

const pageOf = (title: string, content: string) => [
  { path: "index.html", content: `<!doctype html><title>${title}</title>${content}` },
];

/** An `index.html` with a heading and a few lines. */
export const plainPage = (title: string) =>
  pageOf(
    title,
    `<style>body { font: 16px/1.5 system-ui; margin: 3em; max-width: 40em }</style><h1>${title}</h1>
    <p>Figures are preliminary, and include returns until Sunday.</p>`,
  );

/** Publishes the demo and other reports, and puts some in order. */
export async function fillReports(scene: Scene): Promise<void> {
  const { url, environment, steps } = scene;
  for (const publish of steps) await publish();
  const client = createClient({ baseUrl: url, token: environment.VITRINE_TOKEN });
  const upload = (body: BodyInput<typeof uploadRoute>) => client.call(uploadRoute, { body });
  for (const [name, title, folder] of FILLING) {
    await upload({ name: `ada-${name}`, title, folder, files: plainPage(title) });
  }
  const storing = `<h1>Counter</h1><script>document.write(localStorage.getItem("count"))</script>`;
  await upload({ name: "ada-needs-storage", files: pageOf("A report that needs storage", storing) });
  const failing = "<script>throw new Error('No data')</script>";
  await upload({ name: "ada-blank", files: pageOf("A blank report", failing) });

  const name = "ada-support-load";
  for (const note of ["Adds the chat channel", "Corrects week 44"]) {
    await upload({ name, note, title: "Support load by hour and channel", files: plainPage(note) });
  }
  await vitrine(["set-latest", `${name}@2`], environment);

  const owner = "ada";
  const quarterly = await client.call(createTagRoute, { body: { owner, title: "quarterly" } });
  const board = await client.call(createTagRoute, { body: { owner, title: "board", parent_id: quarterly.id } });
  await client.call(tagItemsRoute, { body: { items: [{ name: "ada-forecast-q4" }], add: [board.id] } });
  scene.paths.set("tag", `/-/w/ada?${new URLSearchParams({ tags: JSON.stringify([quarterly.id]) })}`);
  await client.call(addShortcutRoute, { body: { owner, kind: "group", ref: "ada-forecast-q4" } });
  await client.call(addShortcutRoute, { body: { owner, kind: "tag", ref: quarterly.id } });
  await client.call(addFilterRoute, {
    body: { owner, title: "Public sales", query: { q: "sales", visibility: "public" } },
  });
}
