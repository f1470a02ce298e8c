import { Failure, type FailureKind } from "../../domain/model/failure.ts";
import { toStorable } from "../../domain/model/storable-text.ts";

const STATUSES: Readonly<Record<FailureKind, number>> = {
  Invalid: 400,
  Unauthenticated: 401,
  Forbidden: 403,
  NotFound: 404,
  Damaged: 404,
  TooSlow: 408,
  Conflict: 409,
  TooLarge: 413,
  Unsupported: 415,
  TooManyRequests: 429,
  Unavailable: 503,
  QuotaFull: 507,
  StorageFull: 507,
};

/** How much a host writes about what it did not expect. */
export interface Log {
  error(event: { message: string; requestId: string; error: unknown }): void;
}

/** What a failure looks like from outside. Nothing of an unknown error is told but the id under which the log has it. */
export function describeFailure(
  error: unknown,
  requestId: string,
  log: Log,
): { status: number; message: string; headers: Record<string, string> } {
  if (!(error instanceof Failure)) {
    log.error({ message: "A request failed unexpectedly.", requestId, error });
    return { status: 500, message: `Something went wrong on the server (request ${requestId}).`, headers: {} };
  }
  if (error.cause !== undefined) log.error({ message: error.message, requestId, error: error.cause });
  const headers: Record<string, string> = {};
  if (error.retryAfter !== undefined) headers["Retry-After"] = String(Math.ceil(error.retryAfter));
  if (error.acceptEncoding !== undefined) headers["Accept-Encoding"] = error.acceptEncoding;
  // Else a sender that does not stop keeps the connection, and what it sends is received for nothing.
  if (error.kind === "TooLarge" || error.kind === "TooSlow") headers.Connection = "close";
  if (error.kind === "Unauthenticated") headers["WWW-Authenticate"] = "Bearer";
  // It may quote what was asked for, which need not be text that every reader of JSON takes.
  return { status: STATUSES[error.kind], message: toStorable(error.message), headers };
}
