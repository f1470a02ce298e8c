import type { Server } from "bun";
import type { Events, Gossip } from "../../domain/model/events.ts";
import type { FindAddress } from "../http/client-address.ts";
import { plainHeaders } from "./headers.ts";
import { createSocketCount, type SocketLimits } from "./socket-limits.ts";

interface UpgradeDependencies {
  /** The origin whose pages can connect. */
  origin: string;
  limits: SocketLimits;
  /** Distinguishes sockets with separate limits. */
  topic: string;
  events: Pick<Events, "isHearing">;
  gossip: Gossip;
  findAddress: FindAddress;
}

/** Upgrades requests from one origin to sockets, up to the limits. */
export function createUpgrade({ origin, events, findAddress, ...counted }: UpgradeDependencies) {
  const count = createSocketCount(counted);
  let isStopping = false;

  /** Returns undefined if the request has become a socket. `open` runs after all checks and returns whether it succeeded. */
  async function upgrade<Data>(
    request: Request,
    server: Server<Data>,
    open: (address: string) => Promise<boolean | Response>,
  ): Promise<Response | undefined> {
    const obstacle = findObstacle(request);
    if (obstacle !== undefined) return obstacle;
    const address = findAddress(request, server);
    if (!(await count.take(address))) return tooMany();
    let isOpen = false;
    try {
      const outcome = await open(address);
      if (outcome instanceof Response) return outcome;
      isOpen = outcome;
      return isOpen ? undefined : refusal(400, "The WebSocket handshake failed. Try again.");
    } finally {
      if (!isOpen) count.release(address);
    }
  }

  function findObstacle({ headers }: Request): Response | undefined {
    if (headers.get("origin") !== origin)
      return refusal(403, "This WebSocket only accepts connections from this site's own pages.");
    if (headers.get("upgrade")?.toLowerCase() !== "websocket") {
      return refusal(426, "This address only accepts WebSocket connections.", {
        Upgrade: "websocket",
        Connection: "Upgrade",
      });
    }
    if (isStopping) return tooMany();
    if (events.isHearing()) return undefined;
    // A new socket would miss changes made on other replicas.
    return refusal(503, "Live updates are unavailable right now. Try again in a few seconds.", { "Retry-After": "1" });
  }

  /** Rejects further upgrades. */
  function stop(): void {
    isStopping = true;
  }

  return { upgrade, release: count.release, stop };
}

const tooMany = () => refusal(503, "There are too many connections. Try again later.", { "Retry-After": "10" });

const refusal = (status: number, error: string, extra: Record<string, string> = {}) =>
  Response.json({ error }, { status, headers: plainHeaders(extra) });
