import { useDocumentVisibility } from "@mantine/hooks";
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { type Thumbnails, ThumbnailsContext } from "./context.ts";
import { forgetTry, noteTry, withoutTried } from "./tried.ts";

/** Loads with the first thumbnail. Without it, lists show placeholders. */
const ThumbnailMaker = lazy(() =>
  import("./thumbnail-maker.tsx").then(
    ({ ThumbnailMaker: Maker }) => ({ default: Maker }),
    () => ({ default: () => null }),
  ),
);

/** Milliseconds after publishing in which a page that shows the version can take the picture from its own frame. */
const DELAY = 10_000;

/** Makes thumbnails one at a time: of versions published here first, then of those that lists lack. */
export function ThumbnailsProvider({ children }: { children: ReactNode }) {
  const [queue, setQueue] = useState<readonly string[]>([]);
  const [missing, setMissing] = useState<readonly string[]>([]);
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
      complete(codes) {
        const untried = withoutTried(codes).filter((code) => !taken.current.has(code));
        // The one being made counts as tried.
        setMissing(([current]) =>
          current !== undefined && codes.includes(current)
            ? [current, ...untried.filter((code) => code !== current)]
            : untried,
        );
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
  // Browsers draw nothing in hidden pages.
  const isVisible = useDocumentVisibility() === "visible";
  const [published] = queue;
  const completed = published === undefined && isVisible ? missing[0] : undefined;
  const code = published ?? completed;
  const noteDone = useTryNote(completed);
  const next = useCallback(() => {
    const others = (waiting: readonly string[]) => waiting.filter((each) => each !== code);
    noteDone();
    setQueue(others);
    setMissing(others);
  }, [code, noteDone]);
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

/** Notes that a version is tried, until the try is interrupted. Returns what to call at its end. */
function useTryNote(code: string | undefined): () => void {
  const isDone = useRef(false);
  useEffect(() => {
    if (code === undefined) return;
    isDone.current = false;
    noteTry(code);
    const interrupt = () => {
      if (!isDone.current) forgetTry(code);
    };
    // Leaving for another document cleans nothing up.
    addEventListener("pagehide", interrupt);
    return () => {
      removeEventListener("pagehide", interrupt);
      interrupt();
    };
  }, [code]);
  return useCallback(() => {
    isDone.current = true;
  }, []);
}
