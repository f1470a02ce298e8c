import { CELL_SEPARATOR, type Change } from "./change.ts";

/** Changes that are listed in full; a comment with more is hard to read, and hosts limit its length. */
const MAX_LISTED = 50;

interface MarkdownInput {
  readonly title: string;
  readonly summary: string;
  readonly changes: readonly Pick<
    Change,
    "kind" | "headings" | "label" | "before" | "after" | "difference" | "percentage"
  >[];
  readonly total: number;
}

/** Returns changes as a list in Markdown, with everything that comes from the report escaped. */
export function changesMarkdown({ title, summary, changes, total }: MarkdownInput): string {
  const lines = [`**${escaped(title)}**: ${escaped(summary)}`];
  let heading = "";
  for (const change of changes.slice(0, MAX_LISTED)) {
    const under = change.headings.join(" › ");
    if (under !== heading) lines.push("", `#### ${escaped(under)}`, "");
    else if (lines.length === 1) lines.push("");
    heading = under;
    lines.push(`- ${describeChange(change, code)}`);
  }
  const left = total - Math.min(changes.length, MAX_LISTED);
  if (left > 0) lines.push("", `and ${left} more`);
  return `${lines.join("\n")}\n`;
}

const NOUNS: Readonly<Record<Change["kind"], string>> = {
  number: "",
  text: "",
  cell: "",
  row_added: "Row added",
  row_removed: "Row removed",
  row_moved: "Row moved",
  rows_sorted: "Rows sorted differently",
  column_added: "Column added",
  column_removed: "Column removed",
  image: "Image changed",
  chart: "Chart changed",
  block_added: "Added",
  block_removed: "Removed",
  block_moved: "Moved",
};

type Described = Pick<Change, "kind" | "label" | "before" | "after" | "difference" | "percentage">;

/** Returns what happened, such as "Row added"; empty for a value that is another now. */
export const nounOf = (kind: Change["kind"]): string => NOUNS[kind];

/** Returns one change as a line. `quote` marks what the report says. */
export function describeChange(change: Described, quote: (text: string) => string = (text) => text): string {
  const { kind, label, before, after } = change;
  const noun = NOUNS[kind];
  const repeatsLabel = isInText(kind) || (after ?? before ?? "").startsWith(`${label}${CELL_SEPARATOR}`);
  const named = label === "" || repeatsLabel ? [] : [quote(label)];
  const values =
    before !== null && after !== null && before !== after
      ? [`${quote(before)} → ${quote(after)}`]
      : [quote(after ?? before ?? "")];
  const shown = values.filter((value) => value !== quote("") && value !== named[0]);
  return [[noun, ...named, ...shown].filter((part) => part !== "").join(": "), differenceOf(change)]
    .filter((part) => part !== "")
    .join(" ");
}

/** The label of a change in text is the sentence around it, which would repeat it. */
const isInText = (kind: Change["kind"]): boolean => kind === "number" || kind === "text";

/** Returns the sentence around a change in text; empty for other changes, and where the change is all of it. */
export const sentenceOf = ({ kind, label, after }: Pick<Change, "kind" | "label" | "after">): string =>
  isInText(kind) && label !== after ? label : "";

/** Returns how a number changed, such as "(+100, +8.1 %)"; empty for other changes. */
export function differenceOf({ difference, percentage }: Pick<Change, "difference" | "percentage">): string {
  if (difference === null || difference === 0) return "";
  const signed = (value: number, digits: number) =>
    `${value > 0 ? "+" : "−"}${Math.abs(value).toLocaleString("en", { maximumFractionDigits: digits })}`;
  // One digit after the point, or the first that isn't zero.
  const digits =
    percentage === null || percentage === 0 ? 1 : Math.max(1, -Math.floor(Math.log10(Math.abs(percentage))));
  return `(${signed(difference, 4)}${percentage === null ? "" : `, ${signed(percentage, digits)} %`})`;
}

const MAX_QUOTED = 120;

/** Returns text as code, so that nothing in it is markup, a mention or a link. */
function code(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line === "") return "";
  const shown = line.length > MAX_QUOTED ? `${line.slice(0, MAX_QUOTED - 1)}…` : line;
  const fence = "`".repeat(Math.max(0, ...Array.from(shown.matchAll(/`+/g), ([run]) => run.length)) + 1);
  const pad = shown.startsWith("`") || shown.endsWith("`") ? " " : "";
  return `${fence}${pad}${shown}${pad}${fence}`;
}

/** Returns text with every character escaped that Markdown or HTML could read as markup, and mentions broken. */
const escaped = (text: string): string =>
  text
    .replace(/\s+/g, " ")
    .replace(/[\\`*_{}[\]()#+!<>|~&$]/g, "\\$&")
    .replace(/@/g, "@\u200b");
