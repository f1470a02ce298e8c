import { BRIDGE, type BridgeMessage, type BridgeRequest } from "../../../contract/bridge/messages.ts";

/** Messages kept until the page around connects. */
const WAITING = 100;

export type Send = (message: BridgeMessage, transferred?: Transferable[]) => void;

/** The request of one kind. */
export type RequestOf<Kind extends BridgeRequest["kind"]> = Extract<BridgeRequest, { kind: Kind }>;

type Handlers = { [Kind in BridgeRequest["kind"]]: (request: RequestOf<Kind>, send: Send) => void };

/**
 * Connects with the page around over a private port, so that the page's own message listeners see nothing. Returns the
 * function that sends.
 */
export function connect(around: Window, handlers: Handlers): Send {
  let port: MessagePort | undefined;
  let waiting: BridgeMessage[] = [];

  function send(message: BridgeMessage, transferred: Transferable[] = []): void {
    if (port !== undefined) port.postMessage(message, transferred);
    else if (waiting.length < WAITING) waiting.push(message);
  }

  function handle(request: BridgeRequest): void {
    if (request.kind === "scrollTo") handlers.scrollTo(request, send);
    else handlers.takePicture(request, send);
  }

  function use(next: MessagePort): void {
    port?.close();
    port = next;
    port.onmessage = ({ data }: MessageEvent<BridgeRequest>) => handle(data);
    for (const message of waiting) port.postMessage(message);
    waiting = [];
  }

  addEventListener(
    "message",
    (event) => {
      const [next] = event.ports;
      if (event.source !== around || event.data !== BRIDGE || next === undefined) return;
      event.stopImmediatePropagation();
      use(next);
    },
    { capture: true },
  );
  // The page around has another origin, which the page can't know. Only Vitrine's own pages may frame a report.
  around.postMessage(BRIDGE, "*");
  return send;
}
