import { createContext, type ReactNode, useContext, useEffect, useState } from "react";

const MINUTE = 60_000;

const NowContext = createContext<number>(0);

/** Tells the time to everything that shows relative times, once a minute. */
export function Clock({ children }: { children: ReactNode }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE);
    return () => clearInterval(timer);
  }, []);
  return <NowContext value={now}>{children}</NowContext>;
}

/** Returns the time, to the minute. */
export const useNow = (): number => useContext(NowContext);
