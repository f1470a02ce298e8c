import type { MouseEvent } from "react";
import type { SelectionActions } from "./use-selection.ts";

const CONTROLS = "a, button, input, label";

interface Options {
  actions: SelectionActions;
  onOpen(key: string): void;
}

/** Returns the click handler of a list or gallery. */
export function useListPointer({ actions, onOpen }: Options) {
  return (event: MouseEvent) => {
    const { target } = event;
    const key = target instanceof Element ? target.closest<HTMLElement>("[data-key]")?.dataset.key : undefined;
    if (key === undefined || !(target instanceof Element)) return;
    const control = target.closest(CONTROLS);
    const isLink = control instanceof HTMLAnchorElement;
    if (event.shiftKey && (control === null || isLink)) {
      event.preventDefault();
      actions.extendTo(key);
    } else if (control === null && (event.ctrlKey || event.metaKey)) {
      actions.toggle(key);
    } else if (control === null) {
      onOpen(key);
    }
  };
}
