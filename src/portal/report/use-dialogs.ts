import { useRef, useState } from "react";

/** Properties for a dialog's `Modal`. */
export interface ModalState {
  opened: boolean;
  onClose(): void;
  onExitTransitionEnd(): void;
  returnFocus: false;
  closeButtonProps: { "aria-label": string };
}

/** Manages one of several dialogs opened from a menu; the focus returns to the menu's button. */
export function useDialogs<Name extends string>() {
  const [current, setCurrent] = useState<{ name: Name; isOpen: boolean }>();
  const trigger = useRef<HTMLButtonElement>(null);
  const modal: ModalState = {
    opened: current?.isOpen ?? false,
    onClose: () => setCurrent((before) => before && { ...before, isOpen: false }),
    onExitTransitionEnd: () => {
      setCurrent(undefined);
      trigger.current?.focus();
    },
    // Mantine would return it to the menu item, which is gone.
    returnFocus: false,
    closeButtonProps: { "aria-label": "Close" },
  };
  const dismiss = () => {
    setCurrent(undefined);
    // Runs after the dialog releases the focus.
    setTimeout(() => trigger.current?.focus());
  };
  return { trigger, modal, dismiss, name: current?.name, open: (name: Name) => setCurrent({ name, isOpen: true }) };
}
