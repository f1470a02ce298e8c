import { dropTargetForElements } from "@atlaskit/pragmatic-drag-and-drop/element/adapter";
import { type RefObject, useEffect, useEffectEvent, useState } from "react";
import { type Dragged, draggedOf } from "../shared/drag.ts";
import type { Outcome } from "./dropping.ts";

/** Milliseconds of hovering after which a collapsed entry expands. */
const LINGER = 600;

export type Hover = "takes" | "refuses" | undefined;

interface Options {
  foresee(dragged: Dragged): Outcome | undefined;
  onDrop(dragged: Dragged, outcome: Outcome): void;
  /** Called after hovering for a while. */
  onLinger?: (() => void) | undefined;
}

/** Makes an element a drop target, and returns the effect of dropping what hovers over it. */
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
