import { BRIDGE, type BridgeMessage, type BridgeRequest } from "../../../contract/bridge/messages.ts";

export type Send = (message: BridgeMessage, transferred?: Transferable[]) => void;

/** The request of one kind. */
export type RequestOf<Kind extends BridgeRequest["kind"]> = Extract<BridgeRequest, { kind: Kind }>;

type Handlers = {
  [Kind in BridgeRequest["kind"]]: (request: RequestOf<Kind>, send: Send, ports: readonly MessagePort[]) => void;
};

/**
 * Connects with the page around over a private port of this page, so that the page's own message listeners see nothing, and
 * nothing reaches a page that loads next in the same frame. Returns the function that sends. What is sent before the page
 * around listens waits in the port.
 */
export function connect(around: Window, handlers: Handlers): Send {
  const { port1: port, port2: theirs } = new MessageChannel();
  const send: Send = (message, transferred = []) => port.postMessage(message, transferred);

  function handle(request: BridgeRequest, ports: readonly MessagePort[]): void {
    if (request.kind === "scrollTo") handlers.scrollTo(request, send, ports);
    else if (request.kind === "takePicture") handlers.takePicture(request, send, ports);
    else if (request.kind === "readPage") handlers.readPage(request, send, ports);
    else handlers.openReview(request, send, ports);
  }

  port.onmessage = ({ data, ports }: MessageEvent<BridgeRequest>) => handle(data, ports);
  // The page around has another origin, which the page can't know. Only Vitrine's own pages may frame a report.
  around.postMessage(BRIDGE, "*", [theirs]);
  return send;
}
