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
      if (event.key === "Escape") {
        text.current = undefined;
        latest.current();
      } else text.current = afterKey(text.current, event.key);
    }
    addEventListener("keydown", press, { capture: true });
    return () => removeEventListener("keydown", press, { capture: true });
  }, []);

  return useMemo(
    () => ({
      begin(): void {
        text.current = "";
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

const CONTROLS: readonly string[] = ["Backspace", "Enter", "Escape"];

/** Returns whether a key is meant for the field; if the palette can't be loaded, a dialog of the browser says so. */
const isTyped = ({ key, ctrlKey, metaKey, altKey, isComposing }: KeyboardEvent): boolean =>
  !(ctrlKey || metaKey || altKey || isComposing) &&
  (key.length === 1 || CONTROLS.includes(key)) &&
  document.querySelector("dialog[open]") === null;

function afterKey(text: string, key: string): string {
  if (key === "Backspace") return text.slice(0, -1);
  return key.length === 1 ? text + key : text;
}
