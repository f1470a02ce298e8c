import { createContext, use, useMemo } from "react";

/** A dialog of every page. */
export type Open = "palette" | "shortcuts";

export const OpenContext = createContext<(which: Open) => void>(() => undefined);

/** Returns a function that opens the command palette. */
export function useOpenPalette(): () => void {
  const open = use(OpenContext);
  return useMemo(() => () => open("palette"), [open]);
}

/** Returns a function that opens the list of keyboard shortcuts. */
export function useOpenShortcuts(): () => void {
  const open = use(OpenContext);
  return useMemo(() => () => open("shortcuts"), [open]);
}
