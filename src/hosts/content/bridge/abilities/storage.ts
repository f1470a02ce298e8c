import { STORAGE_AREAS, type StorageArea } from "../../../../contract/bridge/messages.ts";
import type { Send } from "../connection.ts";
import { afterPaint } from "../moments.ts";

/** Milliseconds after which the page's own accessors come back. */
const WATCHED = 10_000;

/**
 * Reports the storage that the page tries to use and the sandbox denies, also where the page catches the error. The
 * accessors behave as before, and come back when they have nothing more to tell.
 */
export function watchStorage(send: Send): void {
  for (const area of STORAGE_AREAS) watch(area, send);
}

/** A stand-in for storage first tries the storage that it replaces, so this looks again later. */
function confirm(area: StorageArea, send: Send): void {
  afterPaint(() => {
    try {
      read(area);
    } catch {
      send({ kind: "denied", area });
    }
  });
}

const read = (area: StorageArea): unknown => (area === "cookie" ? document.cookie : window[area]);

/** Waits until an accessor throws for the first time. */
function watch(area: StorageArea, send: Send): void {
  const owner = area === "cookie" ? Document.prototype : window;
  const original = Object.getOwnPropertyDescriptor(owner, area) ?? {};
  if (original.get === undefined || original.configurable !== true) return;
  const noting = <Accessor extends (value?: unknown) => unknown>(accessor: Accessor): Accessor =>
    // A proxy of a native function still looks native.
    new Proxy(accessor, {
      apply(target, self, given) {
        try {
          return Reflect.apply(target, self, given);
        } catch (error) {
          restore();
          confirm(area, send);
          throw error;
        }
      },
    });
  const get = noting(original.get);
  const set = original.set && { set: noting(original.set) };
  Object.defineProperty(owner, area, { ...original, get, ...set });

  function restore(): void {
    // The page may have replaced it meanwhile.
    if (Object.getOwnPropertyDescriptor(owner, area)?.get === get) Object.defineProperty(owner, area, original);
  }
  setTimeout(restore, WATCHED);
}
