import { dropTargetForElements } from "@atlaskit/pragmatic-drag-and-drop/element/adapter";
import { type RefObject, useEffect, useEffectEvent, useState } from "react";
import { type Dragged, draggedOf } from "../shared/drag.ts";
import type { Outcome } from "./dropping.ts";

/** Milliseconds over something closed after which it opens. */
const LINGER = 600;

export type Hover = "takes" | "refuses" | undefined;

interface Options {
  foresee(dragged: Dragged): Outcome | undefined;
  onDrop(dragged: Dragged, outcome: Outcome): void;
  /** What is dragged has stayed for a while, as over a door to be opened. */
  onLinger?: (() => void) | undefined;
}

/** Makes an element a place to drop things; tells what would come of what is held over it. */
export function useDrop(element: RefObject<HTMLElement | null>, { foresee, onDrop, onLinger }: Options): Hover {
  const [hover, setHover] = useState<Hover>();
  const foreseeData = useEffectEvent((data: Record<string | symbol, unknown>) => {
    const dragged = draggedOf(data);
    const outcome = dragged && foresee(dragged);
    return dragged && outcome && { dragged, outcome };
  });
  const drop = useEffectEvent(onDrop);
  const linger = useEffectEvent(() => onLinger?.());
  useEffect(() => {
    if (element.current === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const leave = () => {
      clearTimeout(timer);
      setHover(undefined);
    };
    const stop = dropTargetForElements({
      element: element.current,
      canDrop: ({ source }) => foreseeData(source.data) !== undefined,
      getDropEffect: () => "move",
      onDragEnter: ({ source }) => {
        setHover(foreseeData(source.data)?.outcome.type === "refuse" ? "refuses" : "takes");
        timer = setTimeout(linger, LINGER);
      },
      onDragLeave: leave,
      onDrop: ({ source }) => {
        leave();
        const foreseen = foreseeData(source.data);
        if (foreseen !== undefined) drop(foreseen.dragged, foreseen.outcome);
      },
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [element]);
  return hover;
}
