import { createContext, type ReactNode, useContext, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { createEarlyDrops, type EarlyDrops } from "./early-drops.ts";
import type { Handed } from "./handed.ts";

interface DropBox {
  put(handed: Handed): void;
  /** Receives what was put earlier and later. Returns a function that stops it. */
  take(taker: (handed: Handed) => void): () => void;
  /** Returns whether something receives it now. */
  isTaken(): boolean;
}

const EarlyContext = createContext<Pick<EarlyDrops, "follow" | "subscribe" | "hasWaiting">>({
  follow: () => () => undefined,
  subscribe: () => () => undefined,
  hasWaiting: () => false,
});
const DropBoxContext = createContext<DropBox>({
  put: () => undefined,
  take: () => () => undefined,
  isTaken: () => false,
});

/**
 * Holds what was dropped or pasted anywhere until the publish page opens and takes it, also what came before the code that
 * follows drags was loaded.
 */
export function DropBoxProvider({ children }: { children: ReactNode }) {
  const [box] = useState(createDropBox);
  const [early] = useState(() => createEarlyDrops(box.isTaken));
  useEffect(() => early.listen(), [early]);
  return (
    <EarlyContext value={early}>
      <DropBoxContext value={box}>{children}</DropBoxContext>
    </EarlyContext>
  );
}

export const useEarlyDrops = () => useContext(EarlyContext);

/** Returns whether something was dropped or pasted that nothing has received yet. */
export function useHasEarlyDrop(): boolean {
  const early = useEarlyDrops();
  return useSyncExternalStore(early.subscribe, early.hasWaiting);
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
    isTaken: () => current !== undefined,
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
