import { useHotkeys } from "@mantine/hooks";
import { createContext, lazy, type ReactNode, Suspense, use, useState } from "react";

const Dialog = lazy(() => import("./palette-dialog.tsx").then(({ PaletteDialog }) => ({ default: PaletteDialog })));

const OpenContext = createContext<() => void>(() => undefined);

/** Opens the command palette. */
export const useOpenPalette = (): (() => void) => use(OpenContext);

interface PaletteProps {
  owner: string;
  children: ReactNode;
}

/** Finds reports and does every action, by keyboard: Ctrl K or ⌘ K anywhere, also while one is typing. */
export function Palette({ owner, children }: PaletteProps) {
  const [isOpen, setOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  const open = () => {
    setWasOpened(true);
    setOpen(true);
  };
  useHotkeys([["mod+K", () => (isOpen ? setOpen(false) : open())]], []);
  return (
    <OpenContext value={open}>
      {children}
      {wasOpened && (
        <Suspense fallback={null}>
          <Dialog owner={owner} isOpen={isOpen} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </OpenContext>
  );
}
