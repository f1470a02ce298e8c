import { ActionIcon, Button, Paper, Text, VisuallyHidden } from "@mantine/core";
import { IconFolder, IconTag, IconTrash, IconUserPlus, IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { describeNumber } from "../../shared/amounts.ts";
import styles from "./bulk-bar.module.css";
import { SELECTION_LIMIT } from "./selection.ts";
import type { DialogKind } from "./use-dialog.ts";

interface BulkBarProps {
  count: number;
  isOver: boolean;
  onDialog(kind: DialogKind): void;
  onDelete(): void;
  onClear(): void;
}

/** Actions for the selected reports. */
export function BulkBar({ count, isOver, onDialog, onDelete, onClear }: BulkBarProps) {
  return (
    <Paper
      shadow="md"
      withBorder
      radius="md"
      className={styles.bar}
      component="section"
      aria-label="Selected reports"
      data-bulk
    >
      {isOver && (
        <Text size="sm" px="xs" pt={4} role="alert">
          You can select up to {SELECTION_LIMIT} reports at a time.
        </Text>
      )}
      <div className={styles.actions}>
        <Text size="sm" fw={500} px="xs" role="status" className={styles.count}>
          {describeNumber(count)} selected
        </Text>
        <BarButton icon={<IconFolder size={16} />} onClick={() => onDialog("folder")} label="Move" rest=" to folder…" />
        <BarButton icon={<IconTag size={16} />} onClick={() => onDialog("tags")} label="Tags" rest="…" />
        <BarButton icon={<IconUserPlus size={16} />} onClick={() => onDialog("share")} label="Share" rest="…" />
        <BarButton icon={<IconTrash size={16} />} onClick={onDelete} label="Delete" />
        <ActionIcon variant="subtle" color="gray" size={36} onClick={onClear} className={styles.clear}>
          <IconX size={16} aria-hidden />
          <VisuallyHidden>Clear selection</VisuallyHidden>
        </ActionIcon>
      </div>
    </Paper>
  );
}

const faces = { root: styles.button ?? "", label: styles.buttonLabel ?? "" };

interface BarButtonProps {
  icon: ReactNode;
  label: string;
  /** Rest of the label, on wide screens. */
  rest?: string;
  onClick(): void;
}

const BarButton = ({ icon, label, rest, onClick }: BarButtonProps) => (
  <Button variant="subtle" color="gray" size="sm" px="xs" onClick={onClick} classNames={faces}>
    <span className={styles.icon} aria-hidden>
      {icon}
    </span>
    <span>
      {label}
      {rest !== undefined && <span className={styles.rest}>{rest}</span>}
    </span>
  </Button>
);
