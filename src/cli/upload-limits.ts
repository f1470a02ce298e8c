import { FILE_BYTES, FILES_PER_UPLOAD, UPLOAD_BODY_BYTES } from "../client/definitions.ts";
import { CommandError } from "./output.ts";
import { counted, inUnits } from "./text.ts";

const MAX_NAMED = 3;

/** How to make smaller reports with a tool, by the paths that show which tool it was. */
const KEEP_LESS: readonly Advice[] = [
  [
    /(^|\/)data\/[0-9a-f]{40}\.(?:png|webm|zip)$|(^|\/)trace\/sw\.bundle\.js$/,
    'In Playwright, keep traces and videos of failed tests only, with "retain-on-failure".',
  ],
];

/** The options of tools that write a report as one file or a few, by the paths that show which tool it was. */
const SINGLE_FILE_OPTIONS: readonly Advice[] = [
  [/(^|\/)(site_libs|[^/]+_files\/libs)\//, "In Quarto, set embed-resources: true."],
  [/(^|\/)[^/]+_files\//, "In R Markdown, set self_contained: true."],
  [/(^|\/)(_static\/|searchindex\.js$)/, "In Sphinx, use make singlehtml."],
  [/(^|\/)data\/test-cases\//, "In Allure, use allure generate --single-file."],
  [/(^|\/)block-navigation\.js$/, "In Istanbul and c8, use the reporter html-spa."],
  [/(^|\/)assets\/(?:app|MaterialIcons-[\w-]+)\.(?:js|css|woff2?)$/, "In mochawesome, use --inline."],
  [/(^|\/)htmlwidgets-[\d.]+\/|(^|\/)lib\/htmlwidgets/, "In R, use htmlwidgets::saveWidget(selfcontained = TRUE)."],
  [/(^|\/)assets\/style\.css$/, "In pytest-html, use --self-contained-html."],
  [/(^|\/)assets\/index-[\w-]+\.js$/, "In Vite, use vite-plugin-singlefile."],
];

type Advice = readonly [path: RegExp, sentence: string];

/** A file to publish, by its path relative to index.html. */
export interface SizedFile {
  name: string;
  size: number;
}

/** Throws `CommandError` if a file is too large, or all of them together. */
export function checkSizes(files: readonly SizedFile[]): void {
  const large = largestOf(sizesOf(files)).filter(([, size]) => size > FILE_BYTES);
  if (large.length > 0) {
    const names = large.map(([name, size]) => `"${name}" (${inUnits(size)})`).join(", ");
    const are = large.length === 1 ? "is" : "are";
    const problem = `${names} ${are} over the limit of 10 MB per file. Make ${large.length === 1 ? "it" : "them"} smaller.`;
    refuse(problem, files, KEEP_LESS);
  }
  const total = files.reduce((sum, { size }) => sum + size, 0);
  checkTotal(files, total);
}

/** Throws `CommandError` if an upload of these files with this many bytes is too large. */
export function checkTotal(files: readonly SizedFile[], size: number): void {
  if (size <= UPLOAD_BODY_BYTES) return;
  const sizes = sizesOf(files);
  const describe = (entries: readonly Entry[]) => entries.map(([name, bytes]) => `${name} (${inUnits(bytes)})`);
  const directories = describe(largestOf(byDirectory(sizes)));
  refuse(
    `The upload has ${inUnits(size)} in ${counted(files.length, "file")}. The limit is 20 MB.` +
      (directories.length === 0 ? "" : ` Largest directories: ${directories.join(", ")}.`) +
      ` Largest files: ${describe(largestOf(sizes)).join(", ")}. Make them smaller or remove them.`,
    files,
    KEEP_LESS,
  );
}

/** Throws `CommandError` if there are too many files. */
export function checkCount(files: readonly Pick<SizedFile, "name">[]): void {
  if (files.length <= FILES_PER_UPLOAD) return;
  const directories = largestOf(byDirectory(files.map(({ name }) => [name, 1])));
  const named = directories.map(([name, count]) => `${name} (${counted(count, "file")})`).join(", ");
  refuse(
    `The report has ${files.length} files. The limit is ${FILES_PER_UPLOAD}.` +
      (named === "" ? "" : ` Most are in ${named}.`) +
      " Remove files, or embed them in index.html.",
    files,
    [...KEEP_LESS, ...SINGLE_FILE_OPTIONS],
  );
}

function refuse(problem: string, files: readonly Pick<SizedFile, "name">[], advices: readonly Advice[]): never {
  const advice = advices.find(([pattern]) => files.some(({ name }) => pattern.test(name)))?.[1];
  throw new CommandError(advice === undefined ? problem : `${problem} ${advice}`);
}

type Entry = readonly [name: string, amount: number];

const sizesOf = (files: readonly SizedFile[]): Entry[] => files.map(({ name, size }) => [name, size]);

const largestOf = (entries: readonly Entry[]): Entry[] =>
  entries.toSorted(([, one], [, other]) => other - one).slice(0, MAX_NAMED);

/** Adds up the amounts of the files in each directory beside index.html. */
function byDirectory(entries: readonly Entry[]): Entry[] {
  const sums = new Map<string, number>();
  for (const [path, amount] of entries.filter(([name]) => name.includes("/"))) {
    const directory = path.slice(0, path.indexOf("/") + 1);
    sums.set(directory, (sums.get(directory) ?? 0) + amount);
  }
  return [...sums];
}
