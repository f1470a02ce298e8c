import { useRef, useState } from "react";
import type { Item } from "../slots.ts";

export type DialogKind = "folder" | "tags" | "share" | "rename";

export interface OpenDialog {
  kind: DialogKind;
  /** The reports when the dialog was opened. */
  items: readonly Item[];
}

/** Returns the open dialog; closing it returns the focus to where it was, or to the list. */
export function useDialog(focusList: () => void) {
  const [dialog, setDialog] = useState<OpenDialog>();
  const opener = useRef<Element | null>(null);
  const open = (kind: DialogKind, items: readonly Item[]) => {
    opener.current = document.activeElement;
    setDialog({ kind, items });
  };
  const close = () => {
    setDialog(undefined);
    const { current } = opener;
    setTimeout(() => {
      if (current instanceof HTMLElement && current.isConnected && current.closest("[role=menu]") === null)
        current.focus();
      if (document.activeElement === document.body) focusList();
    });
  };
  return { dialog, open, close };
}
