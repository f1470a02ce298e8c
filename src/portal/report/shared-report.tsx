import { Button } from "@mantine/core";
import { IconExternalLink, IconUserShare } from "@tabler/icons-react";
import { useEffect } from "react";
import { Notice } from "../shared/states.tsx";
import { useReportAddress } from "./address.ts";
import type { Item } from "./types.ts";

/** A report of another workspace that is shared with the user. The page of its link shows the thread that the address names. */
export function SharedReport({ item }: { item: Item }) {
  const { thread } = useReportAddress().search;
  const url = item.live_url ?? item.url;
  // The links of public reports have no comments.
  const threadUrl = thread === undefined || item.visibility === "public" ? undefined : withThread(url, thread);
  useEffect(() => {
    if (threadUrl !== undefined) location.replace(threadUrl);
  }, [threadUrl]);
  return (
    <Notice
      icon={<IconUserShare />}
      title={item.title}
      action={
        <Button component="a" href={threadUrl ?? url} leftSection={<IconExternalLink size={16} aria-hidden />}>
          Open report
        </Button>
      }
      isPage
    >
      Shared by {item.owner_slug}. You can view it, but not change it.
    </Notice>
  );
}

function withThread(address: string, thread: string): string {
  const url = new URL(address);
  url.searchParams.set("thread", thread);
  return url.href;
}
