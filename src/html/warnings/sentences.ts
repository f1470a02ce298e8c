import { createLineCounter } from "../lines.ts";
import type { Cause, Finding } from "./findings.ts";
import { type FindingGroup, groupFindings } from "./groups.ts";
import { resolveReference } from "./references.ts";
import { type Files, INDEX_FILE } from "./upload.ts";

const ONLY_DOTS = /^\.*$/;
const MAX_QUOTED = 120;
const MAX_NAMED = 5;
const MAX_WARNINGS = 20;
/** Where Debian's nbconvert expects the scripts of its pages. */
const DEBIAN_SCRIPTS = /^\s*file:\/\/\/usr\/share\/javascript\//i;
const BLOCKED = "is blocked in reports and throws an error. Wrap it in try/catch";

/** Returns a warning for each cause, or for each of its subjects where there are few: the place, the problem, the remedy. */
export function describeFindings(findings: readonly Finding[], files: Files): string[] {
  const groups = groupFindings(findings);
  const lines = new Map<string, (at: number) => number>();
  const lineOf = ({ file, at }: Finding): number => {
    const count = lines.get(file) ?? createLineCounter(files.get(file) ?? "");
    lines.set(file, count);
    return count(at);
  };
  const sentences = groups.slice(0, MAX_WARNINGS).map((group) => {
    const { first } = group;
    const others = othersOf(group.files.size, "other file");
    if (first.cause !== "incomplete") return `${first.file} line ${lineOf(first)}${others}: ${problemOf(group, files)}`;
    const are = group.files.size === 1 ? "is" : "are";
    return `${first.file}${others} ${are} too large or too deeply nested to check completely. Open the report to make sure that everything works.`;
  });
  const more = groups.length - sentences.length;
  return more === 0 ? sentences : [...sentences, `${counted(more, "more warning")} not shown.`];
}

function problemOf(group: FindingGroup, files: Files): string {
  const { cause, subject, loader = INDEX_FILE } = group.first;
  const isOne = group.subjects.length === 1;
  const others = othersOf(group.subjects.length, "other");
  switch (cause) {
    case "base":
      return "The base element isn't supported. Remove it and use relative references.";
    case "missing":
    case "rooted":
    case "outside":
    case "subdirectory":
      return referenceProblem(cause, group, files);
    case "local file":
      return localProblem(group);
    case "insecure":
      return `Browsers block ${listed(group)}, loaded over http, because reports are served over https. Use https or publish the file next to ${INDEX_FILE}.`;
    case "link":
      return isOne
        ? `The link to ${quoted(subject)} has no target="_blank", so it doesn't open from a live or private link. Add target="_blank".`
        : `The links to ${quoted(subject)}${others} have no target="_blank", so they don't open from a live or private link. Add target="_blank".`;
    case "shape":
      return `Sandboxed pages can't use shapes from other files (${quoted(subject)}${others}). Copy the shape into this page and refer to it as ${quoted(subject.slice(subject.indexOf("#")).trim())}.`;
    case "integrity":
      return `Browsers refuse to load ${quoted(subject)}, because it has an integrity attribute but no crossorigin attribute. Add crossorigin="anonymous".`;
    case "download":
      return `Browsers show ${listed(group)} instead of downloading ${isOne ? "it" : "them"}. Link to ${quoted(withDownload(subject))}.`;
    case "form":
      return "Reports can't submit forms. Handle the form's submit event in a script and call preventDefault.";
    case "import()":
      return `The script can't import ${quoted(subject)}, because it's loaded without crossorigin. Add crossorigin to its script element in ${loader}.`;
    default:
      return scriptProblem(cause, group);
  }
}

function scriptProblem(cause: Cause, { first, subjects }: FindingGroup): string {
  const subject = quoted(first.subject);
  const names = subjects.join(", ");
  switch (cause) {
    case "serviceWorker":
      return `navigator.serviceWorker ${BLOCKED} or remove it.`;
    case "Worker":
      return `Sandboxed pages can't start a Worker from ${subject}. Start it from a blob: URL of the script's text.`;
    case "SharedWorker":
      return "Sandboxed pages can't start a SharedWorker. Use a Worker from a blob: URL.";
    case "importScripts":
      return `importScripts can't load ${subject}, because relative URLs don't work in this worker. Pass it a full URL, which the page makes with new URL(…, document.baseURI).`;
    case "getDirectory":
      return "navigator.storage.getDirectory fails in a sandboxed page. Keep the data in memory or handle the error.";
    case "locks":
    case "navigator.credentials":
      return `navigator.${cause === "locks" ? "locks" : "credentials"} fails in a sandboxed page. Remove it or handle the error.`;
    case "credentials":
      return `Browsers refuse requests with cookies (${names}) from a sandboxed page. Remove that option.`;
    case "canvas":
      return `Reading a canvas (${names}) throws an error after an image without crossorigin was drawn on it. Set crossorigin="anonymous" on the image; in a script, set it before src.`;
    case "cssRules":
      return 'Reading cssRules throws an error, because the stylesheet is linked without crossorigin. Add crossorigin="anonymous" to its link element.';
    case "frame":
      return `Sandboxed pages can't access the content of frames (${names}). Use postMessage instead.`;
    case "popup":
      return "Sandboxed pages can't access the document of a window they open. Show the content in the page or offer it as a download.";
    case "parent":
      return "Sandboxed pages can't access the document of the page around them. Use postMessage instead.";
    case "indexedDB":
    case "caches":
      return `${cause} ${BLOCKED} or remove it.`;
    default:
      return `${cause} ${BLOCKED} or publish with storage "memory".`;
  }
}

function referenceProblem(
  cause: "missing" | "rooted" | "outside" | "subdirectory",
  group: FindingGroup,
  files: Files,
): string {
  const { fileName } = resolveReference(group.first.subject);
  const isOne = group.subjects.length === 1;
  const names = listed(group);
  const beside = `Put the files next to ${INDEX_FILE}`;
  switch (cause) {
    case "missing":
      return isOne
        ? `${names} isn't in the upload. Add the file or remove the reference.`
        : `${names} aren't in the upload. Add the files or remove the references.`;
    case "rooted":
      return isOne
        ? `${names} starts with "/", which doesn't work in a report. Use the relative reference ${quoted(fileName || INDEX_FILE)}.`
        : `${names} start with "/", which doesn't work in a report. Use relative references.`;
    case "outside":
      return isOne
        ? `${names} is outside the upload. ${remedyFor(fileName, files)}`
        : `${names} are outside the upload. ${beside}.`;
    case "subdirectory":
      return isOne
        ? `${names} is in a subdirectory, but uploads can't have subdirectories. ${remedyFor(fileName, files)}`
        : `${names} are in subdirectories, but uploads can't have subdirectories. ${beside} or use vitrine publish --flatten.`;
  }
}

function remedyFor(fileName: string, files: Files): string {
  if (files.has(fileName)) return `Refer to it as ${quoted(fileName)}.`;
  if (ONLY_DOTS.test(fileName)) return `Put the files next to ${INDEX_FILE}.`;
  return `Put the file next to ${INDEX_FILE} and refer to it as ${quoted(fileName)}.`;
}

function localProblem(group: FindingGroup): string {
  const isOne = group.subjects.length === 1;
  const [are, it] = isOne ? ["is", "it"] : ["are", "them"];
  const isDebian = group.subjects.some((url) => DEBIAN_SCRIPTS.test(url));
  const remedy = isDebian
    ? `Load ${it} from a CDN (in Jupyter, use nbconvert with --HTMLExporter.mathjax_url, require_js_url and jquery_url, and --embed-images for images)`
    : `Embed ${it} in the page (in Jupyter, use nbconvert --embed-images)`;
  const copies = isOne ? "a copy" : "copies";
  return `${listed(group)} ${are} on your own computer, where readers can't load ${it}. ${remedy} or publish ${copies} next to ${INDEX_FILE}.`;
}

function withDownload(url: string): string {
  const [, path = "", query = "", fragment = ""] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(url) ?? [];
  return `${path}${query === "" ? "?" : `${query}&`}download${fragment}`;
}

/** Returns the first subjects of a group, and how many more there are. */
function listed({ subjects }: FindingGroup): string {
  const named = subjects.slice(0, MAX_NAMED).map(quoted);
  const more = subjects.length - named.length;
  if (more > 0) return `${named.join(", ")} and ${more} more`;
  return named.length === 1 ? named.join() : `${named.slice(0, -1).join(", ")} and ${named.at(-1)}`;
}

const othersOf = (count: number, noun: string): string => (count === 1 ? "" : ` and ${counted(count - 1, noun)}`);

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

function quoted(text: string): string {
  const short = text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED).toWellFormed()}…` : text;
  return `"${short}"`;
}
