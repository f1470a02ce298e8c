import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { followChanges, type SocketState } from "../api/socket.ts";
import { useSession } from "../shared/session.tsx";
import { useIsSettled } from "../shared/settled.tsx";
import classes from "./connection-notice.module.css";

/** Milliseconds offline before the notice appears, so that it doesn't flash for a lost packet. */
const GRACE_PERIOD = 400;

/** Follows changes by others, and says so while the connection is lost. */
export function ConnectionNotice() {
  const { isAway, retry } = useConnection();
  if (!isAway) return null;
  return (
    <div role="status" className={classes.notice}>
      <span className={classes.dot} aria-hidden />
      <span>
        You're offline, or the server can't be reached.{" "}
        <span className={classes.rest}>Reconnecting automatically…</span>
      </span>
      <button type="button" className={classes.button} onClick={retry}>
        Try now
      </button>
    </div>
  );
}

function useConnection() {
  const queries = useQueryClient();
  const session = useSession();
  const isSettled = useIsSettled();
  const [state, setState] = useState<SocketState>("connecting");
  const [isAway, setAway] = useState(false);
  const following = useRef<{ stop(): void; hurry(): void }>(undefined);
  useEffect(() => {
    if (!isSettled) return;
    // Part of the first script: code that can't be loaded later couldn't reconnect either.
    const follow = followChanges({ queries, session, onState: setState });
    following.current = follow;
    return follow.stop;
  }, [isSettled, queries, session]);
  useEffect(() => {
    if (state !== "away") {
      setAway(false);
      return;
    }
    const timer = setTimeout(() => setAway(true), GRACE_PERIOD);
    return () => clearTimeout(timer);
  }, [state]);
  const retry = useCallback(() => following.current?.hurry(), []);
  return { isAway, retry };
}
