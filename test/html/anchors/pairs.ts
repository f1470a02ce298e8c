import type { Anchor, Target } from "../../../src/html/anchors/anchor.ts";
import { describeCell, describeText } from "../../../src/html/anchors/describe.ts";
import type { AnchorPage } from "../../../src/html/anchors/page.ts";
import { pageOfHtml } from "../../../src/html/anchors/page-of-html.ts";
import { resolveAnchors } from "../../../src/html/anchors/resolve.ts";

/** Two versions of a page. Spans with the same `data-k` correspond. */
export interface Pair {
  name: string;
  before: string;
  after: string;
}

export interface Outcome {
  anchors: number;
  surviving: number;
  found: number;
  wrong: string[];
}

const SPAN = /<span data-k="(\d+)">([^<]*)<\/span>/g;

interface Spans {
  page: AnchorPage;
  /** Where each is in the page's text. */
  texts: Map<string, { start: number; end: number }>;
  /** Which are cells of a table, as `table row column`. */
  cells: Map<string, { table: number; row: number; column: number }>;
}

function spansOf(html: string): Spans {
  const { text, tables } = pageOfHtml(html.replace(SPAN, "\uE000$1\uE001$2\uE002"));
  const texts: Spans["texts"] = new Map();
  const cells: Spans["cells"] = new Map();
  let removed = 0;
  for (const { 0: whole, 1: key = "", index } of text.matchAll(/\uE000(\d+)\uE001([^\uE002]*)\uE002/g)) {
    const length = whole.length - key.length - 3;
    texts.set(key, { start: index - removed, end: index - removed + length });
    removed += key.length + 3;
  }
  for (const [table, { rows }] of tables.entries()) {
    for (const [row, content] of rows.entries()) {
      for (const [column, cell] of content.entries()) {
        const key = /^\uE000(\d+)\uE001/.exec(cell)?.[1];
        if (key !== undefined) cells.set(key, { table, row, column });
      }
    }
  }
  return { page: pageOfHtml(html), texts, cells };
}

/** Anchors a span as the bridge does: a cell by its row and column, other text by its quote. */
function anchorOf({ page, texts, cells }: Spans, key: string): Anchor | undefined {
  const [text, cell] = [texts.get(key), cells.get(key)];
  const own = cell && describeCell(page, "index.html", cell);
  return own ?? (text && describeText(page, "index.html", text.start, text.end));
}

/** Returns whether a target is the span; undefined if the span isn't there. */
function isAt({ texts, cells }: Spans, key: string, target: Target): boolean {
  if (target.kind === "cell")
    return (
      JSON.stringify(cells.get(key)) === JSON.stringify({ table: target.table, row: target.row, column: target.column })
    );
  const text = texts.get(key);
  if (text === undefined || target.kind !== "text") return false;
  return Math.min(text.end, target.end) - Math.max(text.start, target.start) >= 0.5 * (text.end - text.start);
}

/** Anchors every span of the first version and resolves it in the second. */
export function resolvePair({ name, before, after }: Pair): Outcome {
  const [old, now] = [spansOf(before), spansOf(after)];
  const asked = [...old.texts.keys()].flatMap((key) => {
    const anchor = anchorOf(old, key);
    return anchor === undefined ? [] : [{ key, anchor }];
  });
  const resolutions = resolveAnchors(
    asked.map(({ anchor }) => anchor),
    now.page,
  );
  const outcome: Outcome = { anchors: asked.length, surviving: 0, found: 0, wrong: [] };
  for (const [index, { key, anchor }] of asked.entries()) {
    if (now.texts.has(key)) outcome.surviving++;
    const target = resolutions[index]?.target;
    if (target === undefined) continue;
    if (isAt(now, key, target)) outcome.found++;
    else outcome.wrong.push(`${name}: ${JSON.stringify(anchor)} at ${JSON.stringify(target)}`);
  }
  return outcome;
}

const WORDS =
  "market plan season client order stock price margin region target quality process supply review budget growth effort issue method sample storage network engine shipment contract vendor forecast audit policy meeting".split(
    " ",
  );

/** Returns pairs of a text that is edited, reordered, rewritten, repeated and shortened. The seed decides the words. */
export function writtenPairs(seed: number): Pair[] {
  let state = seed;
  const next = (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  const word = () => WORDS[next(WORDS.length)] ?? "";
  const sentence = () =>
    `The ${word()} of the ${word()} follows the ${word()}, while ${next(9000)} ${word()}s wait for the ${word()} and the ${word()}.`;
  const span = (key: number, text: string) => `<span data-k="${key}">${text}</span>`;
  const sections = Array.from({ length: 8 }, (_, section) => ({
    title: `${word()} and ${word()} ${section}`,
    texts: Array.from({ length: 4 }, sentence),
  }));
  const written = (from: readonly { title: string; texts: readonly (string | undefined)[]; at: number }[]) =>
    `<h1>Report</h1>${from.map(({ title, texts, at }) => `<h2>${title}</h2>${texts.map((text, index) => (text === undefined ? "" : `<p>${span(at * 10 + index, text)} Read more.</p>`)).join("")}`).join("")}`;
  const placed = sections.map((section, at) => ({ ...section, at }));
  const before = written(placed);
  const change = (edit: (text: string, index: number) => string | undefined) =>
    placed.map(({ title, texts, at }) => ({ title, at, texts: texts.map(edit) }));
  const list = (cities: readonly string[], by: number) =>
    `<h1>Cities</h1><ul>${cities.map((city) => `<li>${span(city.charCodeAt(0), `Sales in ${city} rose by ${(city.charCodeAt(0) * by) % 37} percent.`)}</li>`).join("")}</ul>`;
  const cities = [
    "Athens",
    "Berlin",
    "Cork",
    "Delft",
    "Essen",
    "Florence",
    "Ghent",
    "Hull",
    "Izmir",
    "Jena",
    "Kiel",
    "Lyon",
  ];
  const regions = (values: number) =>
    ["North", "South", "East", "West", "Centre"].map(
      (region, at) =>
        `<h2>${region}</h2><p>${span(at * 3, `Churn was flat.`)}</p><p>${span(at * 3 + 1, `Orders: ${(at + 3) * values}`)}</p><p>${span(at * 3 + 2, "No incident was reported.")}</p>`,
    );
  return [
    { name: "edited", before, after: written(change((text) => text.replace("follows the", "now follows its"))) },
    { name: "new numbers", before, after: written(change((text) => text.replace(/\d+/, () => String(next(9000))))) },
    { name: "reordered", before, after: written(placed.toReversed()) },
    { name: "shortened", before, after: written(change((text, index) => (index % 2 === 0 ? text : undefined))) },
    // What replaces a text is not the text.
    {
      name: "rewritten",
      before,
      after: written(
        change((text, index) => (index % 2 === 0 ? text : undefined)).map(({ texts, ...rest }) => ({
          ...rest,
          texts: texts.map((text) => text ?? undefined),
        })),
      ).replaceAll("Read more.</p>", () => `Read more.</p><p>${sentence()}</p>`),
    },
    { name: "with an introduction", before, after: `<p>${sentence()}</p>${before}` },
    {
      name: "a list, shortened",
      before: list(cities, 5),
      after: list(
        cities.filter((_, index) => index % 3 !== 1),
        5,
      ),
    },
    { name: "a list, with new numbers", before: list(cities, 5), after: list(cities, 7) },
    { name: "repeated sections", before: regions(11).join(""), after: regions(13).join("") },
    { name: "repeated sections, reordered", before: regions(11).join(""), after: regions(13).toReversed().join("") },
  ];
}
