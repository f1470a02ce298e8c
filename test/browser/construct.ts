import type { Cause } from "../../src/html/warnings/findings.ts";

export interface Form {
  /** HTML of the page's body, which prints whether it works. */
  html: string;
  files?: Readonly<Record<string, string>>;
  storage?: "memory";
}

export interface Construct {
  name: string;
  cause: Cause;
  /** The beginning of the warning about the broken form. */
  warning: string;
  broken: Form;
  /** Forms that follow the warning's advice, and cause no warning. */
  fixed: readonly Form[];
}

export const WORKS = "say('works')";
export const script = (source: string) => `<script>${source}</script>`;
export const PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';

/** The first word counts, and is logged; a script that throws has failed. */
export const PAGE = (html: string) => `<!doctype html><meta charset=utf-8><title>x</title><output></output>
<script>const say = (word) => { const output = document.querySelector("output"); if (output.textContent === "") { output.textContent = word; console.info(word) } }; window.addEventListener("error", () => say("fails")); window.addEventListener("unhandledrejection", () => say("fails"));</script>
${html}`;
