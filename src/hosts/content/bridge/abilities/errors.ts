import { BRIDGE_LIMITS } from "../../../../contract/bridge/messages.ts";
import type { Send } from "../connection.ts";

/** Milliseconds after the start during which errors are reported. */
const WATCHED = 10_000;
/** How browsers say that sizes changed while they were observed, which breaks nothing: they observe them once more. */
const HARMLESS = /^ResizeObserver loop /;

/** Reports uncaught errors, unhandled rejections and files that don't load, in the first seconds. */
export function watchErrors(send: Send): void {
  let errors = 0;
  let missing = 0;

  function noteError(text: string): void {
    if (errors++ < BRIDGE_LIMITS.errors) send({ kind: "error", text: text.slice(0, BRIDGE_LIMITS.errorCharacters) });
  }

  function noteMissing(address: string): void {
    if (missing++ >= BRIDGE_LIMITS.missing) return;
    send({ kind: "missing", path: pathOf(address).slice(0, BRIDGE_LIMITS.missingCharacters) });
  }

  function onError(event: Event): void {
    if (event instanceof ErrorEvent) {
      if (!HARMLESS.test(event.message)) noteError(event.message);
    } else if (event.target instanceof Element) {
      const address = addressOf(event.target);
      if (address !== undefined) noteMissing(address);
    }
  }

  const onRejection = ({ reason }: PromiseRejectionEvent) => noteError(`Unhandled rejection: ${describe(reason)}`);

  // Errors of elements don't bubble.
  addEventListener("error", onError, true);
  addEventListener("unhandledrejection", onRejection);
  setTimeout(() => {
    removeEventListener("error", onError, true);
    removeEventListener("unhandledrejection", onRejection);
  }, WATCHED);
}

/** Describes whatever the page threw, whose conversion to text can throw too. */
function describe(reason: unknown): string {
  try {
    return String(reason);
  } catch {
    return "unknown reason";
  }
}

function addressOf(element: Element): string | undefined {
  const attribute = element instanceof HTMLLinkElement ? "href" : element instanceof HTMLObjectElement ? "data" : "src";
  const address = element.getAttribute(attribute);
  return address === null || address === "" ? undefined : address;
}

/** Returns a file's path within the report, without the ticket in the page's address, or another site's host and path. */
function pathOf(address: string): string {
  const url = URL.parse(address, document.baseURI);
  if (url === null || url.protocol === "data:" || url.protocol === "blob:")
    return `${address.split(/[:,]/)[0]}: address`;
  const directory = new URL(".", location.href).pathname;
  const isOwn = url.host === location.host;
  if (isOwn && url.pathname.startsWith(directory)) return decode(url.pathname.slice(directory.length));
  // Nothing of the page's own address, which may contain a ticket.
  return isOwn ? (url.pathname.split("/").at(-1) ?? "") : url.host + url.pathname;
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
