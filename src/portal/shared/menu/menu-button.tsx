import { type ComponentProps, type ReactNode, useRef, useState } from "react";
import { LazyMenu, loadMenu } from "./lazy-menu.tsx";
import type { MenuFrameProps } from "./menu-frame.tsx";

interface MenuButtonProps
  extends Omit<ComponentProps<"button">, "children" | "onClick" | "type">,
    Pick<MenuFrameProps, "position" | "width"> {
  face: ReactNode;
  /** A `Menu.Dropdown` with its items, best loaded lazily too. */
  children: ReactNode;
  /** Called after the menu has closed. */
  onClosed?: () => void;
}

/** A button that opens a menu, of which nothing is loaded before. */
export function MenuButton({ face, children, position, width, onClosed, ...props }: MenuButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [anchor, setAnchor] = useState<Element>();
  const [isOpen, setOpen] = useState(false);
  const close = () => {
    setOpen(false);
    onClosed?.();
  };
  const toggle = () => {
    setAnchor(button.current ?? undefined);
    if (isOpen) close();
    else setOpen(true);
  };
  return (
    <>
      <button
        {...props}
        ref={button}
        type="button"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        data-expanded={isOpen || undefined}
        onClick={toggle}
        onPointerEnter={() => void loadMenu().catch(() => undefined)}
      >
        {face}
      </button>
      {anchor !== undefined && (
        <LazyMenu
          anchor={anchor}
          isOpen={isOpen}
          onClose={close}
          returnsFocus={onClosed === undefined}
          {...(position === undefined ? {} : { position })}
          {...(width === undefined ? {} : { width })}
        >
          {children}
        </LazyMenu>
      )}
    </>
  );
}
