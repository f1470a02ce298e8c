import { ActionIcon, Group, Text, Tooltip } from "@mantine/core";
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useMemo, useRef, useState } from "react";
import type { Comparison } from "../../../html/changes/compare-lines.ts";
import { describeCount, describeNumber } from "../../shared/amounts.ts";
import { useKeys } from "../../shared/keyboard.ts";
import classes from "./diff.module.css";
import { DiffRow } from "./diff-row.tsx";
import { createRows, type Rows } from "./diff-rows.ts";

const ROW_HEIGHT = 20;

interface DiffViewProps {
  comparison: Comparison;
  path: string;
}

/** The changed lines of a file. */
export function DiffView({ comparison, path }: DiffViewProps) {
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const rows = useMemo(() => createRows(comparison, opened), [comparison, opened]);
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
  });
  return (
    <div className={classes.diff}>
      <DiffBar comparison={comparison} rows={rows} onShow={(row) => virtual.scrollToIndex(row, { align: "center" })} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content needs keyboard focus */}
      <section ref={scroller} className={classes.scroller} tabIndex={0} aria-label={`Changes in ${path}`}>
        <ol className={classes.rows} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, key, start }) => (
            <li
              key={key}
              data-index={index}
              ref={virtual.measureElement}
              aria-posinset={index + 1}
              aria-setsize={rows.count}
              className={classes.row}
              style={{ transform: `translateY(${start}px)` }}
            >
              <DiffRow
                row={rows.at(index)}
                onOpen={(id) => {
                  setOpened(new Set([...opened, id]));
                  scroller.current?.focus({ preventScroll: true });
                }}
              />
            </li>
          ))}
        </ol>
      </section>
    </div>
  );
}

interface DiffBarProps {
  comparison: Comparison;
  rows: Rows;
  onShow(row: number): void;
}

function DiffBar({ comparison, rows, onShow }: DiffBarProps) {
  const { changes } = rows;
  const [at, setAt] = useState<number>();
  const show = (change: number) => {
    const row = changes[change];
    if (row === undefined) return;
    setAt(change);
    onShow(row);
  };
  const showPrevious = () => show(Math.max((at ?? 0) - 1, 0));
  const showNext = () => show(at === undefined ? 0 : Math.min(at + 1, changes.length - 1));
  useKeys({ n: showNext, p: showPrevious });
  const count = (kind: "added" | "removed") =>
    comparison.stretches.reduce((sum, stretch) => sum + (stretch.kind === kind ? stretch.count : 0), 0);
  return (
    <Group gap="xs" justify="space-between" className={classes.diffBar}>
      <Text size="sm">
        <b className={classes.plus}>+{describeNumber(count("added"))}</b>{" "}
        <b className={classes.minus}>−{describeNumber(count("removed"))}</b>{" "}
        <span aria-live="polite">
          {at === undefined ? describeCount(changes.length, "change") : `Change ${at + 1} of ${changes.length}`}
        </span>
      </Text>
      <Group gap={4} wrap="nowrap">
        <ChangeButton label="Previous change" shortcut="p" icon={<IconArrowUp size={16} />} onClick={showPrevious} />
        <ChangeButton label="Next change" shortcut="n" icon={<IconArrowDown size={16} />} onClick={showNext} />
      </Group>
    </Group>
  );
}

interface ChangeButtonProps {
  label: string;
  shortcut: string;
  icon: ReactNode;
  onClick(): void;
}

const ChangeButton = ({ label, shortcut, icon, onClick }: ChangeButtonProps) => (
  <Tooltip label={`${label} (${shortcut.toUpperCase()})`}>
    <ActionIcon variant="default" size={28} onClick={onClick} aria-label={label} aria-keyshortcuts={shortcut}>
      {icon}
    </ActionIcon>
  </Tooltip>
);
