import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from "react";

/** Content of a drop, read while the event still exposes it. */
export interface Dropped {
  entries: readonly FileSystemEntry[];
  /** Files the browser has no entry for. */
  files: readonly File[];
}

interface DropBox {
  put(dropped: Dropped): void;
  /** Receives earlier and later drops. Returns a function that stops it. */
  take(taker: (dropped: Dropped) => void): () => void;
}

const DropBoxContext = createContext<DropBox>({ put: () => undefined, take: () => () => undefined });

/** Holds files dropped anywhere until the publish page opens and takes them. */
export function DropBoxProvider({ children }: { children: ReactNode }) {
  const [box] = useState(createDropBox);
  return <DropBoxContext value={box}>{children}</DropBoxContext>;
}

function createDropBox(): DropBox {
  let waiting: Dropped | undefined;
  let current: ((dropped: Dropped) => void) | undefined;
  return {
    put(dropped) {
      if (current === undefined) waiting = dropped;
      else current(dropped);
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

/** Receives dropped files while the component is mounted. */
export function useDrops(taker: (dropped: Dropped) => void): void {
  const { take } = useContext(DropBoxContext);
  const latest = useRef(taker);
  latest.current = taker;
  useEffect(() => take((dropped) => latest.current(dropped)), [take]);
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
