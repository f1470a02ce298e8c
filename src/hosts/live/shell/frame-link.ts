import type { BridgeMessage } from "../../../contract/bridge/messages.ts";
import { connectToFrame } from "../../../look/frame/client/connection.ts";

type Listener = Parameters<typeof connectToFrame>[1];

/** The connection with the bridge of the framed pages. */
export interface FrameLink {
  send: ReturnType<typeof connectToFrame>["send"];
  /** Hears of later pages, and of the one that is connected now: also where it is scrolled to. */
  listen(listener: Listener): void;
}

/** Connects with the pages of a frame. */
export function createFrameLink(frame: () => HTMLIFrameElement | null): FrameLink {
  const listeners: Listener[] = [];
  let isConnected = false;
  let scroll: BridgeMessage | undefined;
  const { send } = connectToFrame(frame, {
    connected() {
      isConnected = true;
      scroll = undefined;
      for (const { connected } of listeners) connected();
    },
    heard(message) {
      if (message.kind === "scroll") scroll = message;
      for (const { heard } of listeners) heard(message);
    },
  });
  return {
    send,
    listen(listener) {
      listeners.push(listener);
      if (isConnected) listener.connected();
      if (scroll !== undefined) listener.heard(scroll);
    },
  };
}
