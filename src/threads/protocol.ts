import { Failure, type FailureKind } from "../domain/model/failure.ts";

/** A message to a thread. The first one opens what the thread needs; calls wait until that is done. */
export type ToThread =
  | { type: "open"; input: unknown }
  | { type: "call"; id: number; name: string; input: unknown }
  | { type: "close" };

/** A message from a thread. */
export type FromThread =
  | { type: "ready" }
  | { type: "unusable"; error: SentError }
  | { type: "done"; id: number; output: unknown }
  | { type: "failed"; id: number; error: SentError }
  | { type: "closed" };

/** An error in a form that can be posted to another thread. */
export interface SentError {
  message: string;
  kind?: FailureKind;
  retryAfter?: number;
  code?: string;
  stack?: string;
}

/** Returns an error as it is posted to another thread. */
export function sendError(error: unknown): SentError {
  if (!(error instanceof Error)) return { message: String(error) };
  if (error instanceof Failure) {
    const { message, kind, retryAfter } = error;
    return { message, kind, ...(retryAfter === undefined ? {} : { retryAfter }) };
  }
  return {
    message: error.message,
    ...(error.stack === undefined ? {} : { stack: error.stack }),
    ...("code" in error ? { code: String(error.code) } : {}),
  };
}

/** Returns the error that another thread sent: a `Failure` of the same kind, or an error with the same code. */
export function receiveError({ message, kind, retryAfter, code, stack }: SentError): Error {
  if (kind !== undefined) return new Failure(kind, message, retryAfter === undefined ? {} : { retryAfter });
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return code === undefined ? error : Object.assign(error, { code });
}
