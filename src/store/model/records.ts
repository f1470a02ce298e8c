import type { AuditEvent } from "../../domain/model/audit.ts";
import type { Database } from "../engine/schema.ts";

/**
 * Reads what a write will change and returns a function that describes the change from the write's output. Both run in
 * the write's transaction.
 */
export type Recorder<Input, Output> = (database: Database, input: Input) => After<Output> | Promise<After<Output>>;

type After<Output> = (output: Output) => readonly AuditEvent[] | Promise<readonly AuditEvent[]>;

/** Says why a write leaves nothing in the audit log. */
export interface Unrecorded {
  readonly unrecorded: string;
}

export const unrecorded = (reason: string): Unrecorded => ({ unrecorded: reason });

/** The recorder of a write. */
export type RecorderOf<Write> = Write extends (database: Database, input: infer Input) => Promise<infer Output>
  ? Recorder<Input, Output>
  : never;

/** What each write of a capability leaves in the audit log. */
export type Records<Writes> = { readonly [Name in keyof Writes]: RecorderOf<Writes[Name]> | Unrecorded };

/** Makes sure that every capability with writes says what they leave in the audit log. */
export type WithRecords<Capabilities> = {
  readonly [Name in keyof Capabilities]: Capabilities[Name] extends { readonly writes: infer Writes }
    ? { readonly records: Records<Writes> }
    : object;
};
