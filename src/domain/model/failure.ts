/** The kinds of failure, which the hosts map to HTTP statuses in one place. */
export type FailureKind =
  | "Invalid"
  | "Unauthenticated"
  | "Forbidden"
  | "NotFound"
  | "Damaged"
  | "Conflict"
  | "TooLarge"
  | "TooSlow"
  | "Unsupported"
  | "QuotaFull"
  | "StorageFull"
  | "TooManyRequests"
  | "Unavailable";

/**
 * A failure whose message is shown to the caller: what happened, naming the field at fault, and what to do about it.
 * `cause` holds details for the operator's log only.
 */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly kind: FailureKind;
  /** The number of seconds to wait before trying again. */
  readonly retryAfter: number | undefined;
  /** The supported encodings of a body. */
  readonly acceptEncoding: string | undefined;

  constructor(
    kind: FailureKind,
    message: string,
    options: { cause?: unknown; retryAfter?: number; acceptEncoding?: string } = {},
  ) {
    super(message, { cause: options.cause });
    this.kind = kind;
    this.retryAfter = options.retryAfter;
    this.acceptEncoding = options.acceptEncoding;
  }
}

export const invalid = (message: string) => new Failure("Invalid", message);
export const unauthenticated = (message: string) => new Failure("Unauthenticated", message);
export const forbidden = (message: string) => new Failure("Forbidden", message);
export const notFound = (message: string) => new Failure("NotFound", message);
export const damaged = () =>
  new Failure(
    "Damaged",
    "This report's files are missing or damaged on this server. Ask the server's administrator to restore them from a backup.",
  );
export const conflict = (message: string) => new Failure("Conflict", message);
export const tooLarge = (message: string) => new Failure("TooLarge", message);
export const quotaFull = (message: string) => new Failure("QuotaFull", message);
export const storageFull = (cause?: unknown) =>
  new Failure(
    "StorageFull",
    "The server's storage is full, so nothing was changed. Ask the server's administrator to free up space.",
    { cause },
  );
export const unavailable = (message: string, options: { cause?: unknown; retryAfter?: number } = {}) =>
  new Failure("Unavailable", message, { retryAfter: 1, ...options });
