import type { RefObject } from "react";
import { referenceOf } from "../api/references.ts";
import { describeCount } from "../shared/amounts.ts";
import { dragData } from "../shared/drag.ts";
import { useDragAndDrop } from "../shared/use-drag-and-drop.ts";
import styles from "./list/list.module.css";
import { type Item, keyOf } from "./slots.ts";

/** Makes an item draggable, together with the selection that contains it. */
export function useDraggable(
  ref: RefObject<HTMLElement | null>,
  key: string,
  draggedWith: (key: string) => readonly Item[],
): void {
  useDragAndDrop(
    ({ draggable, setCustomNativeDragPreview }) => {
      if (ref.current === null) return undefined;
      return draggable({
        element: ref.current,
        getInitialData: () =>
          dragData({ kind: "items", items: draggedWith(key).map((item) => referenceOf(keyOf(item))) }),
        onGenerateDragPreview: ({ nativeSetDragImage }) =>
          setCustomNativeDragPreview({
            nativeSetDragImage,
            render: ({ container }) => {
              const preview = document.createElement("div");
              preview.className = styles.preview ?? "";
              preview.textContent = previewText(draggedWith(key));
              container.append(preview);
            },
          }),
      });
    },
    [ref, key, draggedWith],
  );
}

const previewText = (items: readonly Item[]): string => {
  const [first] = items;
  return items.length === 1 && first !== undefined ? first.title.slice(0, 60) : describeCount(items.length, "report");
};
