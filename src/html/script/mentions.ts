import type { ScriptKind } from "../document.ts";
import type { PageFacts } from "../warnings/findings.ts";

/** Words that matter whatever the pages contain. */
const ALWAYS = [
  "localStorage",
  "sessionStorage",
  "cookie",
  "indexedDB",
  "caches",
  "serviceWorker",
  "importScripts",
  "Worker\\b",
  "import\\s*\\(",
  "getDirectory\\b",
  "\\blocks\\b",
  "credentials",
  "withCredentials",
  "fetch\\s*\\(\\s*[\"'`]",
  "(?:parent|top)\\s*\\.\\s*document",
];
const OPENED = /(?<![\w$])([\w$]+)\s*=\s*(?:window|self)\s*\.\s*open\s*\(/;
const CANVAS = ["toDataURL", "toBlob", "getImageData", "convertToBlob", "texImage2D"];
const FRAMES = ["contentDocument", "contentWindow", "\\bframes\\b"];
const RULES = ["cssRules"];

const SUBMIT = ["submit"];
const OPEN = ["\\bopen\\s*\\("];

const ANY = new RegExp([...SUBMIT, ...OPEN, ...ALWAYS, ...CANVAS, ...FRAMES, ...RULES].join("|"));
const STATIC_IMPORT = /\b(?:import|from)\b/;
/** Sets the URL of an image that the script creates. */
const IMAGE_SOURCE = /\.src\s*=\s*["'`](?!data:|blob:)/;
const MADE_FRAME = /createElement\(\s*["'`]i?frame/i;

/** Returns whether a script may contain a use, before all pages are known. */
export const mayMatter = (source: string, kind: ScriptKind): boolean =>
  ANY.test(source) || (kind === "module" && STATIC_IMPORT.test(source));

/** Returns the positions of words that matter in this upload, in ascending order. */
export function findMentions(source: string, facts: PageFacts): number[] {
  const words = [...ALWAYS];
  if (mayTaint(source, facts)) words.push(...CANVAS);
  if (facts.hasFrames || MADE_FRAME.test(source)) words.push(...FRAMES);
  if (facts.hasPlainStylesheets && source.includes("styleSheets")) words.push(...RULES);
  if (OPENED.test(source)) words.push("\\.\\s*document\\b");
  return Array.from(source.matchAll(new RegExp(words.join("|"), "g")), ({ index }) => index);
}

/** Returns whether the script may draw an image that was loaded without `crossorigin`. */
function mayTaint(source: string, facts: PageFacts): boolean {
  if (!/drawImage|createPattern|texImage2D/.test(source)) return false;
  if (IMAGE_SOURCE.test(source) && !source.includes("crossOrigin")) return true;
  return facts.hasPlainImages && looksUpImage(source, facts);
}

const LOOKUP = /(?:querySelector(?:All)?|getElementsByTagName|getElementById)\(\s*["'`]([^"'`\n]{1,100})["'`]/g;

function looksUpImage(source: string, { plainImageIds }: PageFacts): boolean {
  if (/document\s*\.\s*images\b/.test(source)) return true;
  for (const [, selector = ""] of source.matchAll(LOOKUP)) {
    if (/\bimg\b/i.test(selector) || plainImageIds.has(selector.replace(/^#/, ""))) return true;
  }
  return false;
}

/** Returns the variables that hold windows opened by the script. */
export const findPopups = (source: string): ReadonlySet<string> =>
  new Set(Array.from(source.matchAll(new RegExp(OPENED, "g")), ([, name = ""]) => name));

/** Returns whether a script is a module with imports. */
export const hasImports = (source: string, kind: ScriptKind): boolean =>
  kind === "module" && STATIC_IMPORT.test(source);

const SUBMIT_HANDLER =
  /addEventListener\(\s*["'`]submit|\.onsubmit\s*=|\.submit\(\s*(?:function|async|\(|[\w$]+\s*=>)|\.on\(\s*["'`]submit/;

/** Returns whether a script handles the submit event of forms. */
export const handlesSubmit = (source: string): boolean => SUBMIT_HANDLER.test(source);
