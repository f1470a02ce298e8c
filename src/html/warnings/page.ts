import { REFERENCE_STEPS } from "../budget.ts";
import { findCssReferences } from "../css.ts";
import { decodeDataUrl } from "../data-urls.ts";
import { type DocumentVisitor, type FoundElement, readDocument, type ScriptKind, scriptKind } from "../document.ts";
import { mayMatter } from "../script/mentions.ts";
import { srcsetUrls } from "../srcset.ts";
import type { Cause } from "./findings.ts";
import { findReferenceProblem, resolveReference } from "./references.ts";
import { SubmitWatch } from "./submit-watch.ts";
import { INDEX_FILE, type Upload } from "./upload.ts";

const OTHER_SITE = /^\s*(?:https?:)?[/\\]{2}/i;
const SCRIPT_LINK = /^\s*javascript:/i;
/** Targets that open in the frame of the report or outside its sandbox. */
const IN_FRAME = /^(?:_self|_parent|_top)?$/i;
/** Files that browsers show instead of saving them. */
const SHOWN =
  /\.(?:x?html?|txt|log|json|xml|svg|png|jpe?g|gif|webp|avif|bmp|ico|pdf|mp[34]|webm|og[gv]|wav|m?js|css)$/i;
const FORCES_DOWNLOAD = /\?(?:[^#]*&)?download(?:[=&#]|$)/;
/** `link` elements that load nothing. */
const LOADS_NOTHING = /\b(?:alternate|canonical|dns-prefetch|preconnect|author|license|next|prev|search|help)\b/i;
const STYLESHEET = /\bstylesheet\b/i;
const URL_ATTRIBUTES = ["href", "src", "poster", "xlink:href", "data"];
/** The nesting of pages in data: URLs and srcdoc attributes. */
const MAX_DEPTH = 3;

/** The source of a page: a file, or an attribute of another page. */
interface Place {
  readonly file: string;
  /** The position of the attribute. */
  readonly at?: number;
  readonly depth?: number;
}

interface Value {
  readonly text: string;
  readonly at: number;
}

/** Reads one page and records what fails in the sandbox. */
export class PageReader implements DocumentVisitor {
  titleText = "";
  private readonly upload: Upload;
  private readonly place: Place;
  private readonly submits: SubmitWatch;
  private readonly links: Value[] = [];
  private opensElsewhere = false;

  constructor(upload: Upload, place: Place) {
    this.upload = upload;
    this.place = place;
    this.submits = new SubmitWatch();
  }

  /** Throws `OverBudget`. */
  read(html: string): void {
    readDocument(html, this, this.upload.budget);
  }

  /** Adds the findings that depend on the whole page, even if reading it was cut off. */
  finish({ handlesSubmit }: { handlesSubmit: boolean }): void {
    if (!this.opensElsewhere) for (const { text, at } of this.links) this.add("link", at, text.trim());
    // Only the first page of a report is served with a form-action policy.
    const isRefused = this.place.file === INDEX_FILE && !handlesSubmit;
    const [form] = isRefused ? this.submits.forms : [];
    if (form !== undefined) this.add("form", form);
  }

  title(text: string): void {
    this.titleText = text;
  }

  formEnd(): void {
    this.submits.end();
  }

  style(css: string, at: number): void {
    findCssReferences(css, (found) => this.load({ text: found.url, at: at + found.at }), this.upload.budget);
  }

  script(source: string, kind: ScriptKind, at: number): void {
    this.queue(source, kind, at, false);
  }

  handler(source: string, at: number): void {
    this.submits.handler(at);
    this.queue(source, "classic", at, true);
  }

  element(element: FoundElement): void {
    const { role, attributes } = element;
    const style = attributes.get("style");
    if (style?.text.includes("(")) this.styleAttribute(style);
    this.candidates(attributes.get("srcset"));
    this.candidates(attributes.get("imagesrcset"));
    if (role === "base") this.base(element);
    else if (role === "form" || role === "button") this.submits.element(element);
    const onSubmit = attributes.get("onsubmit");
    if (onSubmit !== undefined) this.queue(onSubmit.text, "classic", onSubmit.at, true);
    for (const name of URL_ATTRIBUTES) {
      const value = attributes.get(name);
      if (value !== undefined) this.address(element, value);
    }
    const srcdoc = attributes.get("srcdoc");
    if (srcdoc !== undefined) this.frame(srcdoc.text, srcdoc.at);
  }

  private address(element: FoundElement, value: Value): void {
    switch (element.role) {
      case "link":
        this.link(element, value);
        break;
      case "shape":
        this.shape(value);
        break;
      case "script":
        this.loadedScript(element, value);
        break;
      case "file":
        this.linkedFile(element, value);
        break;
      case "image":
        this.image(element, value);
        break;
      case "frame":
        this.framed(value);
        break;
      default:
        this.load(value);
    }
  }

  private base({ at, attributes }: FoundElement): void {
    const target = attributes.get("target")?.text;
    this.opensElsewhere ||= target !== undefined && !IN_FRAME.test(target.trim());
    this.add("base", at);
  }

  private link({ attributes }: FoundElement, value: Value): void {
    const { text, at } = value;
    if (SCRIPT_LINK.test(text)) this.queue(text.replace(SCRIPT_LINK, ""), "classic", at, true);
    else if (!OTHER_SITE.test(text)) this.ownLink(value, attributes.has("download"));
    else if (IN_FRAME.test(attributes.get("target")?.text.trim() ?? "")) this.links.push(value);
  }

  private ownLink(value: Value, isDownload: boolean): void {
    const { text, at } = value;
    this.reference(value, "followed");
    if (!isDownload) return;
    const { kind, fileName } = resolveReference(text);
    const isShown = kind === "file" && SHOWN.test(fileName) && this.upload.has(fileName);
    if (isShown && !FORCES_DOWNLOAD.test(text)) this.add("download", at, text.trim());
  }

  private shape({ text, at }: Value): void {
    if (!text.trim().startsWith("#")) this.add("shape", at, text);
  }

  private loadedScript({ attributes }: FoundElement, value: Value): void {
    const kind = scriptKind(attributes.get("type")?.text ?? "");
    const data = decodeDataUrl(value.text);
    if (data !== undefined && kind !== undefined) this.queue(data.text, kind, value.at, true);
    const target = resolveReference(value.text);
    if (target.kind === "file" && kind === "module") this.upload.modules.add(target.fileName);
    if (target.kind === "file" && kind === "classic" && !attributes.has("crossorigin"))
      this.upload.loaders.set(target.fileName, this.place.file);
    this.checkIntegrity(attributes, value);
    this.load(value);
  }

  private linkedFile({ attributes }: FoundElement, value: Value): void {
    const rel = attributes.get("rel")?.text ?? "";
    if (STYLESHEET.test(rel) && !attributes.has("crossorigin") && !/^\s*data:/i.test(value.text))
      this.upload.facts.hasPlainStylesheets = true;
    this.checkIntegrity(attributes, value);
    this.reference(value, LOADS_NOTHING.test(rel) && !STYLESHEET.test(rel) ? "followed" : "loaded");
  }

  private checkIntegrity(attributes: FoundElement["attributes"], { text, at }: Value): void {
    const isRefused = attributes.has("integrity") && !attributes.has("crossorigin");
    if (isRefused && resolveReference(text).kind === "file") this.add("integrity", at, text.trim());
  }

  private image({ attributes }: FoundElement, value: Value): void {
    const { facts } = this.upload;
    if (!attributes.has("crossorigin") && isFetched(value.text)) {
      facts.hasPlainImages = true;
      const id = attributes.get("id")?.text;
      if (id !== undefined && facts.plainImageIds.size < 1_000) facts.plainImageIds.add(id);
    }
    this.load(value);
  }

  private framed(value: Value): void {
    const data = decodeDataUrl(value.text);
    if (data?.type === "text/html") this.frame(data.text, value.at);
    else if (isFetched(value.text)) this.upload.facts.hasFrames = true;
    this.load(value);
  }

  /** A page in this one also has an opaque origin. */
  private frame(html: string, at: number): void {
    this.upload.facts.hasFrames = true;
    const { file, depth = 0, at: start = at } = this.place;
    if (depth < MAX_DEPTH) new PageReader(this.upload, { file, at: start, depth: depth + 1 }).read(html);
  }

  private styleAttribute({ text, at }: Value): void {
    findCssReferences(text, ({ url }) => this.load({ text: url, at }), this.upload.budget);
  }

  private candidates(srcset: Value | undefined): void {
    if (srcset === undefined) return;
    for (const { url } of srcsetUrls(srcset.text)) {
      this.upload.budget.spend(1);
      this.load({ text: url, at: srcset.at });
    }
  }

  private load(value: Value): void {
    this.reference(value, "loaded");
  }

  private reference({ text, at }: Value, use: "loaded" | "followed"): void {
    if (!text.startsWith("#")) this.upload.budget.spend(REFERENCE_STEPS);
    const cause = findReferenceProblem(text, use, this.upload.has);
    if (cause !== undefined) this.add(cause, at, text.trim());
  }

  private queue(source: string, kind: ScriptKind, at: number, isDecoded: boolean): void {
    if (!mayMatter(source, kind)) return;
    const { file, at: start } = this.place;
    const isMoved = isDecoded || start !== undefined;
    this.upload.scripts.push({ file, source, kind, at: start ?? at, isDecoded: isMoved });
  }

  private add(cause: Cause, at: number, subject = ""): void {
    this.upload.add({ cause, file: this.place.file, at: this.place.at ?? at, subject });
  }
}

const isFetched = (url: string): boolean => url.trim() !== "" && !/^\s*(?:data:|blob:|about:|#)/i.test(url);
