import type { Handed } from "./handed.ts";

const LOOKS_LIKE_HTML = /^\s*<(?:!doctype\s|!--|[a-z][a-z0-9-]*[\s/>])/i;

export const looksLikeHtml = (text: string): boolean => LOOKS_LIKE_HTML.test(text);

/** Returns pasted HTML: the text itself if it is source code, otherwise the rich text's markup. */
export function pastedHtml(data: DataTransfer): string | undefined {
  const text = data.getData("text/plain");
  if (looksLikeHtml(text)) return text;
  const rich = data.getData("text/html");
  return rich === "" ? undefined : rich;
}

/** Returns the files or the HTML source that were pasted outside of fields. */
export function pastedIn(event: ClipboardEvent): Handed | undefined {
  const data = event.clipboardData;
  if (data === null || isPastedInField(event)) return undefined;
  if (data.files.length > 0) return { entries: [], files: [...data.files] };
  const text = data.getData("text/plain");
  return looksLikeHtml(text) ? text : undefined;
}

/** Returns whether a field or dialog takes what is pasted. */
export const isPastedInField = ({ target }: ClipboardEvent): boolean =>
  target instanceof Element && target.closest("input, textarea, select, [contenteditable], [role=dialog]") !== null;
