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

/** Returns the response to an error. For an unexpected one, it holds only the request ID; the details go to the log. */
export function describeFailure(
  error: unknown,
  requestId: string,
  log: Log,
): { status: number; message: string; headers: Record<string, string> } {
  if (!(error instanceof Failure)) {
    log.child({ requestId }).error({ message: "A request failed unexpectedly.", error });
    return {
      status: 500,
      message: `Something went wrong on the server. Try again, and report request ID ${requestId} if it keeps happening.`,
      headers: {},
    };
  }
  if (error.cause !== undefined) log.child({ requestId }).error({ message: error.message, error: error.cause });
  const headers: Record<string, string> = {};
  if (error.retryAfter !== undefined) headers["Retry-After"] = String(Math.ceil(error.retryAfter));
  if (error.acceptEncoding !== undefined) headers["Accept-Encoding"] = error.acceptEncoding;
  // Closes the connection, because the client may otherwise keep sending a body that is discarded.
  if (error.kind === "TooLarge" || error.kind === "TooSlow") headers.Connection = "close";
  if (error.kind === "Unauthenticated") headers["WWW-Authenticate"] = "Bearer";
  // The message may quote input with lone surrogates, which some JSON parsers reject.
  return { status: STATUSES[error.kind], message: toStorable(error.message), headers };
}
