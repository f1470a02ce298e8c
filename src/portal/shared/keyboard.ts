import { useEffect, useRef } from "react";

/** The command key as this platform writes it. */
export const COMMAND_KEY = /mac|iphone|ipad/i.test(navigator.userAgent) ? "⌘" : "Ctrl";

/** Milliseconds in which the second key of a sequence such as "g r" has to follow. */
const SEQUENCE = 1_200;

/** The key with which all sequences begin. */
const PREFIX = "g";

/** What a key does. Returns false if it has no meaning now, and is left to the browser. */
export type KeyAction = () => unknown;

/** Elements that handle letters themselves. */
const TAKEN =
  "textarea, select, [contenteditable=true], [role=menu], [role=listbox], [role=dialog], [role=tree], dialog";
const isTextField = (element: Element) =>
  element instanceof HTMLInputElement && !["checkbox", "radio", "button"].includes(element.type);

/** Returns whether a keypress belongs to a field, menu or dialog rather than to the page. */
function isTaken({ target, ctrlKey, metaKey, altKey, isComposing }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || isComposing) return true;
  if (document.querySelector("[aria-modal=true], dialog[open], [role=menu]:not([hidden])") !== null) return true;
  return target instanceof Element && (isTextField(target) || target.closest(TAKEN) !== null);
}

type Actions = Readonly<Record<string, KeyAction>>;

/** Returns the action of a key, given the one pressed before it, unless it ends a sequence known to another part. */
function actionOf(actions: Actions, key: string, before: string | undefined): KeyAction | undefined {
  if (before === undefined) return actions[key];
  return actions[`${before} ${key}`] ?? (before === PREFIX ? undefined : actions[key]);
}

/** Runs actions by single keys such as "c" or sequences such as "g r", except in fields, menus and dialogs. */
export function useKeys(actions: Actions): void {
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    let begun: { key: string; at: number } | undefined;
    function press(event: KeyboardEvent): void {
      if (event.defaultPrevented || isTaken(event)) return;
      const { key, timeStamp } = event;
      const before = begun !== undefined && timeStamp - begun.at < SEQUENCE ? begun.key : undefined;
      begun = { key, at: timeStamp };
      const action = actionOf(latest.current, key, before);
      if (action === undefined || action() === false) return;
      begun = undefined;
      event.preventDefault();
    }
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}
