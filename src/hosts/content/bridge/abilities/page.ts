import { BRIDGE_LIMITS } from "../../../../contract/bridge/messages.ts";
import type { RequestOf, Send } from "../connection.ts";

/** Answers with the page as HTML, with what components show in open shadow roots. */
export function readPage(_request: RequestOf<"readPage">, send: Send): void {
  const root = document.documentElement;
  const shadowRoots = [...root.querySelectorAll("*")].flatMap(({ shadowRoot }) => shadowRoot ?? []);
  // Older browsers leave out shadow roots.
  const html = root.getHTML?.({ shadowRoots }) ?? root.innerHTML;
  send({ kind: "page", html: html.length > BRIDGE_LIMITS.pageCharacters ? null : html });
}
