import { BRIDGE_LIMITS } from "../../../../contract/bridge/messages.ts";
import type { RequestOf, Send } from "../connection.ts";

/** Answers with the page as HTML, with what components show in open shadow roots. */
export function readPage(_request: RequestOf<"readPage">, send: Send): void {
  const root = document.documentElement;
  const shadowRoots = [...root.querySelectorAll("*")].flatMap(({ shadowRoot }) => shadowRoot ?? []);
  // Browsers without getHTML leave out shadow roots.
  const html = shadowRoots.length > 0 && "getHTML" in root ? root.getHTML({ shadowRoots }) : root.outerHTML;
  send({ kind: "page", html: html.length > BRIDGE_LIMITS.pageCharacters ? null : html });
}
