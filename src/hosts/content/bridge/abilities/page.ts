import { BRIDGE_LIMITS } from "../../../../contract/bridge/messages.ts";
import type { RequestOf, Send } from "../connection.ts";

const { pageCharacters } = BRIDGE_LIMITS;
/** Scripts and styles, which show nothing themselves. Reports in one file have libraries of megabytes in theirs. */
const CODE = /<(script|style)\b[^>]*>[\s\S]*?<\/\1>/gi;
/** Characters from which code is left out of a page that is too much. Shorter scripts can hold the data of charts. */
const LONG = 100_000;

/** Answers with the page as HTML, with what components show in open shadow roots. */
export function readPage(_request: RequestOf<"readPage">, send: Send): void {
  const root = document.documentElement;
  const shadowRoots = [...root.querySelectorAll("*")].flatMap(({ shadowRoot }) => shadowRoot ?? []);
  // Older browsers leave out shadow roots.
  const html = root.getHTML?.({ shadowRoots }) ?? root.innerHTML;
  const kept = html.length > pageCharacters ? html.replace(CODE, (code) => (code.length > LONG ? "" : code)) : html;
  send({ kind: "page", html: kept.length > pageCharacters ? null : kept });
}
