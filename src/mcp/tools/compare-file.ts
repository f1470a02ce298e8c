import type { Client } from "../../client/client.ts";
import type { ReportEntry } from "../../client/routes.ts";
import { textOfPage } from "../parts.ts";
import { counted } from "../text.ts";
import type { ToolContext } from "../tool.ts";
import { ToolError } from "../tool-error.ts";
import { downloadWhole, fileOf, isPage, isText } from "./reading.ts";

/** Limits of a comparison, which takes processor time and memory. */
const MAX_COMPARED_BYTES = 1024 * 1024;
const MAX_COMPARED_LINES = 20_000;

interface FileComparison {
  older: ReportEntry;
  newer: ReportEntry;
  path: string;
  as: "text" | "source";
  context: number;
}

/** Compares a changed file. The diff is empty only if there is nothing to show, which the title then explains. */
export async function compareFile(
  { client, turns, diffTexts }: ToolContext,
  { older, newer, path, as, context }: FileComparison,
) {
  const isRendered = as === "text" && isPage(fileOf(older, path)) && isPage(fileOf(newer, path));
  const compare = (rendered: boolean) =>
    turns(async () => {
      const before = await readComparable(client, older, path, rendered);
      const after = await readComparable(client, newer, path, rendered);
      const labels = { old: labelOf(path, older), new: labelOf(path, newer) };
      const diff = await diffTexts({ before, after, labels, context });
      if (diff !== undefined) return diff;
      throw new ToolError(`These versions of "${path}" are too different to compare. Read both with read_report.`);
    });
  const describe = (what: string, { added, removed }: { added: number; removed: number }) =>
    `${what} of ${path}: ${counted(added, "line")} added, ${removed} removed.`;
  if (isRendered) {
    const diff = await compare(true);
    if (diff.text !== "") return { diff: diff.text, title: describe("Visible text", diff) };
  }
  const diff = await compare(false);
  const same = isRendered ? `The visible text of ${path} is the same; its source differs. ` : "";
  if (diff.text === "") return { diff: "", title: `${same}${path} differs only in the line break at its end.` };
  return { diff: diff.text, title: same + describe("Source", diff) };
}

const labelOf = (path: string, { code: ownCode, version_no: number }: ReportEntry) =>
  `${path} (${ownCode}, version ${number})`;

async function readComparable(client: Client, from: ReportEntry, path: string, isRendered: boolean): Promise<string> {
  const file = fileOf(from, path);
  if (!isText(file)) throw new ToolError(`"${path}" is not a text file. Only text files can be compared.`);
  if (file.size > MAX_COMPARED_BYTES) {
    throw new ToolError(
      `"${path}" of ${from.code} has ${file.size} bytes, but the limit for comparisons is ${MAX_COMPARED_BYTES}. Read both versions with read_report.`,
    );
  }
  const response = await downloadWhole(client, from.code, path);
  const text = isRendered ? await textOfPage(response) : await response.text();
  if (hasMoreLines(text, MAX_COMPARED_LINES)) {
    throw new ToolError(
      `"${path}" of ${from.code} has more than ${MAX_COMPARED_LINES} lines, the limit for comparisons. Read both versions with read_report.`,
    );
  }
  return text;
}

function hasMoreLines(text: string, most: number): boolean {
  let position = -1;
  for (let count = 0; count <= most; count++) {
    position = text.indexOf("\n", position + 1);
    if (position < 0) return false;
  }
  return true;
}
