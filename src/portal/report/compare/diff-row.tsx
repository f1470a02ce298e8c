import { UnstyledButton, VisuallyHidden } from "@mantine/core";
import { IconArrowsVertical } from "@tabler/icons-react";
import { memo } from "react";
import { describeCount, describeNumber } from "../../shared/amounts.ts";
import classes from "./diff.module.css";
import type { FoldRow, LineRow } from "./diff-rows.ts";
import { piecesOf } from "./line-pieces.ts";

interface DiffRowProps {
  row: LineRow | FoldRow;
  onOpen(id: number): void;
}

export function DiffRow({ row, onOpen }: DiffRowProps) {
  if (row.kind !== "fold") return <Line row={row} />;
  return (
    <div className={classes.fold}>
      <UnstyledButton onClick={() => onOpen(row.id)} className={classes.unfold}>
        <IconArrowsVertical size={14} aria-hidden /> Show {describeCount(row.count, "line")}
      </UnstyledButton>
    </div>
  );
}

const SIGNS = { same: " ", added: "+", removed: "−" };
const WORDS = { same: "", added: "Added: ", removed: "Removed: " };

function Line({ row: { kind, oldNumber, newNumber, text, counterpart } }: { row: LineRow }) {
  return (
    <div className={classes.line} data-kind={kind}>
      <span className={classes.number}>{oldNumber}</span>
      <span className={classes.number}>{newNumber}</span>
      <span className={classes.text}>
        <span aria-hidden className={classes.sign}>
          {SIGNS[kind]}
        </span>
        <VisuallyHidden>{WORDS[kind]}</VisuallyHidden>
        <Pieces text={text} counterpart={counterpart} />
      </span>
    </div>
  );
}

/** Memoized, because a file can be one very long line. */
const Pieces = memo(function Pieces({ text, counterpart }: { text: string; counterpart: string | undefined }) {
  const { skippedBefore, skippedAfter, before, different, after } = piecesOf(text, counterpart);
  return (
    <>
      <Skipped count={skippedBefore} />
      {before}
      {different !== "" && <mark className={classes.different}>{different}</mark>}
      {after}
      <Skipped count={skippedAfter} />
    </>
  );
});

const Skipped = ({ count }: { count: number }) =>
  count > 0 && <span className={classes.skipped}>… {describeNumber(count)} more characters …</span>;
