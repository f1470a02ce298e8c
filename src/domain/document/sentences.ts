import { INDEX_FILE } from "../names.ts";
import type { StorageMode } from "../storage-mode.ts";
import type { Target } from "./references.ts";
import type { ScriptFinding, StorageName } from "./scripts.ts";

/*
 * What is said of a file and a line in it: what does not work, and after the colon what to do about it.
 */

const ONLY_DOTS = /^\.*$/;
const MAX_QUOTED = 120;
const STOOD_IN: ReadonlySet<StorageName> = new Set<StorageName>(["localStorage", "sessionStorage", "document.cookie"]);

export const BASE = "has a base element, which is not supported: remove it and use relative references.";

/** Undefined for a reference that works. */
export function referenceProblem(
  url: string,
  { kind, fileName }: Target,
  isThere: (fileName: string) => boolean,
): string | undefined {
  const refers = `refers to ${quoted(url.trim())}`;
  switch (kind) {
    case "elsewhere":
      return undefined;
    case "rooted":
      return `${refers}: references that start with "/" do not work here; use a relative one (${quoted(fileName || INDEX_FILE)}).`;
    case "outside":
      return `${refers}, which is outside the upload: ${remedyFor(fileName, isThere)}`;
    case "subdirectory":
      return `${refers}, but an upload has no subdirectories: ${remedyFor(fileName, isThere)}`;
    case "file":
      if (fileName === "" || isThere(fileName)) return undefined;
      return `${refers}, which is not among the uploaded files: add that file, or remove the reference.`;
  }
}

function remedyFor(fileName: string, isThere: (fileName: string) => boolean): string {
  if (isThere(fileName)) return `refer to it as ${quoted(fileName)}.`;
  if (ONLY_DOTS.test(fileName)) return `put the files beside ${INDEX_FILE}.`;
  return `put the file beside ${INDEX_FILE} and refer to it as ${quoted(fileName)}.`;
}

/** `more` is how many other links of the file are like this one. */
export function linkProblem(url: string, more: number): string {
  const others = more === 0 ? "" : ` (as do ${more} more)`;
  return `links to ${quoted(url.trim())} without target="_blank"${others}, and does not open in the frame of a live or private link: add target="_blank".`;
}

export function shapeProblem(url: string): string {
  const shape = url.slice(url.indexOf("#")).trim();
  return `takes a shape from another file, ${quoted(url.trim())}, which a sandboxed page cannot: put the shape into this page and refer to it as ${quoted(shape)}.`;
}

export const integrityProblem = (url: string): string =>
  `loads ${quoted(url.trim())} with integrity but without crossorigin, so that browsers refuse it: add crossorigin="anonymous".`;

/** `loader` is the page that loads the script without `crossorigin`, if one does. Undefined for what works. */
export function scriptProblem(
  finding: ScriptFinding,
  storage: StorageMode,
  loader: string | undefined,
): string | undefined {
  switch (finding.what) {
    case "storage":
      return storageProblem(finding.name, storage);
    case "Worker":
      return `starts a Worker from ${quoted(finding.url)}, which a sandboxed page cannot: start it from a blob: URL of the script's text.`;
    case "SharedWorker":
      return "starts a SharedWorker, which a sandboxed page cannot: use a Worker from a blob: URL.";
    case "serviceWorker":
      return "uses navigator.serviceWorker outside a try block, which throws here: put it into try { … } catch { … }, or leave it out.";
    case "importScripts":
      return `calls importScripts with ${quoted(finding.url)}, but a worker has no directory here: give it the whole address, which the page makes with new URL(…, document.baseURI).`;
    case "import()":
      if (loader === undefined) return undefined;
      return `imports ${quoted(finding.url)}, which fails in a script that is loaded without crossorigin: add crossorigin to its script element in ${loader}.`;
    case "import":
      return undefined;
  }
}

function storageProblem(name: StorageName, storage: StorageMode): string | undefined {
  const use = `uses ${name} outside a try block, which throws here: put it into try { … } catch { … }`;
  if (!STOOD_IN.has(name)) return `${use}, or do without it.`;
  return storage === "memory" ? undefined : `${use}, or publish with storage "memory".`;
}

function quoted(text: string): string {
  const short = text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED).toWellFormed()}…` : text;
  return `"${short}"`;
}
