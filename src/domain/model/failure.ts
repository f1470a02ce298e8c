/** The ways in which a request can fail, in the service's own words. Hosts turn them into statuses in one place. */
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
 * A failure whose message may be shown to whoever caused it: one sentence, naming the field at fault.
 * What only the operator may see goes into `cause`.
 */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly kind: FailureKind;
  /** Seconds after which trying again makes sense. */
  readonly retryAfter: number | undefined;
  /** The encodings of a body, one of which would have done. */
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
    "This report's files are missing or damaged on this server. Ask whoever runs it to restore them from a backup.",
  );
export const conflict = (message: string) => new Failure("Conflict", message);
export const tooLarge = (message: string) => new Failure("TooLarge", message);
export const quotaFull = (message: string) => new Failure("QuotaFull", message);
export const storageFull = (cause?: unknown) =>
  new Failure("StorageFull", "The server's storage is full; nothing was changed.", { cause });
export const unavailable = (message: string, options: { cause?: unknown; retryAfter?: number } = {}) =>
  new Failure("Unavailable", message, { retryAfter: 1, ...options });
