import { Popover } from "@mantine/core";
import type { ReactNode } from "react";

interface PickerPopoverProps {
  label: string;
  isOpen: boolean;
  onChange(isOpen: boolean): void;
  /** The button that opens it. */
  target: ReactNode;
  children: ReactNode;
}

/** A picker at the value that it changes. */
export const PickerPopover = ({ label, isOpen, onChange, target, children }: PickerPopoverProps) => (
  <Popover
    opened={isOpen}
    onChange={onChange}
    position="bottom-end"
    width={320}
    trapFocus
    returnFocus
    withinPortal
    withRoles={false}
  >
    <Popover.Target>{target}</Popover.Target>
    {/* It takes the focus itself while its content loads. */}
    <Popover.Dropdown role="dialog" aria-label={label} tabIndex={-1}>
      {children}
    </Popover.Dropdown>
  </Popover>
);
