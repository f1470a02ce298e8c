import { useMatch, useNavigate } from "@tanstack/react-router";
import { useCallback, useEffect, useRef, useState } from "react";

/** Milliseconds without another key before what was typed is looked for. */
const PAUSE = 120;

const wordsOf = (text: string): string | undefined => (text.trim() === "" ? undefined : text.trim());

/**
 * What is typed into the search, and what the address says of it. Both lead: typing changes the address a little later,
 * and going back or elsewhere changes the text; but an address that is merely late never takes back what was typed.
 */
export function useSearchText(owner: string) {
  const navigate = useNavigate();
  const home = useMatch({ from: "/w/$owner", shouldThrow: false });
  const isHome = home !== undefined;
  const q = home?.search.q;
  const [text, setText] = useState(q ?? "");
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** What the address was told and has perhaps not come to say yet. */
  const told = useRef<(string | undefined)[]>([q]);

  const [seen, setSeen] = useState(q);
  if (seen !== q) {
    setSeen(q);
    if (!told.current.includes(q)) setText(q ?? "");
  }
  useEffect(() => {
    if (!told.current.includes(q)) clearTimeout(timer.current);
    if (q === told.current.at(-1) || !told.current.includes(q)) told.current = [q];
  }, [q]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const tell = useCallback(
    (wanted: string | undefined) => {
      clearTimeout(timer.current);
      timer.current = undefined;
      if (isHome && told.current.at(-1) === wanted) return;
      told.current.push(wanted);
      if (isHome) {
        void navigate({
          to: "/w/$owner",
          params: { owner },
          search: (before) => ({ ...before, q: wanted }),
          replace: true,
        });
      } else {
        void navigate({ to: "/w/$owner", params: { owner }, search: { q: wanted } });
      }
    },
    [isHome, navigate, owner],
  );
  const latest = useRef(tell);
  latest.current = tell;

  const type = useCallback((typed: string) => {
    setText(typed);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => latest.current(wordsOf(typed)), PAUSE);
  }, []);
  /** Looks for it without waiting for more. */
  const seek = (wanted: string) => {
    setText(wanted);
    tell(wordsOf(wanted));
  };
  return { text, type, seek };
}
