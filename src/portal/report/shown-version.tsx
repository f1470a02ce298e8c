import { Button } from "@mantine/core";
import { IconEyeOff } from "@tabler/icons-react";
import { ErrorState, isMissing, Notice } from "../shared/states.tsx";
import { useReportAddress } from "./address.ts";
import type { Item } from "./types.ts";

/** Returns the selected version's code; by default the current one's. */
export function useShownCode(item: Item): string {
  return useReportAddress().search.version ?? item.code;
}

/** Shown in place of a version that can't be loaded. */
export function NoVersion({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { search, go } = useReportAddress();
  if (!isMissing(error) || search.version === undefined) return <ErrorState error={error} onRetry={onRetry} />;
  return (
    <Notice
      icon={<IconEyeOff />}
      title="This version isn't available"
      action={<Button onClick={() => go({ version: undefined })}>Show current version</Button>}
    >
      It was deleted or isn't shared with you.
    </Notice>
  );
}
