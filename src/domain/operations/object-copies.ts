import { createHash } from "node:crypto";
import type { Blobs, StoredObject } from "../model/blobs.ts";
import { digestOf } from "../model/files.ts";

/** The first characters of keys, in order. They are random, so each begins about as many keys as any other. */
export const BEGINNINGS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const KEY_PATTERN = /^[0-9A-Za-z]{16}(\.z)?$/;
/** How many objects are copied at once, and how many bytes of them. */
export const LIMITS = { count: 8, weight: 64 * 1024 * 1024 };

/** Returns the objects whose key begins with a character. */
export async function listByKey(blobs: Blobs, beginning: string): Promise<Map<string, StoredObject>> {
  const objects = new Map<string, StoredObject>();
  for await (const object of blobs.list(beginning)) {
    // The list includes half-written files that a crash left behind.
    if (KEY_PATTERN.test(object.key)) objects.set(object.key, object);
  }
  return objects;
}

/** The result of storing an object in a target that must not have another one with its key. */
export type Placed = "copied" | "alreadyThere" | { kind: "different"; message: string };

/** Stores an object unless the target has one with this key, and reads it back. Takes ownership of the content. */
export async function placeObject(
  to: Blobs,
  { key, target }: { key: string; target: StoredObject | undefined },
  content: Uint8Array,
): Promise<Placed> {
  if (target?.size === content.length && target.md5 === md5Of(content)) return "alreadyThere";
  const digest = digestOf(content);
  const before = target && (await to.readAll(key));
  if (before !== undefined) return digestOf(before) === digest ? "alreadyThere" : DIFFERENT;
  try {
    await to.put(key, content);
  } catch (error) {
    // Another process may have stored it meanwhile.
    const after = await to.readAll(key).catch(() => undefined);
    if (after === undefined) throw error;
    return digestOf(after) === digest ? "alreadyThere" : DIFFERENT;
  }
  const after = await to.readAll(key);
  return after !== undefined && digestOf(after) === digest ? "copied" : READ_BACK_DIFFERENT;
}

const DIFFERENT: Placed = {
  kind: "different",
  message: "the target has a different object with this key, which was not overwritten",
};
const READ_BACK_DIFFERENT: Placed = {
  kind: "different",
  message: "the target returned different bytes than were written",
};

export const md5Of = (content: Uint8Array) => createHash("md5").update(content).digest("hex");
