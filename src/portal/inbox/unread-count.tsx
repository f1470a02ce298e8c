import { useQuery } from "@tanstack/react-query";
import { unreadQuery } from "../api/inbox-queries.ts";
import { Hidden } from "../shared/hidden.tsx";
import classes from "./inbox-link.module.css";

const SHOWN_MAXIMUM = 99;

/** The number of unread entries of the inbox, while there are any. */
export function UnreadCount() {
  const { data: unread = 0 } = useQuery(unreadQuery());
  if (unread === 0) return null;
  return (
    <>
      <span className={classes.count} aria-hidden>
        {unread > SHOWN_MAXIMUM ? `${SHOWN_MAXIMUM}+` : unread}
      </span>
      <Hidden>{unread} unread</Hidden>
    </>
  );
}
