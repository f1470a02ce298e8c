import { useIsFetching } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";

/** Milliseconds after which waiting for an idle moment ends. */
const PATIENCE = 3_000;
/** Milliseconds until the list is painted, which takes a few frames: its size is known after the first. */
const PAUSE = 200;
/** Milliseconds after which data that is still missing is no longer waited for: its request may hang. */
const LIMIT = 5_000;

const SettledContext = createContext<Promise<void>>(Promise.resolve());

/** Calls back in an idle moment after a pause. Returns a function that cancels it. */
function whenIdle(run: () => void): () => void {
  // Safari can't tell when it is idle.
  const canWait = typeof requestIdleCallback !== "undefined";
  let handle = 0;
  const timer = setTimeout(() => {
    if (canWait) handle = requestIdleCallback(run, { timeout: PATIENCE });
    else run();
  }, PAUSE);
  return () => {
    clearTimeout(timer);
    if (canWait) cancelIdleCallback(handle);
  };
}

/** Finds the first idle moment in which the page is painted with its data, or could have been. */
export function SettledProvider({ children }: { children: ReactNode }) {
  const [{ promise, resolve }] = useState(() => Promise.withResolvers<void>());
  const isFetching = useIsFetching() > 0;
  useEffect(() => (isFetching ? undefined : whenIdle(resolve)), [isFetching, resolve]);
  useEffect(() => {
    const timer = setTimeout(resolve, LIMIT);
    return () => clearTimeout(timer);
  }, [resolve]);
  return <SettledContext value={promise}>{children}</SettledContext>;
}

/** Resolves when the first page is painted: the moment to load code that it didn't need. */
export const useSettled = (): Promise<void> => useContext(SettledContext);

/** Returns whether the first page is painted. */
export function useIsSettled(): boolean {
  const settled = useSettled();
  const [isSettled, setSettled] = useState(false);
  useEffect(() => {
    let isGone = false;
    void settled.then(() => {
      if (!isGone) setSettled(true);
    });
    return () => {
      isGone = true;
    };
  }, [settled]);
  return isSettled;
}
