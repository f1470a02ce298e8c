import type { ServerWebSocket } from "bun";
import type { SocketEvents } from "../http/listen.ts";
import type { Subscription } from "./hub.ts";
import type { PortalSubscription } from "./portal-hub.ts";

/** The data of a socket on the application host. */
export type AppSubscription = Subscription | PortalSubscription;

type AppSocket = ServerWebSocket<AppSubscription>;

const isOfLink = (socket: AppSocket): socket is ServerWebSocket<Subscription> => "itemId" in socket.data;
const isOfPortal = (socket: AppSocket): socket is ServerWebSocket<PortalSubscription> => !isOfLink(socket);

/** Passes each socket to the handler of its kind. */
export function appSockets(
  links: SocketEvents<Subscription>,
  portal: SocketEvents<PortalSubscription>,
): SocketEvents<AppSubscription> {
  const pass = (event: "open" | "close") => (socket: AppSocket) => {
    if (isOfLink(socket)) links[event](socket);
    else if (isOfPortal(socket)) portal[event](socket);
  };
  return { open: pass("open"), close: pass("close") };
}
