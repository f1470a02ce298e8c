import { type DependencyList, useEffect } from "react";
import { loadPart } from "./missing-part.ts";
import { useSettled } from "./settled.tsx";

type Library = typeof import("./drag-and-drop.ts");

/** Connects an element to the drag-and-drop library once that is loaded. `connect` returns a function that undoes it. */
export function useDragAndDrop(connect: (library: Library) => (() => void) | undefined, dependencies: DependencyList) {
  const settled = useSettled();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caller knows what `connect` uses
  useEffect(() => {
    let isGone = false;
    let stop: (() => void) | undefined;
    settled
      .then(() => loadPart(import("./drag-and-drop.ts")))
      .then(
        (library) => {
          if (!isGone) stop = connect(library);
        },
        // Menus do the same.
        () => undefined,
      );
    return () => {
      isGone = true;
      stop?.();
    };
  }, [settled, ...dependencies]);
}
