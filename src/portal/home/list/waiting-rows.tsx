import { messageOf } from "../../shared/errors.ts";
import { RetryButton } from "../../shared/retry-button.tsx";
import { Part } from "../part.tsx";
import { COLUMN_IDS, fittingColumns, templateOf, useListWidth } from "./columns.ts";
import styles from "./list.module.css";

interface WaitingRowProps {
  top: number;
  height: number;
  error: Error | null;
  onRetry(): void;
}

/** Placeholder for a report of the next page, or the error that prevents it. */
export function WaitingRow({ top, height, error, onRetry }: WaitingRowProps) {
  const style = { top, height };
  if (error === null) return <RowSkeleton style={style} />;
  return (
    <Part role="row" data-waiting className={styles.row} style={{ ...style, display: "block" }}>
      <Part role="gridcell">
        <MoreFailed error={error} onRetry={onRetry} />
      </Part>
    </Part>
  );
}

/** The error of loading the next page. */
export const MoreFailed = ({ error, onRetry }: { error: Error; onRetry(): void }) => (
  <div role="alert" className={styles.failed}>
    <span>Couldn't load more reports. {messageOf(error)}</span>
    <RetryButton onRetry={onRetry} />
  </div>
);

const RowSkeleton = ({ style }: { style: { top: number; height: number } }) => (
  <div aria-hidden data-waiting className={styles.row} style={style}>
    <span />
    <span className={`${styles.bone} ${styles.title}`} style={{ width: "42%" }} />
  </div>
);

const LINES = 14;

/** Placeholder for the list, of about the same height. */
export function WaitingList({ isCompact }: { isCompact: boolean }) {
  const height = isCompact ? 60 : 44;
  const width = useListWidth();
  const template: Record<`--${string}`, string> = { "--columns": templateOf(fittingColumns(COLUMN_IDS, width)) };
  return (
    <div
      role="status"
      aria-label="Loading reports"
      aria-busy
      className={styles.grid}
      data-compact={isCompact || undefined}
      style={template}
    >
      <div className={styles.head} />
      <div className={styles.body} style={{ height: LINES * height }}>
        {Array.from({ length: LINES }, (_, line) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows are identical
          <RowSkeleton key={line} style={{ top: line * height, height }} />
        ))}
      </div>
    </div>
  );
}
