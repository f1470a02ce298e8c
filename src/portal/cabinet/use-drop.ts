import { type RefObject, useRef, useState } from "react";
import { type Dragged, draggedOf } from "../shared/drag.ts";
import { useDragAndDrop } from "../shared/use-drag-and-drop.ts";
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
export function useDrop(element: RefObject<HTMLElement | null>, options: Options): Hover {
  const [hover, setHover] = useState<Hover>();
  const latest = useRef(options);
  latest.current = options;
  useDragAndDrop(
    ({ dropTargetForElements }) => {
      if (element.current === null) return undefined;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const leave = () => {
        clearTimeout(timer);
        setHover(undefined);
      };
      const outcomeOfData = (data: Record<string | symbol, unknown>) => {
        const dragged = draggedOf(data);
        const outcome = dragged && latest.current.outcomeFor(dragged);
        return dragged && outcome && { dragged, outcome };
      };
      const stop = dropTargetForElements({
        element: element.current,
        canDrop: ({ source }) => outcomeOfData(source.data) !== undefined,
        getDropEffect: () => "move",
        onDragEnter: ({ source }) => {
          setHover(outcomeOfData(source.data)?.outcome.type === "refuse" ? "refuses" : "takes");
          timer = setTimeout(() => latest.current.onHover?.(), HOVER_DELAY);
        },
        onDragLeave: leave,
        onDrop: ({ source }) => {
          leave();
          const found = outcomeOfData(source.data);
          if (found !== undefined) latest.current.onDrop(found.dragged, found.outcome);
        },
      });
      return () => {
        clearTimeout(timer);
        stop();
      };
    },
    [element],
  );
  return hover;
}
