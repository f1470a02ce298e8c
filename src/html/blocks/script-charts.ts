import type { AnyNode, CallExpression, Expression, NewExpression, SpreadElement } from "acorn";
import { Budget } from "../budget.ts";
import { parseScript } from "../script/parser.ts";
import { childrenOf } from "../script/syntax.ts";
import type { Chart } from "./block.ts";
import { bokehCharts, chartjsChart, echartsChart, plotlyChart, vegaChart } from "./charts.ts";

/** Longer scripts are libraries, or take too long to parse. */
const MAX_SCRIPT = 8_000_000;
const MAX_STEPS = 40_000_000;
const MAX_CHARTS = 200;
const MAX_DEPTH = 60;
/** Words of scripts that draw charts. Other scripts are not parsed. */
const DRAWS = /Plotly\s*\.|\.setOption\s*\(|vega|new\s+Chart\s*\(|"ColumnDataSource"/;
/** A library, which draws nothing alone, is long and has hardly any line breaks or data. */
const LIBRARY = /^\s*(?:\/\*[\s\S]{0,2000}?\*\/\s*)?[!(;]?\s*\(?function\s*\([\w$,\s]*\)\s*\{/;

/** Returns the charts that a script draws from data written into it, without running it. */
export function chartsOfScript(source: string): Chart[] {
  if (source.length > MAX_SCRIPT || !DRAWS.test(source.slice(0, MAX_SCRIPT))) return [];
  const json = parseJson(source);
  if (json !== undefined) return chartsOfJson(json);
  if (source.length > 500_000 && LIBRARY.test(source.slice(0, 4000))) return [];
  try {
    return chartsOfProgram(parseScript(source, "script", new Budget({ maxSteps: MAX_STEPS })).program);
  } catch {
    // A script that can't be parsed or takes too long: what it draws is unknown.
    return [];
  }
}

function parseJson(source: string): unknown {
  if (!/^\s*\{/.test(source)) return undefined;
  try {
    return JSON.parse(source);
  } catch {
    return undefined;
  }
}

function chartsOfJson(value: unknown): Chart[] {
  const vega = vegaChart(value);
  return vega === undefined ? bokehCharts(value) : [vega];
}

type Variables = ReadonlyMap<string, AnyNode>;

function chartsOfProgram(program: AnyNode): Chart[] {
  const calls: (CallExpression | NewExpression)[] = [];
  const variables = new Map<string, AnyNode>();
  const pending: AnyNode[] = [program];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.type === "CallExpression" || node.type === "NewExpression") calls.push(node);
    noteVariable(node, variables);
    for (const child of mayCall(node) ? childrenOf(node) : []) pending.push(child.node);
  }
  calls.sort((a, b) => a.start - b.start);
  return calls.flatMap((call) => chartsOfCall(call, variables)).slice(0, MAX_CHARTS);
}

/** Data has no calls, and may be long. */
const mayCall = (node: AnyNode): boolean => node.type !== "ArrayExpression" || node.elements.length <= 50;

function noteVariable(node: AnyNode, variables: Map<string, AnyNode>): void {
  if (node.type === "VariableDeclarator" && node.id.type === "Identifier" && node.init) {
    variables.set(node.id.name, node.init);
  } else if (node.type === "AssignmentExpression" && node.left.type === "Identifier") {
    variables.set(node.left.name, node.right);
  }
}

/** Returns an argument of a call. */
type Value = (index: number) => unknown;

function chartsOfCall(call: CallExpression | NewExpression, variables: Variables): Chart[] {
  const value: Value = (index) => literalOf(call.arguments[index], variables, 0);
  const name = nameOf(call.callee);
  if (call.type === "NewExpression") return name === "Chart" ? some(chartjsChart(value(1))) : [];
  const read = READERS.get(name ?? "");
  if (read !== undefined) return read(value);
  // Altair calls a function with its specification as the first argument.
  if (call.callee.type === "FunctionExpression" || call.callee.type === "ArrowFunctionExpression")
    return some(vegaChart(value(0)));
  return [];
}

function plotlyOf(value: Value): Chart[] {
  const data = value(1);
  const { data: inner, layout } =
    typeof data === "object" && data !== null && !Array.isArray(data)
      ? (data as { data?: unknown; layout?: unknown })
      : {};
  return some(plotlyChart(inner ?? data, layout ?? value(2)));
}

const vegaOf = (value: Value): Chart[] => some(vegaChart(value(1)));

const bokehOf = (value: Value): Chart[] => bokehCharts(parsed(value(0)));

/** What reads the charts of a call, by the function's name. */
const READERS: ReadonlyMap<string, (value: Value) => Chart[]> = new Map([
  ["newPlot", plotlyOf],
  ["react", plotlyOf],
  ["plot", plotlyOf],
  ["setOption", (value) => some(echartsChart(value(0)))],
  ["vegaEmbed", vegaOf],
  ["embed", vegaOf],
  ["embed_items", bokehOf],
  ["embed_items_notebook", bokehOf],
]);

const parsed = (value: unknown): unknown => (typeof value === "string" ? parseJson(value) : value);

const some = (chart: Chart | undefined): Chart[] => (chart === undefined ? [] : [chart]);

function nameOf(callee: AnyNode): string | undefined {
  if (callee.type === "Identifier") return callee.name;
  if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return undefined;
  return callee.property.name;
}

/** Returns the value of an expression made of literals and variables that hold such; otherwise undefined. */
function literalOf(
  node: Expression | SpreadElement | AnyNode | null | undefined,
  variables: Variables,
  depth: number,
): unknown {
  if (node == null || depth > MAX_DEPTH) return undefined;
  const inner = (one: AnyNode | null | undefined): unknown => literalOf(one, variables, depth + 1);
  switch (node.type) {
    case "Literal":
      return node.value;
    case "TemplateLiteral":
      return node.expressions.length === 0 ? node.quasis[0]?.value.cooked : undefined;
    case "UnaryExpression": {
      const value = inner(node.argument);
      return node.operator === "-" && typeof value === "number" ? -value : undefined;
    }
    case "ArrayExpression":
      return node.elements.map(inner);
    case "ObjectExpression": {
      const entries = node.properties.flatMap((property): [string, unknown][] => {
        if (property.type !== "Property" || property.computed) return [];
        const { key, value } = property;
        const name = key.type === "Identifier" ? key.name : key.type === "Literal" ? String(key.value) : undefined;
        return name === undefined ? [] : [[name, inner(value)]];
      });
      return Object.fromEntries(entries);
    }
    case "Identifier":
      return inner(variables.get(node.name));
    case "CallExpression": {
      const text = nameOf(node.callee) === "parse" ? inner(node.arguments[0]) : undefined;
      return typeof text === "string" ? parseJson(text) : undefined;
    }
    default:
      return undefined;
  }
}
