import type { Server, ServerWebSocket } from "bun";
import type { Events, Gossip } from "../../domain/model/events.ts";
import type { Clock } from "../../domain/model/ports.ts";
import type { KnownSession, PeopleStore } from "../../domain/people/ports.ts";
import type { Log } from "../../observability/log.ts";
import type { FindAddress } from "../http/client-address.ts";
import type { NoteFanOut } from "./fan-out.ts";
import { createPortalHub, type PortalSubscription } from "./portal-hub.ts";
import type { SocketLimits } from "./socket-limits.ts";
import { createUpgrade } from "./upgrade.ts";

interface PortalSocketDependencies {
  store: { people: PeopleStore };
  events: Pick<Events, "subscribe" | "isHearing">;
  gossip: Gossip;
  findAddress: FindAddress;
  clock: Clock;
  log: Log;
  noteFanOut?: NoteFanOut | undefined;
  baseUrl: string;
  /** Separate from the limits for readers of live links. */
  limits: SocketLimits;
}

interface PortalRequest {
  request: Request;
  server: Server<PortalSubscription>;
  /** Throws if there is no active session. */
  requireSession(): Promise<KnownSession>;
}

/** Creates the socket that notifies the portal of changes. */
export function createPortalSocket({ baseUrl, limits, ...dependencies }: PortalSocketDependencies) {
  const hub = createPortalHub(dependencies);
  const { upgrade, release, stop } = createUpgrade({
    ...dependencies,
    origin: baseUrl,
    topic: "sockets of pages",
    limits,
  });

  /** Returns undefined if the request has become a socket. */
  const serve = ({ request, server, requireSession }: PortalRequest): Promise<Response | undefined> =>
    upgrade(request, server, async (address) => {
      const { ref, caller } = await requireSession();
      return server.upgrade(request, { data: { ref, userId: caller.userId, address } });
    });

  const sockets = {
    open: hub.open,
    close(socket: ServerWebSocket<PortalSubscription>) {
      release(socket.data.address);
      hub.close(socket);
    },
  };

  return {
    serve,
    sockets,
    stop() {
      stop();
      hub.stop();
    },
  };
}
