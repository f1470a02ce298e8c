import { Budget, OverBudget } from "../budget.ts";
import { findCssReferences } from "../css.ts";
import { decodeDataUrl } from "../data-urls.ts";
import { handlesSubmit } from "../script/mentions.ts";
import { TooDeep } from "../script/parser.ts";
import { findInScript } from "../script/search.ts";
import type { Use } from "../script/uses.ts";
import { findByWords } from "../script/words.ts";
import type { Cause, Finding } from "./findings.ts";
import { PageReader } from "./page.ts";
import { findReferenceProblem } from "./references.ts";
import { describeFindings } from "./sentences.ts";
import { type Files, INDEX_FILE, Upload, type WaitingScript } from "./upload.ts";

export interface Analysis {
  /** The title of `index.html`, or undefined if it has none or an empty one. */
  title: string | undefined;
  warnings: string[];
  /** The warnings if the pages are served with a stand-in for storage; undefined if they are the same. */
  warningsWithStorage: string[] | undefined;
}

interface AnalysisOptions {
  readonly budget?: Budget;
}

const HTML_FILE = /\.html?$/i;
const CSS_FILE = /\.css$/i;
const SCRIPT_FILE = /\.m?js$/i;
const MODULE_FILE = /\.mjs$/i;
/** Characters of script that are parsed in one upload: parsing takes at least 60 ms for each million. */
const MAX_PARSED_LENGTH = 2_000_000;
/** The nesting of scripts in data: URLs. */
const MAX_DATA_DEPTH = 3;

const BLANK_PAGE = `${INDEX_FILE} is empty, so readers see a blank page.`;

/** What the stand-in for storage provides. */
const REPLACED: ReadonlySet<Cause> = new Set<Cause>(["localStorage", "sessionStorage", "document.cookie"]);

/**
 * Returns the title of an upload, and warnings about what will not work once it is published. Over the budget it stops, keeps
 * what it has found, and adds a warning.
 */
export function analyse(files: Files, { budget = new Budget() }: AnalysisOptions = {}): Analysis {
  const { title, findings } = new Inspector(new Upload(files, budget)).run();
  const others = findings.filter(({ cause }) => !REPLACED.has(cause));
  const blank = files.get(INDEX_FILE)?.trim() === "" ? [BLANK_PAGE] : [];
  return {
    title,
    warnings: [...blank, ...describeFindings(findings, files)],
    warningsWithStorage: others.length === findings.length ? undefined : [...blank, ...describeFindings(others, files)],
  };
}

class Inspector {
  private readonly upload: Upload;
  private readonly pages: PageReader[] = [];
  private readonly names: readonly string[];
  private isOver = false;
  private parsed = 0;

  constructor(upload: Upload) {
    this.upload = upload;
    const names = [...upload.files.keys()].sort();
    // The page with the title comes first, so that a lack of budget cannot lose it.
    this.names = [...names.filter((name) => name === INDEX_FILE), ...names.filter((name) => name !== INDEX_FILE)];
  }

  /** Returns findings by file, then in the order of the text. */
  run(): { title: string | undefined; findings: Finding[] } {
    for (const name of this.names.filter((each) => HTML_FILE.test(each))) this.within(name, () => this.readPage(name));
    for (const name of this.names.filter((each) => CSS_FILE.test(each))) this.within(name, () => this.readStyle(name));
    for (const name of this.names.filter((each) => SCRIPT_FILE.test(each))) this.queueScript(name);
    const waiting = this.upload.scripts;
    const isSubmitHandled = waiting.some(({ source }) => handlesSubmit(source));
    for (const page of this.pages) page.finish({ handlesSubmit: isSubmitHandled });
    // Short scripts come first, so that a long one does not use up their budget.
    waiting.sort((one, other) => one.source.length - other.source.length);
    for (const script of waiting) this.readScript(script, 0);
    return { title: this.title(), findings: this.findings() };
  }

  private title(): string | undefined {
    const title = this.upload.files.has(INDEX_FILE) ? this.pages[0]?.titleText : "";
    return title === "" ? undefined : title;
  }

  private findings(): Finding[] {
    const order = ({ cause }: Finding) => (cause === "incomplete" ? 1 : 0);
    return this.upload.findings.sort(
      (one, other) => order(one) - order(other) || compare(one.file, other.file) || one.at - other.at,
    );
  }

  private readPage(name: string): void {
    const page = new PageReader(this.upload, { file: name });
    this.pages.push(page);
    page.read(this.textOf(name));
  }

  private readStyle(name: string): void {
    findCssReferences(this.textOf(name), ({ url, at }) => this.addReference(name, url, at), this.upload.budget);
  }

  private queueScript(file: string): void {
    const isModule = MODULE_FILE.test(file) || this.upload.modules.has(file);
    const kind = isModule ? "module" : "classic";
    this.upload.scripts.push({ file, source: this.textOf(file), kind, at: 0, isDecoded: false });
  }

  private textOf(name: string): string {
    return this.upload.files.get(name) ?? "";
  }

  private readScript(script: WaitingScript, depth: number): void {
    const { file, source, kind } = script;
    const { facts, budget } = this.upload;
    const isShort = this.parsed + source.length <= MAX_PARSED_LENGTH;
    if (isShort) this.parsed += source.length;
    const uses = isShort ? this.within(file, () => findInScript(source, kind, facts, budget)) : undefined;
    if (uses === undefined) this.readWords(script);
    else for (const use of uses) this.addUse(script, use, depth);
  }

  private readWords(script: WaitingScript): void {
    for (const { what, at } of findByWords(script.source)) this.add(what, script, at);
  }

  private addUse(script: WaitingScript, use: Use, depth: number): void {
    switch (use.what) {
      case "import":
      case "import()":
        this.addImport(script, use, depth);
        break;
      case "fetch":
        this.addReference(script.file, use.url, positionIn(script, use.at));
        break;
      case "Worker":
      case "importScripts":
        this.add(use.what, script, use.at, use.url);
        break;
      case "credentials":
      case "canvas":
      case "frame":
        this.add(use.what, script, use.at, use.name);
        break;
      default:
        this.add(use.what, script, use.at);
    }
  }

  private addImport(script: WaitingScript, use: Use & { url: string }, depth: number): void {
    const data = decodeDataUrl(use.url);
    const at = positionIn(script, use.at);
    if (data !== undefined) {
      const inner: WaitingScript = { file: script.file, source: data.text, kind: "module", at, isDecoded: true };
      if (depth < MAX_DATA_DEPTH) this.readScript(inner, depth + 1);
      return;
    }
    const loader = use.what === "import()" ? this.upload.loaders.get(script.file) : undefined;
    if (loader === undefined) this.addReference(script.file, use.url, at);
    else this.upload.add({ cause: "import()", file: script.file, at, subject: use.url, loader });
  }

  private addReference(file: string, url: string, at: number): void {
    const cause = findReferenceProblem(url, "loaded", this.upload.has);
    if (cause !== undefined) this.upload.add({ cause, file, at, subject: url.trim() });
  }

  private add(cause: Finding["cause"], script: WaitingScript, at: number, subject = ""): void {
    this.upload.add({ cause, file: script.file, at: positionIn(script, at), subject });
  }

  /** Returns undefined, and records that the analysis is incomplete, over the budget or the maximum depth. */
  private within<Result>(file: string, work: () => Result): Result | undefined {
    if (this.isOver) return undefined;
    try {
      return work();
    } catch (error) {
      if (!(error instanceof OverBudget || error instanceof TooDeep)) throw error;
      this.isOver ||= error instanceof OverBudget;
      this.upload.add({ cause: "incomplete", file, at: 0, subject: "" });
      return undefined;
    }
  }
}

const positionIn = ({ at, isDecoded }: WaitingScript, inScript: number): number => (isDecoded ? at : at + inScript);

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
