import type { BlockOf, Series } from "../blocks/block.ts";
import { type Change, createChange } from "./change.ts";
import type { Pair } from "./compare-table.ts";
import { numberChange, rounded } from "./numbers.ts";
import { withoutVolatile } from "./volatile.ts";

type ChartBlock = BlockOf<"chart">;

interface SeriesChange {
  readonly label: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly difference?: number | null;
  readonly percentage?: number | null;
}

/** Returns the changes between two versions of a chart, one for each series that differs. */
export function compareCharts({ before, after, oldIndex, newIndex }: Pair<ChartBlock>): Change[] {
  const found: SeriesChange[] = [];
  if (differs(before.title, after.title)) found.push({ label: "Title", before: before.title, after: after.title });
  const [oldLabels, newLabels] = [before.labels.join(", "), after.labels.join(", ")];
  if (differs(oldLabels, newLabels)) found.push({ label: "Axes", before: oldLabels, after: newLabels });
  found.push(...compareSeries(before.series, after.series));
  const places = { oldPlace: { block: oldIndex }, newPlace: { block: newIndex } };
  const name = after.title || before.title;
  return found.map(({ label, ...change }) =>
    createChange({
      kind: "chart",
      block: "chart",
      headings: after.headings,
      ...change,
      label: [name, label].filter((part) => part !== "").join(": "),
      ...places,
    }),
  );
}

const differs = (before: string, after: string): boolean => withoutVolatile(before) !== withoutVolatile(after);

function compareSeries(before: readonly Series[], after: readonly Series[]): SeriesChange[] {
  const nameOf = ({ name, type }: Series, index: number) => name || `${type || "series"} ${index + 1}`;
  const news = new Map(after.map((series, index) => [nameOf(series, index), series]));
  const changes: SeriesChange[] = [];
  for (const [index, series] of before.entries()) {
    const label = nameOf(series, index);
    const same = news.get(label);
    news.delete(label);
    if (same === undefined) changes.push({ label, before: describe(series), after: null });
    else changes.push(...comparePoints(label, series, same));
  }
  for (const [label, series] of news) changes.push({ label, before: null, after: describe(series) });
  return changes;
}

const countOf = ({ channels }: Series): number =>
  Object.values(channels).reduce((most, values) => Math.max(most, values.length), 0);

const describe = (series: Series): string => `${countOf(series)} points`;

function comparePoints(label: string, before: Series, after: Series): SeriesChange[] {
  const differing: { channel: string; index: number }[] = [];
  for (const channel of new Set([...Object.keys(before.channels), ...Object.keys(after.channels)])) {
    const [olds, news] = [before.channels[channel] ?? [], after.channels[channel] ?? []];
    for (let index = 0; index < Math.max(olds.length, news.length); index++) {
      if (olds[index] !== news[index]) differing.push({ channel, index });
    }
  }
  if (before.type !== after.type) return [{ label, before: before.type, after: after.type }];
  const [first] = differing;
  if (first === undefined) return [];
  const points = new Set(differing.map(({ index }) => index)).size;
  if (points > 1 || countOf(before) !== countOf(after)) {
    const count = `${points} of ${countOf(after)} points differ`;
    return [{ label, before: describe(before), after: `${describe(after)}; ${count}` }];
  }
  const [old, fresh] = [before.channels[first.channel]?.[first.index], after.channels[first.channel]?.[first.index]];
  const where = before.channels.x?.[first.index] ?? before.channels.labels?.[first.index] ?? first.index + 1;
  const isNumeric = typeof old === "number" && typeof fresh === "number";
  const change = isNumeric ? numberChange({ value: old, unit: "" }, { value: fresh, unit: "" }) : undefined;
  const shown = (value: unknown) => (typeof value === "number" ? String(rounded(value)) : String(value ?? ""));
  return [{ label: `${label}, ${where}`, before: shown(old), after: shown(fresh), ...change }];
}
