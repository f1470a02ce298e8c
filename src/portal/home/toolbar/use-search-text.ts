import { useMatch, useNavigate } from "@tanstack/react-router";
import { useCallback, useEffect, useRef, useState } from "react";

/** Milliseconds after the last keypress before the search starts. */
const PAUSE = 120;

const wordsOf = (text: string): string | undefined => (text.trim() === "" ? undefined : text.trim());

/**
 * Keeps the search field and the address in step, in both directions: typing changes the address after a pause, and
 * navigation changes the text, but an address that is merely late never overwrites what was typed.
 */
export function useSearchText(owner: string) {
  const navigate = useNavigate();
  const home = useMatch({ from: "/w/$owner", shouldThrow: false });
  const isHome = home !== undefined;
  const q = home?.search.q;
  const [text, setText] = useState(q ?? "");
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** Values sent to the address, which may not have arrived there yet. */
  const sent = useRef<(string | undefined)[]>([q]);

  const [seen, setSeen] = useState(q);
  if (seen !== q) {
    setSeen(q);
    if (!sent.current.includes(q)) setText(q ?? "");
  }
  useEffect(() => {
    if (!sent.current.includes(q)) clearTimeout(timer.current);
    if (q === sent.current.at(-1) || !sent.current.includes(q)) sent.current = [q];
  }, [q]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const updateAddress = useCallback(
    (wanted: string | undefined) => {
      clearTimeout(timer.current);
      timer.current = undefined;
      if (isHome && sent.current.at(-1) === wanted) return;
      sent.current.push(wanted);
      if (isHome) {
        void navigate({
          to: "/w/$owner",
          params: { owner },
          // A search goes through the whole workspace.
          search: ({ place, ...before }) => ({ ...before, ...(wanted === undefined ? { place } : {}), q: wanted }),
          replace: true,
        });
      } else {
        void navigate({ to: "/w/$owner", params: { owner }, search: { q: wanted } });
      }
    },
    [isHome, navigate, owner],
  );
  const latest = useRef(updateAddress);
  latest.current = updateAddress;

  const type = useCallback((typed: string) => {
    setText(typed);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => latest.current(wordsOf(typed)), PAUSE);
  }, []);
  /** Searches without waiting. */
  const search = (wanted: string) => {
    setText(wanted);
    updateAddress(wordsOf(wanted));
  };
  return { text, type, search };
}
