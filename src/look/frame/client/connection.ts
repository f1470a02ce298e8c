import { BRIDGE, type BridgeMessage, type BridgeRequest } from "../../../contract/bridge/messages.ts";
import { createBucket } from "./bucket.ts";
import { FrameScroll } from "./keyboard-guard.ts";
import { readMessage } from "./messages.ts";

/** Messages on the port: more than scrolling makes, one for each painted frame. */
const MESSAGES_AT_ONCE = 300;
const MESSAGES_PER_SECOND = 150;
/** Messages that a page sends to its parent window for other reasons, and connections after navigations. */
const WINDOW_MESSAGES_AT_ONCE = 100;
const WINDOW_MESSAGES_PER_SECOND = 10;

interface Listener {
  /** A page has loaded in the frame and can answer. */
  connected(): void;
  heard(message: BridgeMessage): void;
}

/**
 * Connects with the bridge of every page that loads in a frame. A page that sends anything the bridge wouldn't, or too
 * much, is no longer heard. Its messages are no more than its own claims about itself.
 */
export function connectToFrame(frame: () => HTMLIFrameElement | null, listener: Listener) {
  const maySendToWindow = createBucket(WINDOW_MESSAGES_AT_ONCE, WINDOW_MESSAGES_PER_SECOND);
  let port: MessagePort | undefined;

  function onWindowMessage(event: MessageEvent): void {
    const around = frame()?.contentWindow;
    if (around === null || around === undefined || event.source !== around) return;
    // Before the data is read, which takes the longer the more it is.
    if (!maySendToWindow()) stop();
    else if (event.data === BRIDGE && event.ports[0] !== undefined) accept(event.ports[0]);
  }

  function accept(next: MessagePort): void {
    port?.close();
    port = next;
    frame()?.addEventListener("framescroll", onFrameScroll);
    listener.connected();
    hear(port);
  }

  function hear(own: MessagePort): void {
    const maySend = createBucket(MESSAGES_AT_ONCE, MESSAGES_PER_SECOND);
    own.onmessage = (event) => {
      const message = maySend() ? readMessage(event.data) : undefined;
      if (message === undefined) {
        own.close();
        return;
      }
      listener.heard(message);
    };
  }

  function onFrameScroll(event: Event): void {
    if (event instanceof FrameScroll) send({ kind: "scrollBy", ...event.distance, behavior: "instant" });
  }

  function send(request: BridgeRequest, transferred: Transferable[] = []): void {
    port?.postMessage(request, transferred);
  }

  function stop(): void {
    removeEventListener("message", onWindowMessage);
    port?.close();
    port = undefined;
  }

  addEventListener("message", onWindowMessage);
  return { send, stop };
}
