import { IconDots, IconStar, IconStarFilled } from "@tabler/icons-react";
import { useTargets } from "../shared/fast-link.tsx";
import styles from "./item-controls.module.css";
import { openMenuOf, selectByBox } from "./selection/row-events.ts";
import type { SelectionActions } from "./selection/use-selection.ts";
import type { Item } from "./slots.ts";

interface ControlProps {
  item: Pick<Item, "title">;
  /** Size and position, which differ between list and gallery. */
  className?: string | undefined;
}

interface KeyedProps extends ControlProps {
  itemKey: string;
}

interface SelectBoxProps extends KeyedProps {
  isSelected: boolean;
  actions: SelectionActions;
}

/** These controls aren't tab stops: keys work on the row or card. */
export const SelectBox = ({ item, itemKey, isSelected, actions, className }: SelectBoxProps) => (
  <label className={`${styles.check} ${className}`}>
    <input
      type="checkbox"
      tabIndex={-1}
      aria-label={`Select ${item.title}`}
      checked={isSelected}
      onChange={(event) => selectByBox(event.nativeEvent, itemKey, actions)}
    />
  </label>
);

/** The list or gallery follows the link. */
export function TitleLink({ item, itemKey }: KeyedProps) {
  const { hrefOf } = useTargets();
  return (
    <a
      href={hrefOf({ to: "/r/$reference", reference: itemKey })}
      tabIndex={-1}
      draggable={false}
      dir="auto"
      className={styles.title}
      title={item.title}
    >
      {item.title}
    </a>
  );
}

const dots = <IconDots size={18} aria-hidden />;
const star = <IconStar size={16} aria-hidden />;
const filledStar = <IconStarFilled size={16} aria-hidden />;

export const MenuButton = ({ item, className }: ControlProps) => (
  <button
    type="button"
    tabIndex={-1}
    className={`${styles.menu} ${className}`}
    aria-haspopup="menu"
    aria-label={`Actions for ${item.title}`}
    onClick={(event) => openMenuOf(event.currentTarget)}
  >
    {dots}
  </button>
);

interface StarProps extends ControlProps {
  isStarred: boolean;
  onToggle(): void;
}

export const StarButton = ({ item, isStarred, onToggle, className }: StarProps) => (
  <button
    type="button"
    tabIndex={-1}
    className={`${styles.star} ${className}`}
    aria-label={`Star ${item.title}`}
    aria-pressed={isStarred}
    title={isStarred ? "Remove from starred" : "Add to starred"}
    onClick={onToggle}
  >
    {isStarred ? filledStar : star}
  </button>
);
