import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from "react";

/** Content of a drop, read while the event still exposes it. */
export interface Dropped {
  entries: readonly FileSystemEntry[];
  /** Files the browser has no entry for. */
  files: readonly File[];
}

/** Dropped or pasted files, or pasted HTML. */
export type Handed = Dropped | string;

interface DropBox {
  put(handed: Handed): void;
  /** Receives what was put earlier and later. Returns a function that stops it. */
  take(taker: (handed: Handed) => void): () => void;
}

const DropBoxContext = createContext<DropBox>({ put: () => undefined, take: () => () => undefined });

/** Holds what was dropped or pasted anywhere until the publish page opens and takes it. */
export function DropBoxProvider({ children }: { children: ReactNode }) {
  const [box] = useState(createDropBox);
  return <DropBoxContext value={box}>{children}</DropBoxContext>;
}

function createDropBox(): DropBox {
  let waiting: Handed | undefined;
  let current: ((handed: Handed) => void) | undefined;
  return {
    put(handed) {
      if (current === undefined) waiting = handed;
      else current(handed);
    },
    take(taker) {
      current = taker;
      if (waiting !== undefined) taker(waiting);
      waiting = undefined;
      return () => {
        if (current === taker) current = undefined;
      };
    },
  };
}

export const usePutDrop = () => useContext(DropBoxContext).put;

/** Receives what is dropped or pasted while the component is mounted. */
export function useDrops(taker: (handed: Handed) => void): void {
  const { take } = useContext(DropBoxContext);
  const latest = useRef(taker);
  latest.current = taker;
  useEffect(() => take((handed) => latest.current(handed)), [take]);
}

/** Must run during the drop event. */
export function emptyTransfer(transfer: DataTransfer): Dropped {
  const entries: FileSystemEntry[] = [];
  const files: File[] = [];
  for (const item of transfer.items) {
    if (item.kind !== "file") continue;
    const entry = item.webkitGetAsEntry();
    const file = entry === null ? item.getAsFile() : null;
    if (entry !== null) entries.push(entry);
    if (file !== null) files.push(file);
  }
  return { entries, files };
}
