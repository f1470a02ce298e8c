import { INDEX_FILE } from "../model/names.ts";
import type { StorageMode } from "../model/storage-mode.ts";
import { Budget, OverBudget } from "./budget.ts";
import { findCssReferences } from "./css.ts";
import { decodeDataUrl } from "./data-urls.ts";
import type { Finding } from "./findings.ts";
import { findByWords } from "./lexical.ts";
import { handlesSubmit } from "./mentions.ts";
import { PageReader } from "./page.ts";
import { TooDeep } from "./parser.ts";
import { findReferenceProblem } from "./references.ts";
import { findInScript } from "./scripts.ts";
import { describeFindings } from "./sentences.ts";
import { STOOD_IN } from "./storage.ts";
import { type Files, Upload, type WaitingScript } from "./upload.ts";
import type { Use } from "./uses.ts";

export interface Analysis {
  /** The title of `index.html`, undefined when it has none or an empty one. */
  title: string | undefined;
  warnings: string[];
}

interface Inspection {
  title: string | undefined;
  /** By file, then in the order of the text. */
  findings: Finding[];
}

const HTML_FILE = /\.html?$/i;
const CSS_FILE = /\.css$/i;
const SCRIPT_FILE = /\.m?js$/i;
const MODULE_FILE = /\.mjs$/i;
/** Of scripts in one upload, no more characters are parsed: parsing takes 60 ms and more for each million. */
const MAX_PARSED_LENGTH = 2_000_000;
/** Scripts in data: URLs of scripts in data: URLs. */
const MAX_DATA_DEPTH = 3;

/**
 * Returns the title of an upload, and warnings of what will not work where reports are shown. The work is bounded: over the
 * budget the analysis ends, says so, and keeps what it has found.
 */
export function analyse(files: Files, storage: StorageMode = "none", budget = new Budget()): Analysis {
  const { title, findings } = new Inspector(new Upload(files, storage, budget)).run();
  return { title, warnings: describeFindings(findings, files, storage) };
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
    // The page that has the title comes first, whatever happens later.
    this.names = [...names.filter((name) => name === INDEX_FILE), ...names.filter((name) => name !== INDEX_FILE)];
  }

  run(): Inspection {
    for (const name of this.names.filter((each) => HTML_FILE.test(each))) this.within(name, () => this.readPage(name));
    for (const name of this.names.filter((each) => CSS_FILE.test(each))) this.within(name, () => this.readStyle(name));
    for (const name of this.names.filter((each) => SCRIPT_FILE.test(each))) this.queueScript(name);
    const waiting = this.upload.scripts;
    const isSubmitHandled = waiting.some(({ source }) => handlesSubmit(source));
    for (const page of this.pages) page.finish({ handlesSubmit: isSubmitHandled });
    // Short ones first, so that a long one takes nothing from them.
    waiting.sort((one, other) => one.source.length - other.source.length);
    for (const script of waiting) this.readScript(script, 0);
    return { title: this.title(), findings: this.findings() };
  }

  private title(): string | undefined {
    const title = this.upload.files.has(INDEX_FILE) ? this.pages[0]?.titleText : "";
    return title === "" ? undefined : title;
  }

  private findings(): Finding[] {
    const isShown = ({ cause }: Finding) => this.upload.storage === "none" || !STOOD_IN.has(cause);
    const order = ({ cause }: Finding) => (cause === "incomplete" ? 1 : 0);
    return this.upload.findings
      .filter(isShown)
      .sort((one, other) => order(one) - order(other) || compare(one.file, other.file) || one.at - other.at);
  }

  private readPage(name: string): void {
    const page = new PageReader(this.upload, { file: name });
    this.pages.push(page);
    page.read(this.textOf(name));
  }

  private readStyle(name: string): void {
    findCssReferences(this.textOf(name), (url, at) => this.addReference(name, url, at), this.upload.budget);
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

  /** Undefined where the budget, or what can be nested, is exceeded. */
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
