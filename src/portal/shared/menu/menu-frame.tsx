import { Menu, type MenuProps } from "@mantine/core";
import { type ReactNode, type Ref, useEffect, useLayoutEffect, useState } from "react";

/** An element, or a point on the screen. */
export type Anchor = Element | { getBoundingClientRect(): DOMRect; contextElement: Element };

export interface MenuFrameProps extends Pick<MenuProps, "position" | "width"> {
  anchor: Anchor;
  isOpen: boolean;
  onClose(): void;
  /** Whether the focus returns to where it was. */
  returnsFocus?: boolean;
  /** A `Menu.Dropdown`. */
  children: ReactNode;
}

/** A menu beside an element that is rendered elsewhere. */
export function MenuFrame({ anchor, isOpen, onClose, returnsFocus = true, children, ...rest }: MenuFrameProps) {
  // Opens after the first render, so that it records the focus to return.
  const [isShown, setShown] = useState(false);
  useEffect(() => setShown(isOpen), [isOpen]);
  return (
    <Menu
      opened={isShown}
      onChange={(opened) => !opened && onClose()}
      returnFocus={returnsFocus}
      // A point at the window's edge counts as hidden.
      hideDetached={anchor instanceof Element}
      {...rest}
    >
      <Menu.Target>
        <Target anchor={anchor} />
      </Menu.Target>
      {children}
    </Menu>
  );
}

interface TargetProps {
  anchor: Anchor;
  /** Set by the menu. */
  id?: string;
  ref?: Ref<Anchor>;
}

/** Tells a menu or popover its anchor. */
export function Target({ anchor, id, ref }: TargetProps) {
  useLayoutEffect(() => {
    // The menu takes its accessible name from the element with this id.
    if (anchor instanceof Element && anchor.id === "" && id !== undefined) anchor.id = id;
    if (typeof ref === "function") ref(anchor);
  }, [anchor, id, ref]);
  return null;
}
