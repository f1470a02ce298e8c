import type { SelectionActions } from "./use-selection.ts";

/** Handles a click on a checkbox; with Shift it extends the selection. */
export function selectByBox(event: Event, key: string, actions: SelectionActions): void {
  if (event instanceof MouseEvent && event.shiftKey) actions.extendTo(key);
  else actions.toggle(key);
}

/** Opens the context menu below a button. */
export function openMenuOf(button: HTMLElement): void {
  const { left, bottom } = button.getBoundingClientRect();
  const event = { bubbles: true, cancelable: true, clientX: left, clientY: bottom };
  button.dispatchEvent(new MouseEvent("contextmenu", event));
}
