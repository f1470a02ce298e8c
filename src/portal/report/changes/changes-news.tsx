import { Button } from "@mantine/core";
import { IconDelta } from "@tabler/icons-react";
import { Strip } from "../strip.tsx";
import type { Changes } from "./use-changes.ts";

/** Says what changed, and offers to show it in the report. */
export function ChangesNews({ changes: { news, show, close } }: { changes: Changes }) {
  if (news === undefined) return null;
  return (
    <Strip
      icon={<IconDelta size={16} aria-hidden />}
      actions={
        <>
          <Button variant="subtle" size="compact-sm" onClick={show} aria-keyshortcuts="j" title="Show changes (J)">
            Show changes
          </Button>
          <Button variant="subtle" color="gray" size="compact-sm" onClick={close}>
            Dismiss
          </Button>
        </>
      }
    >
      {news.text}
    </Strip>
  );
}
