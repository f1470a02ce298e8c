import { useLongPress } from "@mantine/hooks";
import { type MouseEvent, type TouchEvent, useRef } from "react";
import type { Anchor } from "./menu-frame.tsx";

/** Returns handlers that open a context menu at the pointer, by the secondary button, the keyboard or a long press. */
export function useContextMenu(open: (anchor: Anchor, target: EventTarget) => void) {
  const isTouched = useRef(false);
  const isHandled = useRef(false);

  function openAt(x: number, y: number, contextElement: Element, target: EventTarget): void {
    // The lower edge of a button may be below the window.
    const rect = new DOMRect(x, Math.min(y, innerHeight), 0, 0);
    open({ getBoundingClientRect: () => rect, contextElement }, target);
  }

  const longPress = useLongPress(
    (event) => {
      if (isHandled.current || !("touches" in event)) return;
      const touch = event.touches[0] ?? event.changedTouches[0];
      if (touch === undefined || !(event.target instanceof Element)) return;
      openAt(touch.clientX, touch.clientY, event.target, event.target);
      isHandled.current = true;
    },
    {
      threshold: 500,
      events: ["touch"],
      cancelOnMove: true,
      onStart: () => {
        isTouched.current = true;
        isHandled.current = false;
      },
      // Otherwise lifting the finger would also click.
      onFinish: (event) => {
        isTouched.current = false;
        isHandled.current = false;
        event.preventDefault();
      },
      onCancel: () => {
        isTouched.current = false;
        isHandled.current = false;
      },
    },
  );

  return {
    onContextMenu: (event: MouseEvent) => {
      if (event.defaultPrevented) return;
      event.preventDefault();
      if (isHandled.current) return;
      openAt(event.clientX, event.clientY, event.currentTarget, event.target);
      if (isTouched.current) isHandled.current = true;
    },
    // A press of the secondary button is no click outside of the menu that it opens.
    onMouseDown: (event: MouseEvent) => {
      if (event.button === 2) event.stopPropagation();
    },
    onTouchStart: (event: TouchEvent) => longPress.onTouchStart?.(event),
    onTouchEnd: (event: TouchEvent) => longPress.onTouchEnd?.(event),
    onTouchCancel: (event: TouchEvent) => longPress.onTouchCancel?.(event),
    onTouchMove: (event: TouchEvent) => longPress.onTouchMove?.(event),
  };
}
