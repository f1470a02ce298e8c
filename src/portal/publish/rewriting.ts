import { adaptText, mayRefer } from "../../html/flattening.ts";
import { decodeText } from "./decode-text.ts";
import type { DraftFile } from "./draft-files.ts";

/** Files under their names in the report. */
export interface Renamed {
  files: DraftFile[];
  /** Renamed files that scripts mention by their old name, which can't be changed reliably. */
  mentions: readonly { in: string; old: string; name: string }[];
}

/** Gives files their names, and updates the HTML and CSS that refers to them. */
export async function renameFiles(
  files: readonly DraftFile[],
  names: ReadonlyMap<string, string>,
): Promise<Renamed> {
  const mentions: Renamed["mentions"][number][] = [];
  const renamed: DraftFile[] = [];
  for (const file of files) {
    const name = names.get(file.path) ?? file.path;
    const source = await adaptSource(file, names, ({ old, name: chosen }) =>
      mentions.push({ in: name, old, name: chosen }),
    );
    renamed.push({ id: file.id, path: name, source });
  }
  return { files: renamed, mentions };
}

async function adaptSource(
  { path, source }: DraftFile,
  names: ReadonlyMap<string, string>,
  onMention: (mention: { old: string; name: string }) => void,
): Promise<Blob> {
  const text = mayRefer(path) ? await decodeText(source) : undefined;
  if (text === undefined) return source;
  const adapted = adaptText(path, text, names);
  adapted.mentions.forEach(onMention);
  return adapted.changed === 0 ? source : new Blob([adapted.text], { type: source.type });
}
