import { useHotkeys } from "@mantine/hooks";
import { createContext, lazy, type ReactNode, use, useState } from "react";
import { loadPart } from "../shared/missing-part.ts";
import { PartBoundary } from "../shared/part-boundary.tsx";

const Dialog = lazy(() =>
  loadPart(import("./palette-dialog.tsx")).then(({ PaletteDialog }) => ({ default: PaletteDialog })),
);

const OpenContext = createContext<() => void>(() => undefined);

/** Returns a function that opens the command palette. */
export const useOpenPalette = (): (() => void) => use(OpenContext);

interface PaletteProps {
  owner: string;
  children: ReactNode;
}

/** Provides the command palette, opened with Ctrl K or ⌘ K anywhere, even in an input. */
export function Palette({ owner, children }: PaletteProps) {
  const [isOpen, setOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  const open = () => {
    setWasOpened(true);
    setOpen(true);
  };
  const dismiss = () => {
    setOpen(false);
    setWasOpened(false);
  };
  useHotkeys([["mod+K", () => (isOpen ? setOpen(false) : open())]], []);
  return (
    <OpenContext value={open}>
      {children}
      {wasOpened && (
        <PartBoundary onDismiss={dismiss}>
          <Dialog owner={owner} isOpen={isOpen} onClose={() => setOpen(false)} />
        </PartBoundary>
      )}
    </OpenContext>
  );
}
