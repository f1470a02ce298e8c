import { INDEX_FILE } from "../names.ts";
import type { StorageMode } from "../storage-mode.ts";
import { findCssReferences } from "./css.ts";
import { type HtmlVisitor, type Reference, type ScriptKind, scanHtml, type Terms } from "./html.ts";
import { createLineCounter } from "./lines.ts";
import { resolveReference } from "./references.ts";
import { findInScript, isWorthParsing, MAX_PARSED_LENGTH } from "./scripts.ts";
import { BASE, integrityProblem, linkProblem, referenceProblem, scriptProblem, shapeProblem } from "./sentences.ts";

/** The textual files by name, undefined for one that is not text. */
type Files = ReadonlyMap<string, string | undefined>;

export interface Analysis {
  /** The title of `index.html`, undefined when it has none or an empty one. */
  title: string | undefined;
  warnings: string[];
}

const HTML_FILE = /\.html?$/i;
const CSS_FILE = /\.css$/i;
const SCRIPT_FILE = /\.m?js$/i;
const MODULE_FILE = /\.mjs$/i;
const OTHER_SITE = /^\s*(?:https?:)?[/\\]{2}/i;
/** Targets that stay in the frame in which the report is shown, or lead out of its sandbox. */
const IN_FRAME = /^(?:_self|_parent|_top)?$/i;
const MAX_WARNINGS = 20;
/** Of one file: more than any page has, and a bound to the work. */
const MAX_REFERENCES = 10_000;

/** Reads each file of an upload once, for the title and for what will not work where reports are shown. */
export function analyse(files: Files, storage: StorageMode = "none"): Analysis {
  const upload = new Upload(files, storage);
  const names = [...files.keys()].sort();
  const readers = new Map<string, FileReader>();
  // Pages first, for they say how the scripts are loaded.
  for (const name of [...names.filter(isPage), ...names.filter((name) => !isPage(name))]) {
    const reader = new FileReader(name, files.get(name) ?? "", upload);
    reader.read();
    readers.set(name, reader);
  }
  const title = readers.get(INDEX_FILE)?.titleText ?? "";
  const ordered = names.flatMap((name) => readers.get(name) ?? []);
  return { title: title === "" ? undefined : title, warnings: joinWarnings(ordered) };
}

const isPage = (name: string): boolean => HTML_FILE.test(name);

function joinWarnings(readers: readonly FileReader[]): string[] {
  const first = readers.flatMap(({ warnings }) => warnings).slice(0, MAX_WARNINGS);
  const more = readers.reduce((sum, { warningCount }) => sum + warningCount, 0) - first.length;
  return more === 0 ? first : [...first, `… and ${more} more.`];
}

/** What the files of one upload share. */
class Upload {
  readonly storage: StorageMode;
  /** Pages by the names of the files that they load as classic scripts without `crossorigin`. */
  readonly loaders = new Map<string, string>();
  readonly modules = new Set<string>();
  private readonly files: Files;
  private parsed = 0;

  constructor(files: Files, storage: StorageMode) {
    this.files = files;
    this.storage = storage;
  }

  readonly has = (fileName: string): boolean => this.files.has(fileName);

  /** Parsing is slow and holds up everyone else, so the upload as a whole gets no more of it than one script may have. */
  claimParsing(source: string): boolean {
    if (this.parsed + source.length > MAX_PARSED_LENGTH) return false;
    this.parsed += source.length;
    return true;
  }
}

class FileReader implements HtmlVisitor {
  titleText = "";
  readonly warnings: string[] = [];
  warningCount = 0;
  private readonly name: string;
  private readonly text: string;
  private readonly upload: Upload;
  private readonly lineOf: (at: number) => number;
  private readonly references = new Set<string>();
  private readonly findings = new Set<string>();
  /** Of those that do not open in a frame. */
  private firstLink: Reference | undefined;
  private linkCount = 0;
  private opensElsewhere = false;

  constructor(name: string, text: string, upload: Upload) {
    this.name = name;
    this.text = text;
    this.upload = upload;
    this.lineOf = createLineCounter(text);
  }

  read(): void {
    const { name, text, upload } = this;
    if (isPage(name)) this.readPage();
    else if (CSS_FILE.test(name)) this.style(text, 0, false);
    else if (SCRIPT_FILE.test(name)) {
      const isModule = MODULE_FILE.test(name) || upload.modules.has(name);
      this.findIn(text, isModule ? "module" : "classic", 0, upload.loaders.get(name));
    }
  }

  private readPage(): void {
    scanHtml(this.text, this);
    const { firstLink: first, linkCount } = this;
    if (first !== undefined && !this.opensElsewhere) this.warn(first.at, linkProblem(first.url, linkCount - 1));
  }

  title(text: string): void {
    this.titleText = text;
  }

  base(at: number, target: string | undefined): void {
    this.opensElsewhere ||= target !== undefined && !IN_FRAME.test(target.trim());
    this.warnOnce("base", at, BASE);
  }

  link(reference: Reference, { target = "" }: Terms): void {
    if (!OTHER_SITE.test(reference.url)) this.reference(reference);
    else if (IN_FRAME.test(target.trim())) this.countLink(reference);
  }

  private countLink(reference: Reference): void {
    this.firstLink ??= reference;
    this.linkCount++;
  }

  shape(reference: Reference): void {
    const { url, at } = reference;
    if (!url.trim().startsWith("#") && this.isNew(url)) this.warn(at, shapeProblem(url));
  }

  loadedScript(reference: Reference, terms: Terms): void {
    const { kind: target, fileName } = resolveReference(reference.url);
    if (target === "file" && terms.kind === "module") this.upload.modules.add(fileName);
    if (target === "file" && terms.kind === "classic" && !terms.isShared) this.upload.loaders.set(fileName, this.name);
    this.linkedFile(reference, terms);
  }

  linkedFile(reference: Reference, terms: Terms): void {
    const isRefused = terms.hasIntegrity && !terms.isShared && resolveReference(reference.url).kind === "file";
    if (isRefused) this.warn(reference.at, integrityProblem(reference.url));
    this.reference(reference);
  }

  style(css: string, at: number, isDecoded: boolean): void {
    findCssReferences(css, (url, inCss) => this.reference({ url, at: isDecoded ? at : at + inCss }));
  }

  script(source: string, kind: ScriptKind, at: number): void {
    this.findIn(source, kind, at, undefined);
  }

  private findIn(source: string, kind: ScriptKind, start: number, loader: string | undefined): void {
    if (!isWorthParsing(source, kind) || !this.upload.claimParsing(source)) return;
    for (const finding of findInScript(source, kind)) {
      const at = start + finding.at;
      const problem = scriptProblem(finding, this.upload.storage, loader);
      if (problem !== undefined) this.warnOnce(problem, at, problem);
      else if (finding.what === "import" || finding.what === "import()") this.reference({ url: finding.url, at });
    }
  }

  reference({ url, at }: Reference): void {
    if (url.startsWith("#") || !this.isNew(url)) return;
    const problem = referenceProblem(url, resolveReference(url), this.upload.has);
    if (problem !== undefined) this.warn(at, problem);
  }

  private isNew(url: string): boolean {
    if (this.references.has(url) || this.references.size === MAX_REFERENCES) return false;
    this.references.add(url);
    return true;
  }

  private warnOnce(finding: string, at: number, problem: string): void {
    if (this.findings.has(finding)) return;
    this.findings.add(finding);
    this.warn(at, problem);
  }

  private warn(at: number, problem: string): void {
    this.warningCount++;
    if (this.warnings.length < MAX_WARNINGS) this.warnings.push(`${this.name} line ${this.lineOf(at)} ${problem}`);
  }
}
