import { Box, Button, Group, Text } from "@mantine/core";
import { useEffect, useRef } from "react";
import { ErrorState, SkeletonLines } from "../../shared/states.tsx";
import classes from "../report.module.css";
import type { Item } from "../types.ts";
import { useVersions } from "./use-versions.ts";
import { VersionRow } from "./version-row.tsx";

/** Lists the versions the user can see, newest first. */
export function VersionsTab({ item }: { item: Item }) {
  const { versions, error, isPending, retry, hasMore, isFetchingMore, showMore } = useVersions(item);
  const list = useRef<HTMLOListElement>(null);
  const next = useNextFocus(list, versions.length, hasMore);
  if (isPending) return <SkeletonLines lines={6} height={48} />;
  if (error !== null && versions.length === 0) return <ErrorState error={error} onRetry={retry} />;
  return (
    <Box>
      <ol className={classes.timeline} ref={list} reversed>
        {versions.map((version, index) => (
          <VersionRow
            key={version.code}
            item={item}
            version={version}
            hasBefore={hasMore || index < versions.length - 1}
            isOnly={versions.length === 1 && !hasMore}
          />
        ))}
      </ol>
      {hasMore && (
        <Group justify="center" mt="md">
          <Button
            variant="default"
            aria-disabled={isFetchingMore}
            onClick={() => {
              next.remember();
              showMore();
            }}
          >
            {isFetchingMore ? "Loading…" : "Show more versions"}
          </Button>
        </Group>
      )}
      {!hasMore && versions.length > 1 && (
        <Text size="sm" c="dimmed" ta="center" mt="md">
          End of list
        </Text>
      )}
    </Box>
  );
}

/** After the last page the button is gone, so the focus moves to the first new version. */
function useNextFocus(list: { current: HTMLElement | null }, count: number, hasMore: boolean) {
  const from = useRef<number>(undefined);
  useEffect(() => {
    if (from.current === undefined || count <= from.current) return;
    const first = list.current?.children.item(from.current);
    from.current = undefined;
    if (!hasMore && first instanceof HTMLElement) first.querySelector("button")?.focus();
  }, [count, hasMore, list]);
  return {
    remember: () => {
      from.current = count;
    },
  };
}
