import { median } from "./statistics.ts";

/** One row of the table. */
export interface Row {
  name: string;
  measured: string;
  against: string;
  ratio: string;
  target: string;
  verdict: "ok" | "short" | "skipped" | "failed" | "";
}

type Bound = { atMost: number } | { atLeast: number };

interface Comparison {
  name: string;
  unit: string;
  /** One number per round; `against` has the peer's numbers of the same rounds. */
  measured: readonly number[];
  against: readonly number[];
  /** The name of what is compared against. */
  peer: string;
  /** The target for the ratio, if it has one. */
  bound?: Bound;
}

/** Returns a row with the median over the rounds of the ratio of both sides. */
export function compare({ name, unit, measured, against, peer, bound }: Comparison): Row {
  // Rounded as shown, so that the verdict agrees with the table.
  const ratio = Number(median(measured.map((value, round) => value / (against[round] ?? Number.NaN))).toFixed(2));
  return {
    name,
    measured: withUnit(median(measured), unit),
    against: `${withUnit(median(against), unit)} ${peer}`,
    ratio: ratio.toFixed(2),
    target: bound === undefined ? "" : describeBound(bound),
    verdict: bound === undefined ? "" : verdictOn(ratio, bound),
  };
}

interface Figure {
  name: string;
  unit: string;
  measured: number;
  /** A figure of the same run to compare with. */
  peer?: { name: string; value: number };
  bound?: Bound;
}

/** Returns a row with a figure and its absolute target. */
export function figure({ name, unit, measured, peer, bound }: Figure): Row {
  return {
    name,
    measured: withUnit(measured, unit),
    against: peer === undefined ? "" : `${withUnit(peer.value, unit)} ${peer.name}`,
    ratio: peer === undefined ? "" : (measured / peer.value).toFixed(2),
    target: bound === undefined ? "" : `${describeBound(bound)} ${unit}`,
    verdict: bound === undefined ? "" : verdictOn(measured, bound),
  };
}

/** Returns a row for what was not measured. */
export const unmeasured = (name: string, verdict: "skipped" | "failed", reason: string): Row => ({
  name,
  measured: "",
  against: reason,
  ratio: "",
  target: "",
  verdict,
});

const verdictOn = (value: number, bound: Bound) =>
  ("atMost" in bound ? value <= bound.atMost : value >= bound.atLeast) ? "ok" : "short";

const describeBound = (bound: Bound) => ("atMost" in bound ? `≤ ${bound.atMost}` : `≥ ${bound.atLeast}`);

function withUnit(value: number, unit: string): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return `${value.toFixed(digits)} ${unit}`;
}

const COLUMNS = ["name", "measured", "against", "ratio", "target", "verdict"] as const;

export function formatTable(rows: readonly Row[]): string {
  const header = { name: "", measured: "measured", against: "against", ratio: "ratio", target: "target", verdict: "" };
  const lines = [header, ...rows];
  const widths = COLUMNS.map((column) => Math.max(...lines.map((line) => line[column].length)));
  const format = (line: Record<(typeof COLUMNS)[number], string>) =>
    COLUMNS.map((column, position) => line[column].padEnd(widths[position] ?? 0))
      .join("  ")
      .trimEnd();
  return lines.map(format).join("\n");
}
