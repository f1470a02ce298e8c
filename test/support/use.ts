import { afterAll, beforeAll } from "bun:test";

/**
 * Creates something before the tests of a describe block, or of a file, and disposes of it after them. Returns an object
 * that stands for it: pass it on at any time, but use its members only in tests and later hooks.
 */
export function use<Thing extends object>(make: () => Thing | Promise<Thing>): Thing {
  let made: Thing | undefined;
  beforeAll(async () => {
    made = await make();
  });
  afterAll(async () => {
    const thing = made;
    made = undefined;
    if (thing !== undefined && Symbol.asyncDispose in thing) await dispose(thing[Symbol.asyncDispose], thing);
    else if (thing !== undefined && Symbol.dispose in thing) await dispose(thing[Symbol.dispose], thing);
  });
  return standIn(() => {
    if (made === undefined) throw new Error("A fixture exists only while its tests run.");
    return made;
  });
}

/** Returns an object that stands for another one, which is looked up at each use. */
export function standIn<Thing extends object>(find: () => Thing): Thing {
  return new Proxy<Thing>(Object.create(null), {
    get(_, key) {
      const thing = find();
      const value: unknown = Reflect.get(thing, key, thing);
      // Methods of classes with private fields only work on the thing itself.
      return typeof value === "function" ? value.bind(thing) : value;
    },
    has: (_, key) => Reflect.has(find(), key),
    ownKeys: () => Reflect.ownKeys(find()),
    getOwnPropertyDescriptor: (_, key) => ({ value: Reflect.get(find(), key), enumerable: true, configurable: true }),
  });
}

async function dispose(method: unknown, thing: object): Promise<void> {
  if (typeof method === "function") await method.call(thing);
}
