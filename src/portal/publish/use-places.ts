import { type RefObject, useCallback, useRef } from "react";

type Place = "chooser" | "problems" | "name" | "submit";

interface Places {
  chooser: RefObject<HTMLButtonElement | null>;
  problems: RefObject<HTMLDivElement | null>;
  name: RefObject<HTMLInputElement | null>;
  submit: RefObject<HTMLButtonElement | null>;
  /** Has the reader go on there, when what has just changed is on the page. */
  focus(place: Place): void;
}

/** The places of the publish page where a reader may have to go on. */
export function usePlaces(): Places {
  const chooser = useRef<HTMLButtonElement>(null);
  const problems = useRef<HTMLDivElement>(null);
  const name = useRef<HTMLInputElement>(null);
  const submit = useRef<HTMLButtonElement>(null);
  const focus = useCallback((place: Place) => {
    requestAnimationFrame(() => {
      // With no problem left there is nothing to see there.
      const isSolved = place === "problems" && problems.current?.childElementCount === 0;
      const target = { chooser, problems, name, submit }[isSolved ? "name" : place];
      target.current?.focus();
    });
  }, []);
  return { chooser, problems, name, submit, focus };
}
