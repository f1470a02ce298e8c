import { IconFilter } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { useKeys } from "../../shared/keyboard.ts";
import { lazyPart } from "../../shared/lazy-part.ts";
import { PartBoundary } from "../../shared/part-boundary.tsx";
import type { Cabinet } from "../use-cabinet.ts";
import type { Home } from "../use-home.ts";
import styles from "./toolbar.module.css";

const FilterPopover = lazyPart(async () => (await import("./filter-popover.tsx")).FilterPopover);

interface FilterButtonProps {
  home: Home;
  cabinet: Cabinet;
  isOrganization: boolean;
}

/** Opens a list of all filters, which typing narrows down. */
export function FilterButton(props: FilterButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [anchor, setAnchor] = useState<Element>();
  const [isOpen, setOpen] = useState(false);
  const open = () => {
    setAnchor(button.current ?? undefined);
    setOpen(true);
  };
  useKeys({ f: open });
  return (
    <>
      <button
        ref={button}
        type="button"
        className={styles.button}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-keyshortcuts="f"
        data-expanded={isOpen || undefined}
        onClick={() => (isOpen ? setOpen(false) : open())}
      >
        <IconFilter size={16} aria-hidden />
        Filter
      </button>
      {anchor !== undefined && (
        <PartBoundary onDismiss={() => setOpen(false)}>
          <FilterPopover {...props} anchor={anchor} isOpen={isOpen} onClose={() => setOpen(false)} />
        </PartBoundary>
      )}
    </>
  );
}
