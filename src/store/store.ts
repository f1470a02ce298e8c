import type { Cause } from "../domain/model/audit.ts";
import { type ObserveCall, observed } from "../observability/metrics/call-meter.ts";
import { causeFinder, createOrigins } from "../observability/origins.ts";
import * as capabilities from "./capabilities.ts";
import type { Connections } from "./engine/calls.ts";
import { type Engine, isDefinite, translateError } from "./engine/engine.ts";
import type { Lane } from "./engine/pace.ts";
import type { Database } from "./engine/schema.ts";

type Capabilities = typeof capabilities;

type Reads<Calls> = {
  [Name in keyof Calls]: Calls[Name] extends (database: Database, ...input: infer Input) => Promise<infer Output>
    ? (...input: Input) => Promise<Output>
    : never;
};

/** Writes take one input or none. */
type Writes<Calls> = {
  [Name in keyof Calls]: Calls[Name] extends (database: Database) => Promise<infer Output>
    ? () => Promise<Output>
    : Calls[Name] extends (database: Database, input: infer Input) => Promise<infer Output>
      ? (input: Input) => Promise<Output>
      : never;
};

type LongReads<Calls> = {
  [Name in keyof Calls]: Calls[Name] extends (
    database: Database,
    engine: Engine,
    input: infer Input,
    ...others: infer _
  ) => Promise<infer Output>
    ? (input: Input) => Promise<Output>
    : never;
};

type CallsOf<Capability> = (Capability extends { reads: infer Calls } ? Reads<Calls> : unknown) &
  (Capability extends { writes: infer Calls } ? Writes<Calls> : unknown) &
  (Capability extends { longReads: infer Calls } ? LongReads<Calls> : unknown) &
  (Capability extends { slowReads: infer Calls } ? LongReads<Calls> : unknown);

/** Every call of every capability, and what the engine knows about the data and its errors. */
export type Store = { readonly [Name in keyof Capabilities]: CallsOf<Capabilities[Name]> } & {
  changeMark: Connections["changeMark"];
  countConnections: Connections["countConnections"];
  /** Returns whether a failed write certainly left the data unchanged. A lost connection leaves that open. */
  hasChangedNothing(error: unknown): boolean;
  close(): Promise<void>;
};

export interface StoreOptions {
  /** Receives every call with its duration. Without it, nothing measures them. */
  observe?: ObserveCall | undefined;
  /** Returns who causes the running write, for the audit log. By default, that is the server itself. */
  findCause?: (() => Cause) | undefined;
}

/** Creates the store on the connections of either engine. Its calls throw failures instead of the engine's errors. */
export function createStore(
  { reader, write, readLong, changeMark, countConnections, close }: Connections,
  { observe, findCause = causeFinder(createOrigins(), { now: Date.now }) }: StoreOptions = {},
): Store {
  /** Returns a call that passes its failures on, and its duration if there is an observer. */
  const prepare = (name: string, kind: string, call: AnyCall): AnyCall => {
    const translated: AnyCall = (...input) => call(...input).catch(rethrow);
    if (observe === undefined) return translated;
    return (...input) => observed(observe, { name, kind }, () => translated(...input));
  };
  const callsOf = (capability: string, exported: object) => {
    const { reads = {}, writes = {}, longReads = {}, slowReads = {} }: Exported = exported;
    const calls: Record<string, unknown> = {};
    for (const [name, read] of Object.entries(reads)) {
      calls[name] = prepare(`${capability}.${name}`, "read", (...input) => read(reader, ...input));
    }
    for (const name of Object.keys(writes)) {
      const full = `${capability}.${name}`;
      calls[name] = prepare(full, "write", (input) => write(full, input, findCause()));
    }
    const addLongReads = (names: object, lane: Lane) => {
      for (const name of Object.keys(names)) {
        const full = `${capability}.${name}`;
        calls[name] = prepare(full, "long_read", (input) => readLong(full, input, lane));
      }
    };
    addLongReads(longReads, "quick");
    addLongReads(slowReads, "slow");
    return calls;
  };
  const entries = Object.entries(capabilities).map(([name, exported]) => [name, callsOf(name, exported)]);
  // Safe, because the type is derived from the same list.
  const built = Object.fromEntries(entries) as { [Name in keyof Capabilities]: CallsOf<Capabilities[Name]> };
  return { ...built, changeMark, countConnections, hasChangedNothing: isDefinite, close };
}

type AnyCall = (...input: unknown[]) => Promise<unknown>;

interface Exported {
  reads?: Readonly<Record<string, (database: Database, ...input: unknown[]) => Promise<unknown>>>;
  writes?: object;
  longReads?: object;
  /** Long reads that are never quick. */
  slowReads?: object;
}

function rethrow(error: unknown): never {
  throw translateError(error);
}
