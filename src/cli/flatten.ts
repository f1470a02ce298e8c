import { chooseNames } from "../html/flat-names.ts";
import { adaptText, mayRefer } from "../html/flattening.ts";
import type { SourceFile } from "./report-files.ts";
import { counted } from "./text.ts";
import { asText } from "./upload-body.ts";

export interface Flattened {
  files: SourceFile[];
  /** What has changed; undefined if nothing has. */
  summary: string | undefined;
  /** One sentence for each file that was not changed, and for each reference that needs a change by hand. */
  notes: string[];
  /** References in scripts, which need a change by hand. */
  mentions: Mention[];
}

/** A reference in a script to a file that has another name now. */
export interface Mention {
  /** The name of the file with the script. */
  file: string;
  old: string;
}

/** Gives all files names beside index.html, and updates the references to them in HTML and CSS. */
export async function flatten(files: readonly SourceFile[]): Promise<Flattened> {
  const names = chooseNames(files.map(({ name }) => name));
  const renamed = [...names].filter(([old, name]) => old !== name).length;
  const report: Report = { notes: [], mentions: [], references: 0 };
  const flat = files.map((file) => adaptFile(file, names, report));
  const { notes, mentions, references } = report;
  return { files: flat, summary: summarize(renamed, references), notes, mentions };
}

interface Report extends Pick<Flattened, "notes" | "mentions"> {
  /** The number of references that were updated. */
  references: number;
}

const summarize = (renamed: number, references: number): string | undefined =>
  renamed === 0
    ? undefined
    : `Moved ${counted(renamed, "file")} next to index.html and updated ${counted(references, "reference")}.`;

function adaptFile(file: SourceFile, names: ReadonlyMap<string, string>, report: Report): SourceFile {
  const { notes } = report;
  const name = names.get(file.name) ?? file.name;
  const source = mayRefer(file.name) ? asText(file.bytes) : undefined;
  if (source === undefined) {
    if (mayRefer(file.name)) notes.push(`"${file.name}" isn't UTF-8, so its references were not updated.`);
    return { name, bytes: file.bytes };
  }
  const { text, changed, mentions } = adaptText(file.name, source, names);
  report.references += changed;
  for (const { old, name: chosen } of mentions) {
    notes.push(`A script in "${file.name}" refers to "${old}". Change that to "${chosen}".`);
    report.mentions.push({ file: name, old });
  }
  return { name, bytes: changed > 0 ? new TextEncoder().encode(text) : file.bytes };
}
