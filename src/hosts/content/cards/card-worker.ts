import { readFile } from "node:fs/promises";
import { initWasm, Resvg } from "@resvg/resvg-wasm";
import wasm from "@resvg/resvg-wasm/index_bg.wasm" with { type: "file" };
import { serveCalls, Transferred } from "../../../threads/serve-calls.ts";
import { type CardText, drawCard } from "./drawing.ts";
import { loadTypeface } from "./fonts.ts";

export type CardCalls = {
  /** Returns a card as PNG. */
  draw(text: CardText): Transferred<Uint8Array<ArrayBuffer>>;
};

/** Draws cards in a separate thread, which holds the renderer and the fonts. */
serveCalls<undefined, CardCalls>(async () => {
  const [typeface] = await Promise.all([loadTypeface(), readFile(wasm).then(initWasm)]);
  return {
    handlers: {
      draw(text) {
        const png = new Uint8Array(new Resvg(drawCard(text, typeface)).render().asPng());
        return new Transferred(png, [png.buffer]);
      },
    },
  };
});
