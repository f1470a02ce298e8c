import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from "react";

/** What lay in a drop, taken out while the browser still knew it. */
export interface Dropped {
  entries: readonly FileSystemEntry[];
  /** What the browser has no entry for. */
  files: readonly File[];
}

interface DropBox {
  put(dropped: Dropped): void;
  /** Hands over what was dropped already, and what will be. Returns what ends it. */
  take(taker: (dropped: Dropped) => void): () => void;
}

const DropBoxContext = createContext<DropBox>({ put: () => undefined, take: () => () => undefined });

/** Keeps what is dropped anywhere until the publish page, which has yet to be opened, takes it. */
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

/** Calls with what is dropped for as long as the caller is on the page. */
export function useDrops(taker: (dropped: Dropped) => void): void {
  const { take } = useContext(DropBoxContext);
  const latest = useRef(taker);
  latest.current = taker;
  useEffect(() => take((dropped) => latest.current(dropped)), [take]);
}

/** Has to be called while the drop is being handled. */
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
