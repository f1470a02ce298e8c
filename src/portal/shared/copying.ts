import { useEffect, useRef, useState } from "react";
import { notifyWarning } from "./notify.ts";

/** Milliseconds for which a button confirms the copy. */
const CONFIRMATION = 1_500;

/** Copies a text to the clipboard; shows it for manual copying if the browser refuses. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    if (copyBySelection(text)) return true;
    notifyWarning("Couldn't copy. Select and copy it here", text);
    return false;
  }
}

/** Browsers offer no other way on plain HTTP. */
function copyBySelection(text: string): boolean {
  const focused = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.style.position = "fixed";
  field.style.opacity = "0";
  // Inside the dialog, which traps the focus.
  (focused?.parentElement ?? document.body).append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}

/** Copies a text and reports success for a moment. */
export function useCopying(text: string) {
  const [isCopied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async () => {
    if (!(await copyText(text))) return;
    setCopied(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setCopied(false), CONFIRMATION);
  };
  return { isCopied, copy: () => void copy() };
}

/**
 * Copies a text that is not known yet. Must be called during the click, because browsers refuse access to the clipboard
 * later. Resolves to whether it was copied; copies nothing if the text is undefined in the end.
 */
export async function copyLater(text: Promise<string | undefined>): Promise<boolean> {
  const content = text.then((found) => {
    if (found === undefined) throw new DOMException("Nothing to copy.", "AbortError");
    return new Blob([found], { type: "text/plain" });
  });
  // The browser may refuse before the text is known, and then nothing else awaits it.
  content.catch(() => undefined);
  try {
    await navigator.clipboard.write([new ClipboardItem({ "text/plain": content })]);
    return true;
  } catch {
    const found = await text.catch(() => undefined);
    return found !== undefined && copyBySelection(found);
  }
}
