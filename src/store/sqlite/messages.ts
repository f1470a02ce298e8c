import { Failure, type FailureKind } from "../../domain/failure.ts";
import type { LongReadName } from "../long-reads.ts";
import type { OperationName } from "../operations.ts";

/** To the writing thread. */
export interface WriteRequest {
  id: number;
  name: OperationName;
  input: unknown;
}

/** To the reading thread. */
export interface ReadRequest {
  id: number;
  name: LongReadName;
  input: unknown;
}

/** An error as it crosses from one thread to the other. */
export interface SentError {
  message: string;
  kind?: FailureKind;
  code?: string;
  stack?: string;
}

/** From either thread. */
export type ThreadMessage =
  | { type: "ready" }
  | { type: "unusable"; error: SentError }
  | { type: "done"; id: number; output: unknown }
  | { type: "failed"; id: number; error: SentError };

export function sendError(error: unknown): SentError {
  if (error instanceof Failure) return { message: error.message, kind: error.kind };
  if (!(error instanceof Error)) return { message: String(error) };
  return {
    message: error.message,
    ...(error.stack === undefined ? {} : { stack: error.stack }),
    ...("code" in error ? { code: String(error.code) } : {}),
  };
}

export function receiveError({ message, kind, code, stack }: SentError): Error {
  if (kind !== undefined) return new Failure(kind, message);
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return code === undefined ? error : Object.assign(error, { code });
}
