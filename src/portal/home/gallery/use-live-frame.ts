import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { previewQuery } from "../../api/queries.ts";

/** Milliseconds on a card before it gets a frame; skips cards that the pointer or the focus only passes. */
const DWELL_TIME = 400;

/** The one card with a frame, because each frame is a page that runs scripts. */
export interface LiveFrame {
  code: string | undefined;
  /** Undefined until it is known. */
  source: string | undefined;
  /** Gives a card a frame in a moment, or takes its frame away. */
  point(code: string): void;
  leave(code: string): void;
}

/** Returns which card shows its report live: the one under the pointer or with the focus. */
export function useLiveFrame(): LiveFrame {
  const [code, setCode] = useState<string>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const pointed = useRef<string>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const point = useCallback((next: string) => {
    clearTimeout(timer.current);
    pointed.current = next;
    timer.current = setTimeout(() => setCode(next), DWELL_TIME);
  }, []);
  const leave = useCallback((left: string) => {
    if (pointed.current !== left) return;
    clearTimeout(timer.current);
    pointed.current = undefined;
    setCode(undefined);
  }, []);
  const { data } = useQuery({ ...previewQuery(code ?? ""), enabled: code !== undefined });
  return { code, source: data ?? undefined, point, leave };
}
