import { Button, Group, Stack, Text } from "@mantine/core";
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useMemo, useRef, useState } from "react";
import type { Comparison } from "../../../client/compare-texts.ts";
import { describeCount, describeNumber } from "../../shared/amounts.ts";
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
    <Stack gap="xs" miw={0}>
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
    </Stack>
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
  const count = (kind: "added" | "removed") =>
    comparison.stretches.reduce((sum, stretch) => sum + (stretch.kind === kind ? stretch.count : 0), 0);
  return (
    <Group gap="xs" justify="space-between">
      <Text size="sm">
        <b className={classes.plus}>+{describeNumber(count("added"))}</b>{" "}
        <b className={classes.minus}>−{describeNumber(count("removed"))}</b>{" "}
        <span aria-live="polite">
          {at === undefined ? describeCount(changes.length, "change") : `Change ${at + 1} of ${changes.length}`}
        </span>
      </Text>
      <Group gap="xs">
        <Button
          variant="default"
          leftSection={<IconArrowUp size={16} aria-hidden />}
          onClick={() => show(Math.max((at ?? 0) - 1, 0))}
        >
          Previous change
        </Button>
        <Button
          variant="default"
          leftSection={<IconArrowDown size={16} aria-hidden />}
          onClick={() => show(at === undefined ? 0 : Math.min(at + 1, changes.length - 1))}
        >
          Next change
        </Button>
      </Group>
    </Group>
  );
}
