import { IconBell } from "@tabler/icons-react";
import { FastLink } from "../shared/fast-link.tsx";
import { Hidden } from "../shared/hidden.tsx";
import { lazyPart } from "../shared/lazy-part.ts";
import { PartBoundary } from "../shared/part-boundary.tsx";
import { useIsSettled } from "../shared/settled.tsx";
import classes from "./inbox-link.module.css";

const UnreadCount = lazyPart(async () => (await import("./unread-count.tsx")).UnreadCount);

/** Leads to the inbox. How much is unread there isn't needed before the first page is shown. */
export function InboxLink() {
  const isSettled = useIsSettled();
  return (
    <FastLink target={{ to: "/inbox" }} className={classes.bell} title="Inbox">
      <IconBell size={18} aria-hidden />
      <Hidden>Inbox</Hidden>
      {isSettled && (
        <PartBoundary isQuiet>
          <UnreadCount />
        </PartBoundary>
      )}
    </FastLink>
  );
}
