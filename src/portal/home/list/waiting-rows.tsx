import { Button, Group, Text } from "@mantine/core";
import { messageOf } from "../../shared/states.tsx";
import { Part } from "../part.tsx";
import styles from "./list.module.css";

interface WaitingRowProps {
  top: number;
  height: number;
  error: Error | null;
  onRetry(): void;
}

/** Placeholder for a report of the next page, or the error that prevents it. */
export function WaitingRow({ top, height, error, onRetry }: WaitingRowProps) {
  const style = { transform: `translateY(${top}px)`, height };
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
  <Group gap="sm" mih={44} px="sm" wrap="nowrap" role="alert">
    <Text size="sm" truncate>
      Couldn't load more reports. {messageOf(error)}
    </Text>
    <Button size="compact-sm" variant="light" onClick={onRetry} style={{ flex: "none" }}>
      Try again
    </Button>
  </Group>
);

const RowSkeleton = ({ style }: { style: { transform?: string; height: number } }) => (
  <div aria-hidden data-waiting className={styles.row} style={style}>
    <span />
    <span className={`${styles.bone} ${styles.columnTitle}`} style={{ width: "70%" }} />
    <span className={`${styles.bone} ${styles.columnName}`} style={{ width: "60%" }} />
    <span className={`${styles.bone} ${styles.columnVisibility}`} style={{ width: 64 }} />
    <span className={`${styles.bone} ${styles.columnFolder}`} style={{ width: "50%" }} />
    <span className={`${styles.bone} ${styles.columnTags}`} style={{ width: "40%" }} />
    <span className={`${styles.bone} ${styles.columnVersions}`} style={{ width: 24 }} />
    <span className={`${styles.bone} ${styles.columnUpdated}`} style={{ width: 72 }} />
  </div>
);

const LINES = 14;

/** Placeholder for the list, of about the same height. */
export function WaitingList({ isCompact }: { isCompact: boolean }) {
  const height = isCompact ? 60 : 44;
  return (
    <div
      role="status"
      aria-label="Loading reports"
      aria-busy
      className={styles.grid}
      data-compact={isCompact || undefined}
    >
      <div className={styles.head} />
      <div className={styles.body} style={{ height: LINES * height }}>
        {Array.from({ length: LINES }, (_, line) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows are identical
          <RowSkeleton key={line} style={{ transform: `translateY(${line * height}px)`, height }} />
        ))}
      </div>
    </div>
  );
}
