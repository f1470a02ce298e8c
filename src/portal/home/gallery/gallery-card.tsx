import { memo, useEffect, useRef, useState } from "react";
import { Time } from "../../shared/time.tsx";
import { VisibilityMark } from "../../shared/visibility.tsx";
import { MenuButton, SelectBox, TitleLink } from "../item-controls.tsx";
import { Part } from "../part.tsx";
import type { SelectionActions } from "../selection/use-selection.ts";
import type { Item } from "../slots.ts";
import { useDraggable } from "../use-draggable.ts";
import styles from "./gallery.module.css";
import type { Frames } from "./use-frames.ts";

/** Viewport of a report in a thumbnail, in pixels. */
const FRAME_WIDTH = 1280;
const FRAME_HEIGHT = 800;

interface CardProps {
  item: Item;
  itemKey: string;
  column: number;
  width: number;
  folder: string | undefined;
  isSelected: boolean;
  isActive: boolean;
  isByCreation: boolean;
  /** The frame's address; undefined without a frame. */
  frameSource: string | undefined;
  observe: Frames["observe"];
  actions: SelectionActions;
  draggedWith(key: string): readonly Item[];
}

/** A report in the gallery. */
export const GalleryCard = memo(function GalleryCard(props: CardProps) {
  const { item, itemKey, column, width, folder, isSelected, isActive, frameSource, observe, actions } = props;
  const card = useRef<HTMLDivElement>(null);
  useDraggable(card, itemKey, props.draggedWith);
  // biome-ignore lint/correctness/useExhaustiveDependencies: visibility decides the frame's address
  useEffect(
    () => (card.current === null ? undefined : observe(card.current, item.code)),
    [observe, item.code, item.visibility],
  );
  return (
    <Part
      ref={card}
      role="gridcell"
      aria-colindex={column + 1}
      aria-selected={isSelected}
      data-key={itemKey}
      tabIndex={isActive ? 0 : -1}
      className={styles.card}
    >
      <div className={styles.thumbnail} aria-hidden>
        {frameSource === undefined ? (
          <span className={styles.initial}>{[...item.title][0]?.toLocaleUpperCase()}</span>
        ) : (
          <Thumbnail source={frameSource} scale={width / FRAME_WIDTH} />
        )}
      </div>
      <SelectBox {...{ item, itemKey, isSelected, actions }} className={styles.check} />
      <div className={styles.caption}>
        <div className={styles.text}>
          <TitleLink item={item} itemKey={itemKey} />
          <div className={styles.facts}>
            <VisibilityMark item={item} />
            <span className={styles.folder}>{folder}</span>
            <span className={styles.time}>
              <Time at={props.isByCreation ? item.created_at : item.updated_at} />
            </span>
          </div>
        </div>
        <MenuButton item={item} className={styles.menu} />
      </div>
    </Part>
  );
});

/** A scaled-down live preview that can't be interacted with. */
function Thumbnail({ source, scale }: { source: string; scale: number }) {
  // Another address for the same report would reload it.
  const [src] = useState(source);
  return (
    <iframe
      src={src}
      title="Preview"
      sandbox="allow-scripts"
      inert
      aria-hidden
      tabIndex={-1}
      className={styles.frame}
      style={{ width: FRAME_WIDTH, height: FRAME_HEIGHT, transform: `scale(${scale})` }}
    />
  );
}

export const WaitingCard = () => (
  <div aria-hidden className={`${styles.card} ${styles.waiting}`}>
    <div className={styles.thumbnail} />
  </div>
);
