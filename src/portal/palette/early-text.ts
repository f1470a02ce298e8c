import { useEffect, useMemo, useRef } from "react";

/** Receives what is typed between opening the palette and its field: letters would run shortcuts of the page. */
export function useEarlyText(onEscape: () => void) {
  /** Undefined while the field, or nothing, is open. */
  const text = useRef<string>(undefined);
  const latest = useRef(onEscape);
  latest.current = onEscape;

  useEffect(() => {
    function press(event: KeyboardEvent): void {
      if (text.current === undefined || !isTyped(event)) return;
      event.preventDefault();
      event.stopPropagation();
      text.current = afterKey(text.current, event.key);
      if (text.current === undefined) latest.current();
    }
    addEventListener("keydown", press, { capture: true });
    return () => removeEventListener("keydown", press, { capture: true });
  }, []);

  return useMemo(
    () => ({
      begin(typed = ""): void {
        text.current = typed;
      },
      /** Stops receiving. Returns what was typed. */
      end(): string {
        const typed = text.current ?? "";
        text.current = undefined;
        return typed;
      },
    }),
    [],
  );
}

/**
 * Returns what was typed into the palette before the portal's scripts were there; undefined if the reader didn't open it, or
 * closed it again. The page keeps those keys until this is called.
 */
export function takeEarlyText(): string | undefined {
  const keys: string[] = [];
  dispatchEvent(new CustomEvent("earlykeys", { detail: keys }));
  // Ctrl K is kept as an empty text, and opens the palette or closes it.
  return keys.reduce<string | undefined>(
    (text, key) =>
      key === "" ? (text === undefined ? "" : undefined) : text === undefined ? text : afterKey(text, key),
    undefined,
  );
}

const CONTROLS: readonly string[] = ["Backspace", "Enter", "Escape"];

/** Returns whether a key is meant for the field; if the palette can't be loaded, a dialog of the browser says so. */
const isTyped = ({ key, ctrlKey, metaKey, altKey, isComposing }: KeyboardEvent): boolean =>
  !(ctrlKey || metaKey || altKey || isComposing) &&
  (key.length === 1 || CONTROLS.includes(key)) &&
  document.querySelector("dialog[open]") === null;

/** Returns the text after a key; undefined if the key closes the palette. */
function afterKey(text: string, key: string): string | undefined {
  if (key === "Escape") return undefined;
  if (key === "Backspace") return text.slice(0, -1);
  return key.length === 1 ? text + key : text;
}
