import { type RefObject, useLayoutEffect, useRef } from "react";
import { useCabinet } from "./context.ts";
import type { Section } from "./entries.ts";

interface Options {
  section: Section;
  list: RefObject<HTMLElement | null>;
  /** The active row is rendered. */
  setActive(key: string): void;
  /** Whether there are rows. */
  isReady: boolean;
}

/** Focuses rows, including those not rendered yet, and shows the current one when the page opens. */
export function useRowFocus({ section, list, setActive, isReady }: Options) {
  const { wanted } = useCabinet();
  const pending = useRef<string>(undefined);
  const handled = useRef<object>(undefined);
  const hasShown = useRef(false);

  function focusPending(): void {
    const row = pending.current === undefined ? null : list.current?.querySelector(rowSelector(pending.current));
    if (!(row instanceof HTMLElement)) return;
    pending.current = undefined;
    row.focus({ preventScroll: true });
    row.scrollIntoView({ block: "nearest" });
  }

  function focusKey(key: string): void {
    pending.current = key;
    setActive(key);
    focusPending();
  }

  useLayoutEffect(() => {
    if (wanted !== undefined && wanted !== handled.current && wanted.key.startsWith(`${section}:`)) {
      handled.current = wanted;
      focusKey(wanted.key);
    }
    focusPending();
    if (isReady && !hasShown.current) {
      hasShown.current = true;
      list.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
    }
  });

  /** Any other interaction cancels the pending focus. */
  const forget = () => {
    pending.current = undefined;
  };
  return { focusKey, forget };
}

const rowSelector = (key: string) => `[data-key="${CSS.escape(key)}"]`;
