import { lazy, type ReactNode, Suspense, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { type Thumbnails, ThumbnailsContext } from "./context.ts";

/** Loads with the first thumbnail. Without it, lists show placeholders. */
const ThumbnailMaker = lazy(() =>
  import("./thumbnail-maker.tsx").then(
    ({ ThumbnailMaker: Maker }) => ({ default: Maker }),
    () => ({ default: () => null }),
  ),
);

/** Milliseconds after publishing in which a page that shows the version can take the picture from its own frame. */
const DELAY = 10_000;

/** Makes thumbnails of published versions, one at a time. */
export function ThumbnailsProvider({ children }: { children: ReactNode }) {
  const [queue, setQueue] = useState<readonly string[]>([]);
  const taken = useRef(new Set<string>());
  const timers = useRef(new Set<ReturnType<typeof setTimeout>>());
  const thumbnails = useMemo<Thumbnails>(
    () => ({
      make(code) {
        const start = () => {
          if (!taken.current.has(code)) setQueue((waiting) => [...waiting, code]);
        };
        timers.current.add(setTimeout(start, DELAY));
      },
      claim(code) {
        const isFree = !taken.current.has(code);
        taken.current.add(code);
        return isFree;
      },
      release: (code) => void taken.current.delete(code),
    }),
    [],
  );
  useEffect(() => {
    const { current } = timers;
    return () => {
      for (const timer of current) clearTimeout(timer);
    };
  }, []);
  const next = useCallback(() => setQueue((waiting) => waiting.slice(1)), []);
  const [code] = queue;
  return (
    <ThumbnailsContext value={thumbnails}>
      {children}
      {code !== undefined && (
        <Suspense fallback={null}>
          <ThumbnailMaker key={code} code={code} onDone={next} />
        </Suspense>
      )}
    </ThumbnailsContext>
  );
}
