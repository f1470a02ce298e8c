import { type RefObject, useCallback, useRef } from "react";

type Place = "chooser" | "problems" | "name" | "submit";

interface Places {
  chooser: RefObject<HTMLButtonElement | null>;
  problems: RefObject<HTMLDivElement | null>;
  name: RefObject<HTMLInputElement | null>;
  submit: RefObject<HTMLButtonElement | null>;
  /** Moves the focus there once the current change is rendered. */
  focus(place: Place): void;
}

/** Returns the places of the form that can take the focus. */
export function usePlaces(): Places {
  const chooser = useRef<HTMLButtonElement>(null);
  const problems = useRef<HTMLDivElement>(null);
  const name = useRef<HTMLInputElement>(null);
  const submit = useRef<HTMLButtonElement>(null);
  const focus = useCallback((place: Place) => {
    requestAnimationFrame(() => {
      // The list is empty without problems.
      const isSolved = place === "problems" && problems.current?.childElementCount === 0;
      const target = { chooser, problems, name, submit }[isSolved ? "name" : place];
      target.current?.focus();
    });
  }, []);
  return { chooser, problems, name, submit, focus };
}
