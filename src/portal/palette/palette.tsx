import { useHotkeys } from "@mantine/hooks";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import type { HomeSearch } from "../api/filter.ts";
import { useTargets } from "../shared/fast-link.tsx";
import { useKeys } from "../shared/keyboard.ts";
import { lazyPart } from "../shared/lazy-part.ts";
import { undoLatest } from "../shared/notify.ts";
import { PartBoundary } from "../shared/part-boundary.tsx";
import { takeEarlyText, useEarlyText } from "./early-text.ts";
import { type Open, OpenContext } from "./open.ts";

const PaletteDialog = lazyPart(async () => (await import("./dialogs.ts")).PaletteDialog);
const ShortcutsDialog = lazyPart(async () => (await import("./dialogs.ts")).ShortcutsDialog);

interface PaletteProps {
  owner: string;
  children: ReactNode;
}

/** Provides the command palette, opened with Ctrl K or ⌘ K anywhere, even in an input, and the keys of every page. */
export function Palette({ owner, children }: PaletteProps) {
  const [opened, setOpened] = useState<Open>();
  /** Stays mounted to fade out. */
  const [mounted, setMounted] = useState<Open>();
  const early = useEarlyText(() => setOpened(undefined));
  const open = useMemo(
    () => (which: Open) => {
      if (which === "palette") early.begin();
      setMounted(which);
      setOpened(which);
    },
    [early],
  );
  useEffect(() => {
    const typed = takeEarlyText();
    if (typed === undefined) return;
    open("palette");
    early.begin(typed);
  }, [early, open]);
  const close = () => {
    early.end();
    setOpened(undefined);
  };
  const dismiss = () => {
    close();
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
            <PaletteDialog owner={owner} isOpen={opened === "palette"} onReady={early.end} onClose={close} />
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
