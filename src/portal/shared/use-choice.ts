import { useState } from "react";

/**
 * Shows what the user has just chosen until `save` ends, which says itself if it fails. A call reports that it is
 * pending only after the event that started it; an input that shows what is stored would jump back until then.
 */
export function useChoice<T>(stored: T, save: (choice: T) => Promise<unknown>) {
  const [choices, setChoices] = useState<readonly T[]>([]);
  const end = () => setChoices(([, ...later]) => later);
  return {
    shown: choices.at(-1) ?? stored,
    choose(choice: T): void {
      setChoices((others) => [...others, choice]);
      save(choice).then(end, end);
    },
  };
}
