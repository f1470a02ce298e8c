import type { SelectionActions } from "./use-selection.ts";

/** A click on a box selects one, or with Shift all up to it. */
export function selectByBox(event: Event, key: string, actions: SelectionActions): void {
  if (event instanceof MouseEvent && event.shiftKey) actions.extendTo(key);
  else actions.toggle(key);
}

/** Opens the menu that a right click opens, at a button. */
export function openMenuOf(button: HTMLElement): void {
  const { left, bottom } = button.getBoundingClientRect();
  const event = { bubbles: true, cancelable: true, clientX: left, clientY: bottom };
  button.dispatchEvent(new MouseEvent("contextmenu", event));
}
