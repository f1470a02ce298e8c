import { BRIDGE, type BridgeMessage, type BridgeRequest } from "../../../contract/bridge/messages.ts";

export type Send = (message: BridgeMessage, transferred?: Transferable[]) => void;

type Kind = BridgeRequest["kind"];
/** The request of one kind. */
export type RequestOf<Of extends Kind> = { [Each in Of]: { kind: Each } & Extract<BridgeRequest, { kind: Each }> }[Of];

type Handlers = { [Each in Kind]: (request: RequestOf<Each>, send: Send, ports: readonly MessagePort[]) => void };

/**
 * Connects with the page around over a private port of this page, so that the page's own message listeners see nothing, and
 * nothing reaches a page that loads next in the same frame. Returns the function that sends. What is sent before the page
 * around listens waits in the port.
 */
export function connect(around: Window, handlers: Handlers): Send {
  const { port1: port, port2: theirs } = new MessageChannel();
  const send: Send = (message, transferred = []) => port.postMessage(message, transferred);

  function handle<Of extends Kind>(request: RequestOf<Of>, ports: readonly MessagePort[]): void {
    handlers[request.kind](request, send, ports);
  }

  port.onmessage = ({ data, ports }: MessageEvent<BridgeRequest>) => handle(data, ports);
  // The page around has another origin, which the page can't know. Only Vitrine's own pages may frame a report.
  around.postMessage(BRIDGE, "*", [theirs]);
  return send;
}
