import { useHotkeys } from "@mantine/hooks";
import { createContext, type ReactNode, use, useMemo, useState } from "react";
import type { HomeSearch } from "../api/filter.ts";
import { useTargets } from "../shared/fast-link.tsx";
import { useKeys } from "../shared/keyboard.ts";
import { lazyPart } from "../shared/lazy-part.ts";
import { undoLatest } from "../shared/notify.ts";
import { PartBoundary } from "../shared/part-boundary.tsx";

const PaletteDialog = lazyPart(async () => (await import("./palette-dialog.tsx")).PaletteDialog);
const ShortcutsDialog = lazyPart(async () => (await import("./shortcuts-dialog.tsx")).ShortcutsDialog);

type Open = "palette" | "shortcuts";

const OpenContext = createContext<(which: Open) => void>(() => undefined);

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

interface PaletteProps {
  owner: string;
  children: ReactNode;
}

/** Provides the command palette, opened with Ctrl K or ⌘ K anywhere, even in an input, and the keys of every page. */
export function Palette({ owner, children }: PaletteProps) {
  const [opened, setOpened] = useState<Open>();
  /** Stays mounted to fade out. */
  const [mounted, setMounted] = useState<Open>();
  const open = useMemo(
    () => (which: Open) => {
      setMounted(which);
      setOpened(which);
    },
    [],
  );
  const close = () => setOpened(undefined);
  const dismiss = () => {
    setOpened(undefined);
    setMounted(undefined);
  };
  useHotkeys([["mod+K", () => (opened === "palette" ? close() : open("palette"))]], []);
  usePageKeys(owner, open);
  return (
    <OpenContext value={open}>
      {children}
      {mounted !== undefined && (
        <PartBoundary onDismiss={dismiss}>
          {mounted === "palette" ? (
            <PaletteDialog owner={owner} isOpen={opened === "palette"} onClose={close} />
          ) : (
            <ShortcutsDialog isOpen={opened === "shortcuts"} onClose={close} />
          )}
        </PartBoundary>
      )}
    </OpenContext>
  );
}

function usePageKeys(owner: string, open: (which: Open) => void): void {
  const targets = useTargets();
  const go = (search: HomeSearch) => () => targets.open({ to: "/w/$owner", owner, search });
  useKeys({
    "?": () => open("shortcuts"),
    c: () => targets.open({ to: "/w/$owner/publish", owner }),
    z: undoLatest,
    "g a": go({}),
    "g r": go({ place: "recent" }),
    "g s": go({ place: "starred" }),
    "g u": go({ folder: "none" }),
  });
}
