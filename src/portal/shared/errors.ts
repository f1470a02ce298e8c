import { ApiError } from "../api/client.ts";
import { MissingPart } from "./missing-part.ts";

/** Returns the server's message, or says that the server can't be reached. */
export const messageOf = (error: unknown): string =>
  error instanceof ApiError || error instanceof MissingPart
    ? error.message
    : "Couldn't reach the server. Check your connection and try again.";

export const isMissing = (error: unknown): boolean => error instanceof ApiError && error.status === 404;
