import { FILE_BYTES, FILES_PER_UPLOAD, UPLOAD_BODY_BYTES } from "../client/definitions.ts";
import { CommandError } from "./output.ts";
import type { SourceFile } from "./report-files.ts";
import { counted, inUnits } from "./text.ts";

const MAX_NAMED = 3;

/** The options of tools that write a report as one file, by the paths that show which tool it was. */
const SINGLE_FILE_OPTIONS: readonly (readonly [path: RegExp, advice: string])[] = [
  [/(^|\/)(site_libs|[^/]+_files\/libs)\//, "In Quarto, set embed-resources: true."],
  [/(^|\/)[^/]+_files\//, "In R Markdown, set self_contained: true."],
  [/(^|\/)(_static\/|searchindex\.js$)/, "In Sphinx, use make singlehtml."],
  [/(^|\/)data\/test-cases\//, "In Allure, use allure generate --single-file."],
  [/(^|\/)assets\/(?:app|MaterialIcons-[\w-]+)\.(?:js|css|woff2?)$/, "In mochawesome, use --inline."],
  [/(^|\/)htmlwidgets-[\d.]+\/|(^|\/)lib\/htmlwidgets/, "In R, use htmlwidgets::saveWidget(selfcontained = TRUE)."],
  [/(^|\/)assets\/style\.css$/, "In pytest-html, use --self-contained-html."],
  [/(^|\/)assets\/index-[\w-]+\.js$/, "In Vite, use vite-plugin-singlefile."],
];

/** Throws `CommandError` if the server would refuse the files. `paths` are those before flattening. */
export function checkLimits(files: readonly SourceFile[], paths: readonly string[]): void {
  const problem = findProblem(files, paths);
  if (problem === undefined) return;
  const advice = SINGLE_FILE_OPTIONS.find(([pattern]) => paths.some((path) => pattern.test(path)))?.[1];
  throw new CommandError([problem, ...(advice === undefined ? [] : [advice])].join(" "));
}

function findProblem(files: readonly SourceFile[], paths: readonly string[]): string | undefined {
  if (files.length > FILES_PER_UPLOAD) {
    const where = describeDirectories(paths);
    return `The report has ${files.length} files. The limit is ${FILES_PER_UPLOAD}.${where} Remove files, or embed them in index.html.`;
  }
  const largest = files.toSorted((one, other) => other.bytes.length - one.bytes.length).slice(0, MAX_NAMED);
  const [first] = largest;
  if (first !== undefined && first.bytes.length > FILE_BYTES) {
    return `"${first.name}" has ${inUnits(first.bytes.length)}. The limit is 10 MB per file. Make the file smaller.`;
  }
  const total = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (total <= UPLOAD_BODY_BYTES) return undefined;
  const names = largest.map(({ name, bytes }) => `${name} (${inUnits(bytes.length)})`).join(", ");
  return `The report has ${inUnits(total)}. The limit is 20 MB. Largest files: ${names}. Make them smaller or remove them.`;
}

/** Returns a sentence that names the directories with the most files, if there are directories. */
function describeDirectories(paths: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const path of paths.filter((each) => each.includes("/"))) {
    const directory = path.slice(0, path.indexOf("/") + 1);
    counts.set(directory, (counts.get(directory) ?? 0) + 1);
  }
  const largest = [...counts].toSorted(([, one], [, other]) => other - one).slice(0, MAX_NAMED);
  if (largest.length === 0) return "";
  return ` Most are in ${largest.map(([directory, count]) => `${directory} (${counted(count, "file")})`).join(", ")}.`;
}
