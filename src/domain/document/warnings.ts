import { findCssReferences } from "./css.ts";
import { type HtmlVisitor, type ScriptKind, scanHtml } from "./html.ts";
import { resolveReference, type Target } from "./references.ts";
import { MAX_PARSED_LENGTH, mentionsStorage, type StorageName, usesStorageUnguarded } from "./scripts.ts";

/** The textual files by name, undefined for one that is not text. */
type Files = ReadonlyMap<string, string | undefined>;

export interface Analysis {
  /** The title of `index.html`, undefined when it has none or an empty one. */
  title: string | undefined;
  warnings: string[];
}

const INDEX = "index.html";
const HTML_FILE = /\.html?$/i;
const CSS_FILE = /\.css$/i;
const SCRIPT_FILE = /\.m?js$/i;
const MODULE_FILE = /\.mjs$/i;
const ONLY_DOTS = /^\.*$/;
const MAX_WARNINGS = 20;
/** Of one file: more than any page has, and a bound to the work. */
const MAX_REFERENCES = 10_000;
const MAX_QUOTED = 120;

/** Reads each file of an upload once, for the title and for what will not work where reports are shown. */
export function analyse(files: Files): Analysis {
  const upload = new Upload(files);
  let title = "";
  for (const name of [...files.keys()].sort()) {
    const reader = new FileReader(name, upload);
    reader.read(files.get(name) ?? "");
    if (name === INDEX) title = reader.titleText;
  }
  return { title: title === "" ? undefined : title, warnings: upload.warnings() };
}

/** What the files of one upload share. */
class Upload {
  private readonly files: Files;
  private readonly first: string[] = [];
  private count = 0;
  private parsed = 0;

  constructor(files: Files) {
    this.files = files;
  }

  has(fileName: string): boolean {
    return this.files.has(fileName);
  }

  warn(warning: string): void {
    this.count++;
    if (this.count <= MAX_WARNINGS) this.first.push(warning);
  }

  warnings(): string[] {
    const more = this.count - this.first.length;
    return more === 0 ? this.first : [...this.first, `… and ${more} more.`];
  }

  /** Parsing is slow and holds up everyone else, so the upload as a whole gets no more of it than one script may have. */
  claimParsing(source: string): boolean {
    if (this.parsed + source.length > MAX_PARSED_LENGTH) return false;
    this.parsed += source.length;
    return true;
  }
}

class FileReader implements HtmlVisitor {
  titleText = "";
  private readonly name: string;
  private readonly upload: Upload;
  private readonly references = new Set<string>();
  private readonly findings = new Set<StorageName | "base">();

  constructor(name: string, upload: Upload) {
    this.name = name;
    this.upload = upload;
  }

  read(text: string): void {
    if (HTML_FILE.test(this.name)) scanHtml(text, this);
    else if (CSS_FILE.test(this.name)) this.style(text);
    else if (SCRIPT_FILE.test(this.name)) this.script(text, MODULE_FILE.test(this.name) ? "module" : "classic");
  }

  title(text: string): void {
    this.titleText = text;
  }

  base(): void {
    this.warnOnce("base", "has a base element, which is not supported: remove it and use relative references.");
  }

  style(css: string): void {
    findCssReferences(css, (url) => this.reference(url));
  }

  script(source: string, kind: ScriptKind): void {
    if (!mentionsStorage(source) || !this.upload.claimParsing(source)) return;
    for (const name of usesStorageUnguarded(source, kind)) this.warnOnce(name, storageProblem(name));
  }

  reference(url: string): void {
    if (url.startsWith("#") || this.references.has(url) || this.references.size === MAX_REFERENCES) return;
    this.references.add(url);
    const problem = this.problem(resolveReference(url));
    if (problem !== undefined) this.warn(`refers to ${quoted(url.trim())}${problem}`);
  }

  private problem({ kind, fileName }: Target): string | undefined {
    switch (kind) {
      case "elsewhere":
        return undefined;
      case "rooted":
        return `: references that start with "/" do not work here; use a relative one (${quoted(fileName || INDEX)}).`;
      case "outside":
        return `, which is outside the upload: ${this.remedy(fileName)}`;
      case "subdirectory":
        return `, but an upload has no subdirectories: ${this.remedy(fileName)}`;
      case "file":
        return fileName === "" || this.upload.has(fileName) ? undefined : ", which is not among the uploaded files.";
    }
  }

  private remedy(fileName: string): string {
    if (this.upload.has(fileName)) return `refer to it as ${quoted(fileName)}.`;
    if (ONLY_DOTS.test(fileName)) return `put the files beside ${INDEX}.`;
    return `put the file beside ${INDEX} and refer to it as ${quoted(fileName)}.`;
  }

  private warnOnce(finding: StorageName | "base", problem: string): void {
    if (this.findings.has(finding)) return;
    this.findings.add(finding);
    this.warn(problem);
  }

  private warn(problem: string): void {
    this.upload.warn(`${this.name} ${problem}`);
  }
}

function storageProblem(name: StorageName): string {
  const missing = name === "document.cookie" ? "cookies" : "storage";
  return `uses ${name} outside a try block: reports run without ${missing}, so this will throw.`;
}

function quoted(text: string): string {
  const short = text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED).toWellFormed()}…` : text;
  return `"${short}"`;
}
