import type { ApiError } from "../client/client.ts";
import { CommandError, EXIT_CODES } from "./output.ts";

/** With these the server has done nothing, */
export const REFUSED_FOR_NOW: readonly number[] = [429, 503];
/** and with these nobody knows. */
export const MAYBE_DONE: readonly number[] = [502, 504];

/** What the server said, with what to do next. */
export function refused({ status, message }: ApiError): CommandError {
  if (status === 401) {
    const next = "Run vitrine login, or set VITRINE_TOKEN to a valid one.";
    return new CommandError(`${message} ${next}`, EXIT_CODES.notSignedIn);
  }
  const isBusy = REFUSED_FOR_NOW.includes(status) || MAYBE_DONE.includes(status);
  return new CommandError(message, isBusy ? EXIT_CODES.unreachable : EXIT_CODES.failed);
}

export const isNetworkError = (error: unknown): error is Error =>
  !(error instanceof CommandError) &&
  error instanceof Error &&
  (("code" in error && !isDiskError(error)) || error instanceof TypeError);

const DISK = /^(ENOENT|EEXIST|EACCES|EPERM|ENOSPC|EDQUOT|EROFS|ENOTDIR|EISDIR|EFBIG|EIO|EMFILE|ENAMETOOLONG)$/;

/** Disks and directories have codes as networks do. */
export const isDiskError = (error: unknown): error is Error =>
  error instanceof Error && "code" in error && typeof error.code === "string" && DISK.test(error.code);

/** A failure on the way to the server, in words; anything else as it is. */
export function explain(error: unknown, baseUrl: string): unknown {
  if (isNetworkError(error)) {
    const message = `The server at ${baseUrl} cannot be reached. Is it running, and is VITRINE_URL right?`;
    return new CommandError(message, EXIT_CODES.unreachable);
  }
  if (error instanceof Error && (error.name === "SyntaxError" || error.name === "ZodError")) {
    return new CommandError(`What answers at ${baseUrl} is no Vitrine server. Is VITRINE_URL right?`);
  }
  return error;
}
