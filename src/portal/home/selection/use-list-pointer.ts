import { type MouseEvent, useEffect, useRef } from "react";
import { isPlainClick } from "../../shared/fast-link.tsx";
import type { SelectionActions } from "./use-selection.ts";

const CONTROLS = "a, button, input, label";
/** Milliseconds over a report after which it is likely to be opened. */
const INTENT = 80;

interface Options {
  actions: SelectionActions;
  onOpen(key: string): void;
  onPreload(key: string): void;
}

const keyAt = (target: EventTarget): string | undefined =>
  target instanceof Element ? target.closest<HTMLElement>("[data-key]")?.dataset.key : undefined;

/** Returns the pointer's handlers of a list or gallery. */
export function useListPointer({ actions, onOpen, onPreload }: Options) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const hovered = useRef<string>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  return {
    onClick: (event: MouseEvent) => {
      const { target } = event;
      const key = keyAt(target);
      if (key === undefined || !(target instanceof Element)) return;
      const control = target.closest(CONTROLS);
      const isLink = control instanceof HTMLAnchorElement;
      if (event.shiftKey && (control === null || isLink)) {
        event.preventDefault();
        actions.extendTo(key);
      } else if (control === null && (event.ctrlKey || event.metaKey)) {
        actions.toggle(key);
      } else if (control === null || (isLink && isPlainClick(event))) {
        event.preventDefault();
        onOpen(key);
      }
    },
    onMouseOver: ({ target }: MouseEvent) => {
      const key = keyAt(target);
      if (key === hovered.current) return;
      hovered.current = key;
      clearTimeout(timer.current);
      if (key !== undefined) timer.current = setTimeout(() => onPreload(key), INTENT);
    },
    onMouseLeave: () => {
      hovered.current = undefined;
      clearTimeout(timer.current);
    },
  };
}
