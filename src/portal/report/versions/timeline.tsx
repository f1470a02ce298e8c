import { Button } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { describeCount } from "../../shared/amounts.ts";
import { ErrorState, SkeletonLines } from "../../shared/states.tsx";
import { useShownCode } from "../shown-version.tsx";
import type { Item } from "../types.ts";
import { useVersions } from "./use-versions.ts";
import { VersionEntry } from "./version-entry.tsx";
import classes from "./versions.module.css";

/** Versions listed at first, so that the rest of the panel stays near; more if the current or the shown one is older. */
const FIRST = 5;
/** Pixels of most versions, so that nothing below moves when they appear. */
const ENTRY_HEIGHT = 70;

/** Lists the versions the user can see, newest first. */
export function Timeline({ item }: { item: Item }) {
  const { versions, error, isPending, retry, hasMore, isFetchingMore, showMore } = useVersions(item);
  const [isWhole, setWhole] = useState(false);
  const list = useRef<HTMLOListElement>(null);
  const marked = [item.code, useShownCode(item)];
  const last = versions.findLastIndex(({ code }) => marked.includes(code));
  const shown = isWhole ? versions : versions.slice(0, Math.max(FIRST, last + 1));
  const next = useNextFocus(list, shown.length);
  if (isPending) return <SkeletonLines lines={Math.min(item.version_count, FIRST)} height={ENTRY_HEIGHT} />;
  if (error !== null && versions.length === 0) return <ErrorState error={error} onRetry={retry} />;
  const hidden = item.version_count - shown.length;
  const isMore = shown.length < versions.length || hasMore;
  return (
    <>
      <ol className={classes.timeline} ref={list} reversed>
        {shown.map((version, index) => (
          <VersionEntry
            key={version.code}
            item={item}
            version={version}
            before={versions[index + 1]}
            isOnly={versions.length === 1 && !hasMore}
          />
        ))}
      </ol>
      {isMore && (
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          ml={20}
          aria-disabled={isFetchingMore}
          onClick={() => {
            next.remember();
            if (isWhole) showMore();
            else setWhole(true);
          }}
        >
          {isFetchingMore ? "Loading…" : `Show ${hidden > 0 ? describeCount(hidden, "older version") : "more"}`}
        </Button>
      )}
    </>
  );
}

/** The button may be gone afterwards, so the focus moves to the first new version. */
function useNextFocus(list: { current: HTMLElement | null }, count: number) {
  const from = useRef<number>(undefined);
  useEffect(() => {
    if (from.current === undefined || count <= from.current) return;
    const first = list.current?.children.item(from.current);
    from.current = undefined;
    if (first instanceof HTMLElement) first.querySelector("a")?.focus();
  }, [count, list]);
  return {
    remember: () => {
      from.current = count;
    },
  };
}
