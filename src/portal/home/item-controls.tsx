import { IconDots } from "@tabler/icons-react";
import { Link } from "../shared/link.tsx";
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

export const TitleLink = ({ item, itemKey }: KeyedProps) => (
  <Link
    to="/r/$reference"
    params={{ reference: itemKey }}
    tabIndex={-1}
    draggable={false}
    className={styles.title}
    title={item.title}
  >
    {item.title}
  </Link>
);

export const MenuButton = ({ item, className }: ControlProps) => (
  <button
    type="button"
    tabIndex={-1}
    className={`${styles.menu} ${className}`}
    aria-haspopup="menu"
    aria-label={`Actions for ${item.title}`}
    onClick={(event) => openMenuOf(event.currentTarget)}
  >
    <IconDots size={18} aria-hidden />
  </button>
);
