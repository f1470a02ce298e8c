import type { Server } from "bun";
import type { Events, Gossip } from "../../domain/model/events.ts";
import type { FindAddress } from "../http/client-address.ts";
import { plainHeaders } from "./headers.ts";
import { createSocketCount, type SocketLimits } from "./socket-limits.ts";

interface Parts {
  /** Whose pages may connect. */
  origin: string;
  limits: SocketLimits;
  /** By which its sockets are told from others that are limited by themselves. */
  topic: string;
  events: Pick<Events, "isHearing">;
  gossip: Gossip;
  findAddress: FindAddress;
}

/** Makes sockets of requests that come from the pages of one origin, as long as there are not too many. */
export function createUpgrade({ origin, events, findAddress, ...counted }: Parts) {
  const count = createSocketCount(counted);
  let isStopping = false;

  /** Undefined when the request has become a socket. What opens it comes last, says whether it could, or answers instead. */
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
      return isOpen ? undefined : refusal(400, "The socket could not be opened.");
    } finally {
      if (!isOpen) count.release(address);
    }
  }

  function findObstacle({ headers }: Request): Response | undefined {
    if (headers.get("origin") !== origin) return refusal(403, "This socket is for the pages of this site.");
    if (headers.get("upgrade")?.toLowerCase() !== "websocket") {
      return refusal(426, "This address is a socket.", { Upgrade: "websocket", Connection: "Upgrade" });
    }
    if (isStopping) return tooMany();
    if (events.isHearing()) return undefined;
    // Whoever connected now would not be told of what others change.
    return refusal(503, "Changes cannot be followed right now; try again.", { "Retry-After": "1" });
  }

  /** No more from now on. */
  function stop(): void {
    isStopping = true;
  }

  return { upgrade, release: count.release, stop };
}

const tooMany = () => refusal(503, "There are too many connections; try again later.", { "Retry-After": "10" });

const refusal = (status: number, error: string, extra: Record<string, string> = {}) =>
  Response.json({ error }, { status, headers: plainHeaders(extra) });
