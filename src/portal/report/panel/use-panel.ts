import { useState } from "react";
import { useKeys } from "../../shared/keyboard.ts";
import { useNarrow } from "../use-width.ts";

const PLACE = "vitrine-report-panel";
const HIDDEN = "hidden";

/** Whether the panel beside a report is shown, and how. */
export interface Panel {
  isOpen: boolean;
  /** Whether there is no room beside the report, so that it lies above it. */
  isSheet: boolean;
  toggle(): void;
  close(): void;
}

/** Keeps in this browser whether the panel is hidden. A sheet starts closed. */
export function usePanel(): Panel {
  const isSheet = useNarrow();
  const [isShown, setShown] = useState(() => localStorage.getItem(PLACE) !== HIDDEN);
  const [isSheetOpen, setSheetOpen] = useState(false);
  const show = (isWanted: boolean) => {
    if (isSheet) {
      setSheetOpen(isWanted);
      return;
    }
    setShown(isWanted);
    if (isWanted) localStorage.removeItem(PLACE);
    else localStorage.setItem(PLACE, HIDDEN);
  };
  const isOpen = isSheet ? isSheetOpen : isShown;
  const toggle = () => show(!isOpen);
  useKeys({ "]": toggle });
  return { isOpen, isSheet, toggle, close: () => show(false) };
}
