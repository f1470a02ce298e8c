import type { Cause } from "../domain/model/audit.ts";
import { recordEvents } from "./audit/record.ts";
import * as capabilities from "./capabilities.ts";
import type { Perform, PerformAtOnce, PerformRead } from "./engine/calls.ts";
import type { Engine } from "./engine/engine.ts";
import type { Pace } from "./engine/pace.ts";
import type { Database } from "./engine/schema.ts";
import type { Recorder, Unrecorded, WithRecords } from "./model/records.ts";

/** Doesn't compile if a write lacks its record. */
const recording: WithRecords<typeof capabilities> = capabilities;

type Call<Before extends unknown[]> = (...input: [...Before, unknown]) => Promise<unknown>;

/** Returns the calls of one kind by "capability.call", the name that is sent to worker threads. */
function allOf<Value>(kind: "writes" | "longReads" | "slowReads" | "atOnce" | "records"): Map<string, Value> {
  const values = new Map<string, Value>();
  for (const [capability, exported] of Object.entries(recording)) {
    const named: object = kind in exported ? exported[kind as keyof typeof exported] : {};
    for (const [name, value] of Object.entries(named)) values.set(`${capability}.${name}`, value);
  }
  return values;
}

const writes = allOf<Call<[Database]>>("writes");
type LongRead = (database: Database, engine: Engine, input: unknown, pace: Pace) => Promise<unknown>;
const longReads = new Map([...allOf<LongRead>("longReads"), ...allOf<LongRead>("slowReads")]);
const atOnce = allOf<(database: Database, input: unknown, cause: Cause) => Promise<unknown>>("atOnce");
const records = allOf<Recorder<unknown, unknown> | Unrecorded>("records");

const inBackground = new Set(
  Object.entries(capabilities).flatMap(([capability, exported]) =>
    "inBackground" in exported ? exported.inBackground.map((name) => `${capability}.${name}`) : [],
  ),
);

/** Returns whether a call belongs to a background task and has much to do. */
export const isInBackground = (name: string): boolean => inBackground.has(name);

function named<Found>(calls: ReadonlyMap<string, Found>, name: string): Found {
  const call = calls.get(name);
  if (call === undefined) throw new Error(`The store has no call "${name}".`);
  return call;
}

/** Runs a write and adds what it changed to the audit log. */
export const perform: Perform = async (database, name, input, cause) => {
  const write = named(writes, name);
  const record = named(records, name);
  if ("unrecorded" in record) return write(database, input);
  const describe = await record(database, input);
  const output = await write(database, input);
  await recordEvents(database, await describe(output), cause);
  return output;
};

export const performRead: PerformRead = (database, engine, name, input, pace) =>
  named(longReads, name)(database, engine, input, pace);

export const performAtOnce: PerformAtOnce = async (database, name, input, cause) =>
  atOnce.get(name)?.(database, input, cause);
