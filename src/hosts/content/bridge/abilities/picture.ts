import type { Pixels } from "../../../../contract/bridge/messages.ts";
import type { RequestOf, Send } from "../connection.ts";

export interface PictureScript {
  /** Returns the top of the page as a picture of this size. Rejects if the browser can't draw it. */
  drawPage(size: { width: number; height: number }): Promise<Pixels>;
}

/** Creates the handler that draws the page. The library for it is large, and loads with the first picture. */
export function createPictures(script: HTMLScriptElement) {
  // Read before the report's own scripts can say what it is.
  const address = location.origin + script.dataset.picture;
  return ({ width, height }: RequestOf<"takePicture">, send: Send): void => {
    const load: Promise<PictureScript> = import(address);
    load
      .then(({ drawPage }) => drawPage({ width, height }))
      .then(
        (pixels) => send({ kind: "picture", pixels }, [pixels.data]),
        () => send({ kind: "picture", pixels: null }),
      );
  };
}
