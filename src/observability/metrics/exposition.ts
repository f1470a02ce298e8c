import type { Histogram } from "./histogram.ts";

export type Labels = Readonly<Record<string, string>>;

/** A number with the labels that distinguish it from others of its family. */
export interface Sample {
  labels?: Labels;
  value: number;
}

interface FamilyOf<Type extends string, Value> {
  /** Without the `_total` of counters. Ends with the unit, if there is one. */
  name: string;
  help: string;
  type: Type;
  unit?: "seconds" | "bytes";
  /** Called for each scrape. */
  collect(): Iterable<Value> | Promise<Iterable<Value>>;
}

/** All samples of one name. */
export type Family =
  | FamilyOf<"counter" | "gauge", Sample>
  | FamilyOf<"histogram", { labels?: Labels; histogram: Histogram }>;

type Format = "openmetrics" | "prometheus";

const OPENMETRICS = "application/openmetrics-text";
const CONTENT_TYPES = {
  openmetrics: `${OPENMETRICS}; version=1.0.0; charset=utf-8`,
  prometheus: "text/plain; version=0.0.4; charset=utf-8",
} as const;

/** Returns the families as text, in the format that the client accepts, with its media type. */
export async function exposeMetrics(families: readonly Family[], accept: string | null) {
  const format: Format = accept?.includes(OPENMETRICS) ? "openmetrics" : "prometheus";
  const rendered = await Promise.all(families.map((family) => renderFamily(family, format)));
  const text = rendered.join("") + (format === "openmetrics" ? "# EOF\n" : "");
  return { text, contentType: CONTENT_TYPES[format] };
}

/** Returns one family; nothing if it can't be collected now, because the others are needed then more than ever. */
async function renderFamily(family: Family, format: Format): Promise<string> {
  try {
    const lines = family.type === "histogram" ? await renderHistograms(family) : await renderSamples(family);
    return lines.length === 0 ? "" : `${[...renderHead(family, format), ...lines].join("\n")}\n`;
  } catch {
    return "";
  }
}

function renderHead({ name, help, type, unit }: Family, format: Format): string[] {
  const own = format === "prometheus" && type === "counter" ? `${name}_total` : name;
  const head = [`# HELP ${own} ${escapeText(help)}`, `# TYPE ${own} ${type}`];
  return format === "openmetrics" && unit !== undefined ? [`# UNIT ${own} ${unit}`, ...head] : head;
}

async function renderSamples({ name, type, collect }: FamilyOf<"counter" | "gauge", Sample>): Promise<string[]> {
  const own = type === "counter" ? `${name}_total` : name;
  return Array.from(await collect(), ({ labels = {}, value }) => line(own, labels, value));
}

async function renderHistograms({
  name,
  collect,
}: FamilyOf<"histogram", { labels?: Labels; histogram: Histogram }>): Promise<string[]> {
  return Array.from(await collect(), ({ labels = {}, histogram }) => {
    const counts = histogram.cumulative();
    const bounds = [...histogram.bounds.map(formatBound), "+Inf"];
    return [
      ...bounds.map((le, position) => line(`${name}_bucket`, { ...labels, le }, counts[position] ?? 0)),
      line(`${name}_sum`, labels, histogram.sum()),
      line(`${name}_count`, labels, counts.at(-1) ?? 0),
    ];
  }).flat();
}

function line(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([key, text]) => `${key}="${escapeLabel(text)}"`);
  return `${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${formatNumber(value)}`;
}

/** Writes bounds with a decimal point, so that both formats name a bucket alike. */
const formatBound = (bound: number) => (Number.isInteger(bound) ? bound.toFixed(1) : String(bound));

function formatNumber(value: number): string {
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
}

const escapeText = (text: string) => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
const escapeLabel = (text: string) => escapeText(text).replaceAll('"', '\\"');
