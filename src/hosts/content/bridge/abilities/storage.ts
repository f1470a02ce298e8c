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
  const restores = STORAGE_AREAS.map((area) => watch(area, () => confirm(area, send)));
  setTimeout(() => {
    for (const restore of restores) restore();
  }, WATCHED);
}

/** A stand-in for storage first tries the storage that it replaces, so this looks again later. */
function confirm(area: StorageArea, send: Send): void {
  afterPaint(() => {
    try {
      Reflect.get(homeOf(area), area);
    } catch {
      send({ kind: "denied", area });
    }
  });
}

const homeOf = (area: StorageArea): object => (area === "cookie" ? document : window);

/** Calls back when an accessor throws for the first time. Returns the function that ends this. */
function watch(area: StorageArea, denied: () => void): () => void {
  const owner = ownerOf(homeOf(area), area);
  const original = owner && Object.getOwnPropertyDescriptor(owner, area);
  if (owner === undefined || original?.get === undefined || original.configurable !== true) return () => undefined;
  const noting = <Accessor extends (value?: unknown) => unknown>(accessor: Accessor): Accessor =>
    // A proxy of a native function still looks native.
    new Proxy(accessor, {
      apply(target, self, given) {
        try {
          return Reflect.apply(target, self, given);
        } catch (error) {
          restore();
          denied();
          throw error;
        }
      },
    });
  const get = noting(original.get);
  const set = original.set && { set: noting(original.set) };
  Object.defineProperty(owner, area, { ...original, get, ...set });

  function restore(): void {
    // The page may have replaced it meanwhile.
    if (owner && original && Object.getOwnPropertyDescriptor(owner, area)?.get === get) {
      Object.defineProperty(owner, area, original);
    }
  }
  return restore;
}

function ownerOf(object: object, name: string): object | undefined {
  for (let owner: object | null = object; owner !== null; owner = Object.getPrototypeOf(owner)) {
    if (Object.hasOwn(owner, name)) return owner;
  }
  return undefined;
}
