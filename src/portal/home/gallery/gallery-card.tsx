import { memo, useRef } from "react";
import { Time } from "../../shared/time.tsx";
import { VisibilityMark } from "../../shared/visibility.tsx";
import { MenuButton, SelectBox, TitleLink } from "../item-controls.tsx";
import { Part } from "../part.tsx";
import type { SelectionActions } from "../selection/use-selection.ts";
import type { Item } from "../slots.ts";
import { useDraggable } from "../use-draggable.ts";
import { CardPicture } from "./card-picture.tsx";
import styles from "./gallery.module.css";
import type { LiveFrame } from "./use-live-frame.ts";

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
  point: LiveFrame["point"];
  leave: LiveFrame["leave"];
  actions: SelectionActions;
  draggedWith(key: string): readonly Item[];
}

/** A report in the gallery. */
export const GalleryCard = memo(function GalleryCard(props: CardProps) {
  const { item, itemKey, column, width, folder, isSelected, isActive, frameSource, point, leave, actions } = props;
  const card = useRef<HTMLDivElement>(null);
  useDraggable(card, itemKey, props.draggedWith);
  return (
    <Part
      ref={card}
      role="gridcell"
      aria-colindex={column + 1}
      aria-selected={isSelected}
      data-key={itemKey}
      tabIndex={isActive ? 0 : -1}
      className={styles.card}
      onPointerEnter={({ pointerType }) => pointerType === "mouse" && point(item.code)}
      onPointerLeave={() => leave(item.code)}
      onFocus={() => point(item.code)}
      onBlur={() => leave(item.code)}
    >
      <CardPicture item={item} width={width} frameSource={frameSource} />
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

export const WaitingCard = () => (
  <div aria-hidden className={`${styles.card} ${styles.waiting}`}>
    <div className={styles.thumbnail} />
  </div>
);
