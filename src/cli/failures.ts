import type { ApiError } from "../client/client.ts";
import { CommandError, EXIT_CODES } from "./output.ts";

/** Statuses that mean the server did nothing. */
export const NOTHING_DONE: readonly number[] = [429, 503];
/** Statuses that leave open whether the server did anything. */
export const OUTCOME_UNKNOWN: readonly number[] = [502, 504];

/** Returns the error for a failed request, with what to do next. */
export function explainAnswer({ status, message }: ApiError): CommandError {
  if (status === 401) {
    const next = "Run vitrine login, or set VITRINE_TOKEN to a valid token.";
    return new CommandError(`${message} ${next}`, EXIT_CODES.notSignedIn);
  }
  const isBusy = NOTHING_DONE.includes(status) || OUTCOME_UNKNOWN.includes(status);
  return new CommandError(message, isBusy ? EXIT_CODES.unreachable : EXIT_CODES.failed);
}

export const isNetworkError = (error: unknown): error is Error =>
  !(error instanceof CommandError) &&
  error instanceof Error &&
  (("code" in error && !isDiskError(error)) || error instanceof TypeError);

const DISK = /^(ENOENT|EEXIST|EACCES|EPERM|ENOSPC|EDQUOT|EROFS|ENOTDIR|EISDIR|EFBIG|EIO|EMFILE|ENAMETOOLONG)$/;

/** Returns whether an error comes from the file system, whose errors have codes just like those of the network. */
export const isDiskError = (error: unknown): error is Error =>
  error instanceof Error && "code" in error && typeof error.code === "string" && DISK.test(error.code);

/** Returns the message for a server that sent something unexpected. */
export const notVitrine = (baseUrl: string): string =>
  `${baseUrl} doesn't look like a Vitrine server. Check VITRINE_URL.`;

/** Returns a `CommandError` for a connection failure or an unexpected response, and any other error unchanged. */
export function explainFailure(error: unknown, baseUrl: string): unknown {
  if (isNetworkError(error)) {
    const message = `Can't reach the server at ${baseUrl}. Check that it is running and that VITRINE_URL is correct.`;
    return new CommandError(message, EXIT_CODES.unreachable);
  }
  if (error instanceof Error && (error.name === "SyntaxError" || error.name === "ZodError")) {
    return new CommandError(notVitrine(baseUrl));
  }
  return error;
}
