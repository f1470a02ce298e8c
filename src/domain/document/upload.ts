import type { StorageMode } from "../model/storage-mode.ts";
import type { Budget } from "./budget.ts";
import type { Finding, PageFacts } from "./findings.ts";
import type { ScriptKind } from "./html.ts";

/** The textual files by name, undefined for one that is not text. */
export type Files = ReadonlyMap<string, string | undefined>;

/** A script that is still to be read, for which all pages must be known. */
export interface WaitingScript {
  readonly file: string;
  readonly source: string;
  readonly kind: ScriptKind;
  /** Where its text begins in the file; of a decoded text, where all of it is said to be. */
  readonly at: number;
  readonly isDecoded: boolean;
}

/** Of one file and one cause: more than any page has, and a bound to the work. */
const MAX_FINDINGS = 10_000;

/** What the files of one upload share while they are read. */
export class Upload {
  readonly files: Files;
  readonly storage: StorageMode;
  readonly budget: Budget;
  readonly facts: PageFacts = {
    hasPlainImages: false,
    plainImageIds: new Set(),
    hasPlainStylesheets: false,
    hasFrames: false,
  };
  /** Pages by the names of the files that they load as classic scripts without `crossorigin`. */
  readonly loaders = new Map<string, string>();
  readonly modules = new Set<string>();
  readonly scripts: WaitingScript[] = [];
  readonly findings: Finding[] = [];
  private readonly known = new Map<string, Set<string>>();

  constructor(files: Files, storage: StorageMode, budget: Budget) {
    this.files = files;
    this.storage = storage;
    this.budget = budget;
  }

  readonly has = (fileName: string): boolean => this.files.has(fileName);

  /** Of the same finding in one file, the first counts. */
  add(finding: Finding): void {
    const key = `${finding.cause} ${finding.file}`;
    const subjects = this.known.get(key) ?? new Set();
    this.known.set(key, subjects);
    if (subjects.has(finding.subject) || subjects.size === MAX_FINDINGS) return;
    subjects.add(finding.subject);
    this.findings.push(finding);
  }
}
