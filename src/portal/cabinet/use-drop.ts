import { dropTargetForElements } from "@atlaskit/pragmatic-drag-and-drop/element/adapter";
import { type RefObject, useEffect, useEffectEvent, useState } from "react";
import { type Dragged, draggedOf } from "../shared/drag.ts";
import type { Outcome } from "./dropping.ts";

/** Milliseconds of hovering after which a collapsed entry expands. */
const HOVER_DELAY = 600;

export type Hover = "takes" | "refuses" | undefined;

interface Options {
  outcomeFor(dragged: Dragged): Outcome | undefined;
  onDrop(dragged: Dragged, outcome: Outcome): void;
  /** Called after hovering for a while. */
  onHover?: (() => void) | undefined;
}

/** Makes an element a drop target, and returns the effect of dropping what hovers over it. */
export function useDrop(element: RefObject<HTMLElement | null>, { outcomeFor, onDrop, onHover }: Options): Hover {
  const [hover, setHover] = useState<Hover>();
  const outcomeOfData = useEffectEvent((data: Record<string | symbol, unknown>) => {
    const dragged = draggedOf(data);
    const outcome = dragged && outcomeFor(dragged);
    return dragged && outcome && { dragged, outcome };
  });
  const drop = useEffectEvent(onDrop);
  const expand = useEffectEvent(() => onHover?.());
  useEffect(() => {
    if (element.current === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const leave = () => {
      clearTimeout(timer);
      setHover(undefined);
    };
    const stop = dropTargetForElements({
      element: element.current,
      canDrop: ({ source }) => outcomeOfData(source.data) !== undefined,
      getDropEffect: () => "move",
      onDragEnter: ({ source }) => {
        setHover(outcomeOfData(source.data)?.outcome.type === "refuse" ? "refuses" : "takes");
        timer = setTimeout(expand, HOVER_DELAY);
      },
      onDragLeave: leave,
      onDrop: ({ source }) => {
        leave();
        const found = outcomeOfData(source.data);
        if (found !== undefined) drop(found.dragged, found.outcome);
      },
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [element]);
  return hover;
}
