import { useRef, useState } from "react";

/** What a dialog has to hand on to its `Modal`. */
export interface ModalState {
  opened: boolean;
  onClose(): void;
  onExitTransitionEnd(): void;
  returnFocus: false;
  closeButtonProps: { "aria-label": string };
}

/** One of several dialogs at a time; the focus goes back to the trigger, from whose menu they are opened. */
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
    // The library would return it to the entry of the menu, which is gone.
    returnFocus: false,
    closeButtonProps: { "aria-label": "Close" },
  };
  const dismiss = () => {
    setCurrent(undefined);
    // As soon as the dialog lets go of it.
    setTimeout(() => trigger.current?.focus());
  };
  return { trigger, modal, dismiss, name: current?.name, open: (name: Name) => setCurrent({ name, isOpen: true }) };
}
