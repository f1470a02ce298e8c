import { BLOCK_LIMITS, type Chart, oneLine, type PointValue, type Series } from "./block.ts";

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string => (typeof value === "string" ? oneLine(value).slice(0, 500) : "");

function pointOf(value: unknown): PointValue {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value === "string") return oneLine(value).slice(0, 500);
  if (typeof value === "boolean") return String(value);
  return value === null || value === undefined ? null : JSON.stringify(value).slice(0, 500);
}

const pointsOf = (values: readonly unknown[]): PointValue[] => values.slice(0, BLOCK_LIMITS.points).map(pointOf);

/** Returns the chart that `Plotly.newPlot` draws from these arguments. */
export function plotlyChart(data: unknown, layout: unknown): Chart | undefined {
  const traces = listOf(data).filter(isFields);
  if (traces.length === 0) return undefined;
  const { title, ...others } = fieldsOf(layout);
  const axes = Object.keys(others)
    .filter((key) => /^[xyz]axis\d*$/.test(key))
    .sort();
  return {
    library: "plotly",
    title: plotlyTitle(title),
    labels: axes.map((key) => plotlyTitle(fieldsOf(others[key]).title)).filter((text) => text !== ""),
    series: traces.map(plotlySeries),
  };
}

const plotlyTitle = (title: unknown): string => textOf(isFields(title) ? title.text : title);

const PLOTLY_CHANNELS = [
  "x",
  "y",
  "z",
  "values",
  "labels",
  "lat",
  "lon",
  "locations",
  "r",
  "theta",
  "open",
  "high",
  "low",
  "close",
  "text",
  "parents",
];

function plotlySeries(trace: Fields): Series {
  const channels: Record<string, PointValue[]> = {};
  for (const name of [...PLOTLY_CHANNELS]) {
    const values = plotlyValues(trace[name]);
    if (values !== undefined) channels[name] = pointsOf(values);
  }
  const { header, cells, value } = trace;
  for (const [name, part] of [
    ["header", header],
    ["cells", cells],
  ] as const) {
    const columns = listOf(fieldsOf(part).values);
    if (columns.length > 0) channels[name] = pointsOf(columns.flat());
  }
  if (typeof value === "number") channels.value = [value];
  return { name: textOf(trace.name), type: textOf(trace.type) || "scatter", channels };
}

/** Returns the values of one channel, which may be typed numbers in base64. */
function plotlyValues(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value.flat();
  if (ArrayBuffer.isView(value) && !(value instanceof DataView))
    return Array.from(value as unknown as ArrayLike<number>);
  const { dtype, bdata } = fieldsOf(value);
  return typeof dtype === "string" && typeof bdata === "string" ? decodeNumbers(dtype, bdata) : undefined;
}

const READERS: Readonly<Record<string, readonly [bytes: number, read: (view: DataView, at: number) => number]>> = {
  f8: [8, (view, at) => view.getFloat64(at, true)],
  f4: [4, (view, at) => view.getFloat32(at, true)],
  i4: [4, (view, at) => view.getInt32(at, true)],
  u4: [4, (view, at) => view.getUint32(at, true)],
  i2: [2, (view, at) => view.getInt16(at, true)],
  u2: [2, (view, at) => view.getUint16(at, true)],
  i1: [1, (view, at) => view.getInt8(at)],
  u1: [1, (view, at) => view.getUint8(at)],
};

function decodeNumbers(type: string, base64: string): number[] | undefined {
  const [size, read] = READERS[type] ?? [];
  if (size === undefined || read === undefined) return undefined;
  let binary: string;
  try {
    binary = atob(base64);
  } catch {
    return undefined;
  }
  const view = new DataView(Uint8Array.from(binary, (unit) => unit.charCodeAt(0)).buffer);
  const count = Math.min(Math.floor(view.byteLength / size), BLOCK_LIMITS.points);
  return Array.from({ length: count }, (_, index) => read(view, index * size));
}

/** Returns the chart that Vega-Embed draws from this specification of Vega-Lite or Vega. */
export function vegaChart(given: unknown): Chart | undefined {
  const spec = fieldsOf(given);
  if (!/vega/.test(textOf(spec.$schema))) return undefined;
  const views = viewsOf(spec, 0);
  const datasets = Object.values(fieldsOf(spec.datasets)).map(listOf);
  const inline = [...views.map(({ data }) => data), ...listOf(spec.data)].map((data) => listOf(fieldsOf(data).values));
  const marks = views.map(({ mark }) => textOf(isFields(mark) ? mark.type : mark)).filter((mark) => mark !== "");
  const { title } = spec;
  return {
    library: "vega",
    title: textOf(isFields(title) ? title.text : title),
    labels: views.flatMap(({ encoding }) => Object.entries(fieldsOf(encoding)).map(encodingLabel)),
    series: [...datasets, ...inline]
      .filter((rows) => rows.length > 0)
      .map((rows, index) => ({ name: "", type: marks[index] ?? marks[0] ?? "", channels: columnsOf(rows) })),
  };
}

interface View {
  readonly mark: unknown;
  readonly encoding: unknown;
  readonly data: unknown;
}

const MAX_VIEW_DEPTH = 8;

function viewsOf(spec: Fields, depth: number): View[] {
  const { mark, encoding, data } = spec;
  const own = [{ mark, encoding, data: isFields(data) ? data : undefined }];
  if (depth > MAX_VIEW_DEPTH) return own;
  const inner = [spec.layer, spec.hconcat, spec.vconcat, spec.concat].flatMap(listOf);
  return [...own, ...[...inner, spec.spec].filter(isFields).flatMap((view) => viewsOf(view, depth + 1))];
}

function encodingLabel([channel, given]: [string, unknown]): string {
  const { field, title, aggregate } = fieldsOf(given);
  return [channel, textOf(aggregate), textOf(title) || textOf(field)].filter((part) => part !== "").join(" ");
}

/** Returns a table's values by column. */
function columnsOf(rows: readonly unknown[]): Record<string, PointValue[]> {
  const names = [...new Set(rows.filter(isFields).flatMap(Object.keys))].slice(0, BLOCK_LIMITS.columns);
  if (names.length === 0) return { value: pointsOf(rows) };
  return Object.fromEntries(names.map((name) => [name, pointsOf(rows.map((row) => fieldsOf(row)[name]))]));
}

/** Returns the chart that ECharts draws from these options. */
export function echartsChart(given: unknown): Chart | undefined {
  const option = fieldsOf(listOf(fieldsOf(given).options)[0] ?? given);
  const series = someOf(option.series);
  if (series.length === 0) return undefined;
  const axes = [...someOf(option.xAxis), ...someOf(option.yAxis)];
  const categories = axes.map(({ data }) => listOf(data)).find((data) => data.length > 0);
  const source = listOf(fieldsOf(option.dataset).source);
  return {
    library: "echarts",
    title: textOf(someOf(option.title)[0]?.text),
    labels: axes.map(({ name }) => textOf(name)).filter((name) => name !== ""),
    series: series.map(({ name, type, data }) => ({
      name: textOf(name),
      type: textOf(type),
      channels: echartsChannels(listOf(data).length > 0 ? listOf(data) : source, categories),
    })),
  };
}

const someOf = (value: unknown): Fields[] => (Array.isArray(value) ? value : [value]).filter(isFields);

function echartsChannels(
  data: readonly unknown[],
  categories: readonly unknown[] | undefined,
): Record<string, PointValue[]> {
  const named = data.map((one) => textOf(fieldsOf(one).name));
  const x = named.some((name) => name !== "") ? named : categories;
  const y = pointsOf(data.map((one) => (isFields(one) && "value" in one ? one.value : one)));
  return x === undefined ? { y } : { x: pointsOf(x), y };
}

/** Returns the chart that Chart.js draws from this configuration. */
export function chartjsChart(given: unknown): Chart | undefined {
  const config = fieldsOf(given);
  const { labels, datasets } = fieldsOf(config.data);
  const all = listOf(datasets).filter(isFields);
  if (all.length === 0) return undefined;
  const plugins = fieldsOf(fieldsOf(config.options).plugins);
  return {
    library: "chartjs",
    title: textOf(fieldsOf(plugins.title).text),
    labels: [],
    series: all.map(({ label, type, data }) => ({
      name: textOf(label),
      type: textOf(type) || textOf(config.type),
      channels: { ...(Array.isArray(labels) ? { x: pointsOf(labels) } : {}), y: pointsOf(listOf(data)) },
    })),
  };
}

interface BokehParts {
  readonly sources: Fields[];
  readonly titles: string[];
  readonly axes: string[];
}

/** Returns the charts in the JSON that Bokeh's `embed_items` draws. */
export function bokehCharts(given: unknown): Chart[] {
  return Object.values(fieldsOf(given)).flatMap((document) => {
    const found: BokehParts = { sources: [], titles: [], axes: [] };
    walkBokeh(fieldsOf(document).roots, found);
    if (found.sources.length === 0) return [];
    const series = found.sources.map((data) => ({ name: "", type: "", channels: bokehColumns(data) }));
    return [{ library: "bokeh" as const, title: found.titles[0] ?? "", labels: found.axes, series }];
  });
}

function walkBokeh(roots: unknown, found: BokehParts): void {
  const pending: unknown[] = [roots];
  for (let left = 200_000; pending.length > 0 && left > 0; left--) {
    const next = pending.pop();
    if (Array.isArray(next)) for (const one of next) pending.push(one);
    if (!isFields(next)) continue;
    noteBokeh(next, found);
    for (const [key, inner] of Object.entries(next)) if (key !== "data") pending.push(inner);
  }
}

/** The walk goes backwards. */
function noteBokeh(model: Fields, { sources, titles, axes }: BokehParts): void {
  const attributes = fieldsOf(model.attributes);
  const type = textOf(model.name) || textOf(model.type);
  if (type === "ColumnDataSource") sources.unshift(fieldsOf(attributes.data));
  else if (type === "Title") titles.unshift(textOf(attributes.text));
  else if (type.endsWith("Axis")) axes.unshift(textOf(attributes.axis_label));
}

function bokehColumns(data: Fields): Record<string, PointValue[]> {
  const entries = data.type === "map" ? listOf(data.entries).map(listOf) : Object.entries(data);
  const columns: Record<string, PointValue[]> = {};
  for (const [name, values] of entries.slice(0, BLOCK_LIMITS.columns)) {
    const { type, array, dtype, __ndarray__: legacy } = fieldsOf(values);
    const bytes =
      type === "ndarray" ? fieldsOf(array).data : typeof legacy === "string" ? legacy : fieldsOf(legacy).data;
    const numbers =
      typeof bytes === "string" ? decodeNumbers(bokehType(textOf(dtype)), bytes) : listOf(array ?? values);
    columns[textOf(name)] = pointsOf(numbers ?? [bytes]);
  }
  return columns;
}

/** Returns Plotly's short name of a number type. */
const bokehType = (type: string): string => `${type[0] ?? ""}${Number.parseInt(type.replace(/^\D+/, ""), 10) / 8}`;
