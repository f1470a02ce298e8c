import { INDEX_FILE } from "../model/names.ts";
import type { StorageMode } from "../model/storage-mode.ts";
import type { Cause, Finding } from "./findings.ts";
import { type FindingGroup, groupFindings } from "./groups.ts";
import { createLineCounter } from "./lines.ts";
import { resolveReference } from "./references.ts";
import type { Files } from "./upload.ts";

/*
 * Each warning says where, what does not work, and after the colon what to do about it.
 */

const ONLY_DOTS = /^\.*$/;
const MAX_QUOTED = 120;
const MAX_NAMED = 5;
const MAX_WARNINGS = 20;
/** Where Debian's nbconvert looks for the scripts of its pages. */
const FROM_DEBIAN = /^\s*file:\/\/\/usr\/share\/javascript\//i;
const INSTEAD = "pass messages with postMessage instead";

/** Returns one sentence for each cause, or for each thing that it concerns where those are few. */
export function describeFindings(findings: readonly Finding[], files: Files, storage: StorageMode): string[] {
  const groups = groupFindings(findings);
  const lines = new Map<string, (at: number) => number>();
  const lineOf = ({ file, at }: Finding): number => {
    const count = lines.get(file) ?? createLineCounter(files.get(file) ?? "");
    lines.set(file, count);
    return count(at);
  };
  const sentences = groups.slice(0, MAX_WARNINGS).map((group) => {
    if (group.first.cause === "incomplete") return incomplete(group);
    const place = `${group.first.file} line ${lineOf(group.first)}`;
    const problem = problemOf(group, files, storage);
    const { size } = group.files;
    return size === 1 ? `${place} ${problem}` : `In ${size} files, first at ${place}, the report ${problem}`;
  });
  const more = groups.length - sentences.length;
  return more === 0 ? sentences : [...sentences, `… and ${more} more.`];
}

function incomplete({ first, files }: FindingGroup): string {
  const where = files.size === 1 ? first.file : `${first.file} and ${files.size - 1} more`;
  return `Vitrine checked only part of this upload, because ${where} is too large or too deeply nested to check completely: open the report to see whether everything works.`;
}

function problemOf(group: FindingGroup, files: Files, storage: StorageMode): string {
  const { cause, subject, loader } = group.first;
  const others = group.subjects.length - 1;
  switch (cause) {
    case "base":
      return "has a base element, which is not supported: remove it and use relative references.";
    case "missing":
    case "rooted":
    case "outside":
    case "subdirectory":
      return referenceProblem(cause, group, files);
    case "local file":
      return localProblem(group);
    case "insecure":
      return `loads ${listed(group)} over http, which browsers block in a page served over https: use https, or publish the file beside ${INDEX_FILE}.`;
    case "link":
      return `links to ${quoted(subject)} without target="_blank"${asDo(others)}, and does not open in the frame of a live or private link: add target="_blank".`;
    case "shape":
      return `takes a shape from another file, ${quoted(subject)}${asDo(others)}, which a sandboxed page cannot: put the shape into this page and refer to it as ${quoted(subject.slice(subject.indexOf("#")).trim())}.`;
    case "integrity":
      return `loads ${quoted(subject)} with integrity but without crossorigin, so that browsers refuse it: add crossorigin="anonymous".`;
    case "download":
      return `offers ${listed(group)} as a download, but browsers show such a file instead of saving it: link to ${quoted(withDownload(subject))}.`;
    case "form":
      return `has a form that the browser submits, which a report cannot: handle its submit event in a script and call preventDefault.`;
    case "import()":
      return `imports ${quoted(subject)}, which fails in a script that is loaded without crossorigin: add crossorigin to its script element in ${loader ?? INDEX_FILE}.`;
    default:
      return scriptProblem(cause, group, storage);
  }
}

function scriptProblem(cause: Cause, { first, subjects }: FindingGroup, storage: StorageMode): string {
  const { subject } = first;
  switch (cause) {
    case "serviceWorker":
      return "uses navigator.serviceWorker outside a try block, which throws here: put it into try { … } catch { … }, or leave it out.";
    case "Worker":
      return `starts a Worker from ${quoted(subject)}, which a sandboxed page cannot: start it from a blob: URL of the script's text.`;
    case "SharedWorker":
      return "starts a SharedWorker, which a sandboxed page cannot: use a Worker from a blob: URL.";
    case "importScripts":
      return `calls importScripts with ${quoted(subject)}, but a worker has no directory here: give it the whole address, which the page makes with new URL(…, document.baseURI).`;
    case "getDirectory":
      return "uses navigator.storage.getDirectory, which fails in a sandboxed page: keep the data in memory, or handle the failure.";
    case "locks":
      return "uses navigator.locks, which fails in a sandboxed page: leave it out, or handle the failure.";
    case "navigator.credentials":
      return "uses navigator.credentials, which fails in a sandboxed page: leave it out, or handle the failure.";
    case "credentials":
      return `sends requests with cookies (${subjects.join(", ")}), which browsers refuse for a sandboxed page: leave that out.`;
    case "canvas":
      return `reads a canvas back (${subjects.join(", ")}) into which an image without crossorigin is drawn, which throws here: set crossorigin="anonymous" on the image, in a script before its src.`;
    case "cssRules":
      return 'reads cssRules of a stylesheet that is linked without crossorigin, which throws here: add crossorigin="anonymous" to its link element.';
    case "frame":
      return `reads into a frame (${subjects.join(", ")}), which a sandboxed page cannot: ${INSTEAD}.`;
    case "popup":
      return "reads or writes the document of a window that it opens, which a sandboxed page cannot: show the content in the page, or offer it as a download.";
    case "parent":
      return `reads the document of the page around it, which a sandboxed page cannot: ${INSTEAD}.`;
    default:
      return storageProblem(cause, storage);
  }
}

function storageProblem(name: Cause, storage: StorageMode): string {
  const use = `uses ${name} outside a try block, which throws here: put it into try { … } catch { … }`;
  const isStoodIn = name !== "indexedDB" && name !== "caches";
  return isStoodIn && storage === "none" ? `${use}, or publish with storage "memory".` : `${use}, or do without it.`;
}

function referenceProblem(
  cause: "missing" | "rooted" | "outside" | "subdirectory",
  group: FindingGroup,
  files: Files,
): string {
  const { fileName } = resolveReference(group.first.subject);
  const isOne = group.subjects.length === 1;
  const refers = refersTo(group);
  switch (cause) {
    case "missing":
      if (isOne) return `${refers}, which is not among the uploaded files: add that file, or remove the reference.`;
      return `${refers}, which are not among the uploaded files: add those files, or remove the references.`;
    case "rooted":
      return `${refers}: references that start with "/" do not work here; use ${isOne ? `a relative one (${quoted(fileName || INDEX_FILE)})` : "relative ones"}.`;
    case "outside":
      if (isOne) return `${refers}, which is outside the upload: ${remedyFor(fileName, files)}`;
      return `${refers}, which are outside the upload: put the files beside ${INDEX_FILE}.`;
    case "subdirectory":
      if (isOne) return `${refers}, but an upload has no subdirectories: ${remedyFor(fileName, files)}`;
      return `${refers}, but an upload has no subdirectories: put the files beside ${INDEX_FILE}, as vitrine publish --flatten does.`;
  }
}

function remedyFor(fileName: string, files: Files): string {
  if (files.has(fileName)) return `refer to it as ${quoted(fileName)}.`;
  if (ONLY_DOTS.test(fileName)) return `put the files beside ${INDEX_FILE}.`;
  return `put the file beside ${INDEX_FILE} and refer to it as ${quoted(fileName)}.`;
}

function localProblem(group: FindingGroup): string {
  const isOne = group.subjects.length === 1;
  const refers = `${refersTo(group)}, which ${isOne ? "is" : "are"} on your own computer, where readers cannot get ${isOne ? "it" : "them"}`;
  const beside = `publish ${isOne ? "a copy" : "copies"} beside ${INDEX_FILE}`;
  if (!group.subjects.some((url) => FROM_DEBIAN.test(url))) {
    return `${refers}: embed ${isOne ? "it" : "them"} in the page (jupyter nbconvert has --embed-images), or ${beside}.`;
  }
  return `${refers}: name a CDN (jupyter nbconvert has --HTMLExporter.mathjax_url, require_js_url and jquery_url, and --embed-images for images), or ${beside}.`;
}

function withDownload(url: string): string {
  const [, path = "", query = "", fragment = ""] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(url) ?? [];
  return `${path}${query === "" ? "?" : `${query}&`}download${fragment}`;
}

const refersTo = (group: FindingGroup): string => `refers to ${listed(group)}`;

/** The first of what a group is about, and how many more there are. */
function listed({ subjects }: FindingGroup): string {
  const named = subjects.slice(0, MAX_NAMED).map(quoted);
  const more = subjects.length - named.length;
  if (more > 0) return `${named.join(", ")} and ${more} more`;
  return named.length === 1 ? named.join() : `${named.slice(0, -1).join(", ")} and ${named.at(-1)}`;
}

const asDo = (others: number): string => (others === 0 ? "" : ` (as do ${others} more)`);

function quoted(text: string): string {
  const short = text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED).toWellFormed()}…` : text;
  return `"${short}"`;
}
