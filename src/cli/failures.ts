import type { ApiError } from "../client/client.ts";
import { CommandError, EXIT_CODES } from "./output.ts";

/** Statuses that mean the server did nothing. */
export const NOTHING_DONE: readonly number[] = [429, 503];
/** Statuses that leave open whether the server did anything. */
export const OUTCOME_UNKNOWN: readonly number[] = [502, 504];

/** Returns what an error of the file system says for people: `permission denied` of `EACCES: permission denied, open 'a'`. */
export const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/^[A-Z]+: /, "").replace(/, \w+(?: '.*)?$/s, "");

/** A server, and what names its address, such as `VITRINE_URL`, for errors. */
export interface ServerAddress {
  url: string;
  source: string;
}

/** Returns the error for a failed request, with what to do next. `advice` says how to get a valid token. */
export function explainAnswer(
  { status, message, requestId }: ApiError,
  server: ServerAddress,
  advice: string,
): CommandError {
  if (status === 401) return new CommandError(`${message} ${advice}`.trimEnd(), EXIT_CODES.notSignedIn);
  // Vitrine gives every request an ID.
  if (requestId === undefined && (status === 404 || status === 405)) return notVitrine(server);
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

const notVitrine = ({ url, source }: ServerAddress): CommandError =>
  new CommandError(`${url} doesn't look like a Vitrine server. Check ${source}.`);

/** Returns a `CommandError` for a connection failure or an unexpected response, and any other error unchanged. */
export function explainFailure(error: unknown, server: ServerAddress): unknown {
  if (isNetworkError(error)) return new CommandError(describeNetworkError(error, server), EXIT_CODES.unreachable);
  const isUnexpected = error instanceof Error && (error.name === "SyntaxError" || error.name === "ZodError");
  return isUnexpected ? notVitrine(server) : error;
}

function describeNetworkError(error: Error, { url, source }: ServerAddress): string {
  const certificateProblem = [error, error.cause].map(codeOf).find((code) => CERTIFICATE.test(code));
  return certificateProblem === undefined
    ? `Can't reach the server at ${url}. Check that it is running and that ${source} is correct.`
    : `The certificate of ${url} isn't trusted (${certificateProblem}). Set NODE_EXTRA_CA_CERTS to the file of its certificate authority.`;
}

/** The codes of OpenSSL's errors about certificates. */
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)/;

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
