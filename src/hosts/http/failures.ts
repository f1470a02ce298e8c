import { Failure, type FailureKind } from "../../domain/model/failure.ts";
import { toStorable } from "../../domain/model/storable-text.ts";
import type { Log } from "../../observability/log.ts";

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

/** Returns the answer to a request that failed, and logs what the answer does not say. Unknown errors show the request's id alone. */
export function describeFailure(
  error: unknown,
  requestId: string,
  log: Log,
): { status: number; message: string; headers: Record<string, string> } {
  if (!(error instanceof Failure)) {
    log.child({ requestId }).error({ message: "A request failed unexpectedly.", error });
    return { status: 500, message: `Something went wrong on the server (request ${requestId}).`, headers: {} };
  }
  if (error.cause !== undefined) log.child({ requestId }).error({ message: error.message, error: error.cause });
  const headers: Record<string, string> = {};
  if (error.retryAfter !== undefined) headers["Retry-After"] = String(Math.ceil(error.retryAfter));
  if (error.acceptEncoding !== undefined) headers["Accept-Encoding"] = error.acceptEncoding;
  // Else a sender that does not stop keeps the connection, and what it sends is received for nothing.
  if (error.kind === "TooLarge" || error.kind === "TooSlow") headers.Connection = "close";
  if (error.kind === "Unauthenticated") headers["WWW-Authenticate"] = "Bearer";
  // It may quote what was asked for, which need not be text that every reader of JSON takes.
  return { status: STATUSES[error.kind], message: toStorable(error.message), headers };
}
