import { chooseNames } from "../html/flat-names.ts";
import { adaptText, mayRefer } from "../html/flattening.ts";
import type { SourceFile } from "./report-files.ts";
import { counted } from "./text.ts";
import { asText } from "./upload-body.ts";

export interface Flattened {
  files: SourceFile[];
  /** One line for each change, and for each reference that needs a change by hand. */
  notes: string[];
}

/** Gives all files names beside index.html, and updates the references to them in HTML and CSS. */
export async function flatten(files: readonly SourceFile[]): Promise<Flattened> {
  const names = chooseNames(files.map(({ name }) => name));
  const notes = [...names].filter(([old, name]) => old !== name).map(([old, name]) => `${old} is published as ${name}`);
  const flat = files.map((file) => adaptFile(file, names, notes));
  return { files: flat, notes };
}

function adaptFile(file: SourceFile, names: ReadonlyMap<string, string>, notes: string[]): SourceFile {
  const name = names.get(file.name) ?? file.name;
  const source = mayRefer(file.name) ? asText(file.bytes) : undefined;
  if (source === undefined) {
    if (mayRefer(file.name)) notes.push(`${file.name} is not UTF-8, so its references were not changed`);
    return { name, bytes: file.bytes };
  }
  const { text, changed, mentions } = adaptText(file.name, source, names);
  if (changed > 0) notes.push(`${file.name}: updated ${counted(changed, "reference")}`);
  for (const { old, name: chosen } of mentions) {
    notes.push(`${file.name}: change "${old}" to "${chosen}" in the script`);
  }
  return { name, bytes: changed > 0 ? new TextEncoder().encode(text) : file.bytes };
}
