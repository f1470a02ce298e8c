import { Alert } from "@mantine/core";
import { IconPlugConnectedX } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { followChanges, type SocketState } from "../api/socket.ts";
import { useSession } from "../shared/session.tsx";

/** Milliseconds offline before a notice appears; a restart is shorter. */
const GRACE_PERIOD = 3_000;

/** Follows changes by others, and shows a notice while the connection is lost. */
export function ConnectionNotice() {
  const queries = useQueryClient();
  const [state, setState] = useState<SocketState>("connecting");
  const [isAway, setAway] = useState(false);
  const session = useSession();
  useEffect(() => followChanges({ queries, session, onState: setState }), [queries, session]);
  useEffect(() => {
    if (state !== "away") {
      setAway(false);
      return;
    }
    const timer = setTimeout(() => setAway(true), GRACE_PERIOD);
    return () => clearTimeout(timer);
  }, [state]);
  if (!isAway) return null;
  return (
    <Alert
      mb="md"
      color="yellow"
      icon={<IconPlugConnectedX />}
      title="You're offline, or the server can't be reached"
      role="status"
    >
      This page may be out of date. Reconnecting automatically…
    </Alert>
  );
}
