import type { Kysely } from "kysely";
import type { Perform, PerformAtOnce, WriteRequest } from "../calls.ts";
import { isRetryable } from "../engine.ts";
import type { Schema } from "../schema.ts";

const ATTEMPTS = 5;

export interface WriteCalls {
  perform: Perform;
  performAtOnce: PerformAtOnce;
}

/**
 * Creates what runs each write in a transaction, or in one statement if that is enough. A write that failed because of
 * concurrent changes runs again.
 */
export function createWrites(database: Kysely<Schema>, { perform, performAtOnce }: WriteCalls) {
  const attempt = async ({ name, input, cause }: WriteRequest) =>
    (await performAtOnce(database, name, input, cause)) ??
    database.transaction().execute((transaction) => perform(transaction, name, input, cause));

  return async function write(request: WriteRequest): Promise<unknown> {
    for (let attempts = 1; ; attempts++) {
      try {
        return await attempt(request);
      } catch (error) {
        if (!isRetryable(error) || attempts === ATTEMPTS) throw error;
      }
    }
  };
}
