import type { Budget } from "../budget.ts";
import type { ScriptKind } from "../document.ts";
import type { Finding, PageFacts } from "./findings.ts";

/** The page that opens first. */
export const INDEX_FILE = "index.html";

/** The text of each file by name, or undefined for files that are not text. */
export type Files = ReadonlyMap<string, string | undefined>;

/** A script to read once all pages are known. */
export interface WaitingScript {
  readonly file: string;
  readonly source: string;
  readonly kind: ScriptKind;
  /** The position of its text in the file. A decoded text has one position for all of it. */
  readonly at: number;
  readonly isDecoded: boolean;
}

/** The findings of one cause in one file, to bound the work. */
const MAX_FINDINGS = 10_000;

/** Collects what is found in the files of one upload. */
export class Upload {
  readonly files: Files;
  readonly budget: Budget;
  readonly facts: PageFacts = {
    hasPlainImages: false,
    plainImageIds: new Set(),
    hasPlainStylesheets: false,
    hasFrames: false,
  };
  /** Maps each file that is loaded as a classic script without `crossorigin` to its page. */
  readonly loaders = new Map<string, string>();
  readonly modules = new Set<string>();
  readonly scripts: WaitingScript[] = [];
  readonly findings: Finding[] = [];
  private readonly known = new Map<string, Set<string>>();

  constructor(files: Files, budget: Budget) {
    this.files = files;
    this.budget = budget;
  }

  readonly has = (fileName: string): boolean => this.files.has(fileName);

  /** Adds a finding unless its file already has the same one. */
  add(finding: Finding): void {
    const key = `${finding.cause} ${finding.file}`;
    const subjects = this.known.get(key) ?? new Set();
    this.known.set(key, subjects);
    if (subjects.has(finding.subject) || subjects.size === MAX_FINDINGS) return;
    subjects.add(finding.subject);
    this.findings.push(finding);
  }
}
