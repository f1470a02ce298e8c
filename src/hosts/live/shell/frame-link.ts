import { connectToFrame } from "../../../look/frame/client/connection.ts";

type Listener = Parameters<typeof connectToFrame>[1];

/** The connection with the bridge of the framed pages. */
export interface FrameLink {
  send: ReturnType<typeof connectToFrame>["send"];
  /** Hears of later pages, and of the one that is connected now. */
  listen(listener: Listener): void;
}

/** Connects with the pages of a frame. */
export function createFrameLink(frame: () => HTMLIFrameElement | null): FrameLink {
  const listeners: Listener[] = [];
  let isConnected = false;
  const { send } = connectToFrame(frame, {
    connected() {
      isConnected = true;
      for (const { connected } of listeners) connected();
    },
    heard(message) {
      for (const { heard } of listeners) heard(message);
    },
  });
  return {
    send,
    listen(listener) {
      listeners.push(listener);
      if (isConnected) listener.connected();
    },
  };
}
