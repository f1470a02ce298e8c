import * as capabilities from "./capabilities.ts";
import type { Perform, PerformAtOnce, PerformRead } from "./engine/calls.ts";
import type { Engine } from "./engine/engine.ts";
import type { Database } from "./engine/schema.ts";

type Call<Before extends unknown[]> = (...input: [...Before, unknown]) => Promise<unknown>;

/** Returns the calls of one kind by "capability.call", the name that is sent to worker threads. */
function callsOf<Before extends unknown[]>(kind: "writes" | "longReads" | "atOnce"): Map<string, Call<Before>> {
  const calls = new Map<string, Call<Before>>();
  for (const [capability, exported] of Object.entries(capabilities)) {
    const named: object = kind in exported ? exported[kind as keyof typeof exported] : {};
    for (const [name, call] of Object.entries(named)) calls.set(`${capability}.${name}`, call);
  }
  return calls;
}

const writes = callsOf<[Database]>("writes");
const longReads = callsOf<[Database, Engine]>("longReads");
const atOnce = callsOf<[Database]>("atOnce");

function named<Found>(calls: ReadonlyMap<string, Found>, name: string): Found {
  const call = calls.get(name);
  if (call === undefined) throw new Error(`The store has no call "${name}".`);
  return call;
}

export const perform: Perform = (database, name, input) => named(writes, name)(database, input);

export const performRead: PerformRead = (database, engine, name, input) =>
  named(longReads, name)(database, engine, input);

export const performAtOnce: PerformAtOnce = async (database, name, input) => atOnce.get(name)?.(database, input);
