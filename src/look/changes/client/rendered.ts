import { connectToFrame } from "../../frame/client/connection.ts";

/** Milliseconds for a page to load and settle. */
const RENDERING = 20_000;

/**
 * Returns the page of a frame with the bridge as it is rendered. Adds the frame to `stage`, where readers don't see it, and removes
 * it again. Undefined if the page shows nothing, is too large or doesn't settle.
 */
export function readRendered(stage: HTMLElement, frame: HTMLIFrameElement): Promise<string | undefined> {
  frame.setAttribute("aria-hidden", "true");
  frame.tabIndex = -1;
  return new Promise((resolve) => {
    const connection = connectToFrame(() => frame, {
      connected: () => undefined,
      heard(message) {
        if (message.kind === "settled") message.isBlank ? end(undefined) : connection.send({ kind: "readPage" });
        if (message.kind === "page") end(message.html ?? undefined);
      },
    });
    const timer = setTimeout(() => end(undefined), RENDERING);
    function end(html: string | undefined): void {
      clearTimeout(timer);
      connection.stop();
      frame.remove();
      resolve(html);
    }
    stage.append(frame);
  });
}
