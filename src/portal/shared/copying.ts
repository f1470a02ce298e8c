import { useEffect, useRef, useState } from "react";
import { sayRefused } from "./notify.ts";

/** Milliseconds for which a button says that it has worked. */
const THANKS = 1_500;

/** Puts a text into the clipboard; shows it where the browser does not allow that. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    if (copyBySelection(text)) return true;
    sayRefused("Copying did not work. Select it here instead", text);
    return false;
  }
}

/** On plain http in an intranet browsers offer nothing else. */
function copyBySelection(text: string): boolean {
  const focused = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.style.position = "fixed";
  field.style.opacity = "0";
  // Within a dialog, which keeps the focus to itself.
  (focused?.parentElement ?? document.body).append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}

/** Copies a text, and knows for a moment that it has. */
export function useCopying(text: string) {
  const [isCopied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async () => {
    if (!(await copyText(text))) return;
    setCopied(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setCopied(false), THANKS);
  };
  return { isCopied, copy: () => void copy() };
}
