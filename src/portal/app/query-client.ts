import { QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError } from "../api/client.ts";

const RETRIES = 2;

/** What the server refused is not asked for again; what did not reach it is. */
const isWorthARetry = (failures: number, error: Error) =>
  failures < RETRIES && !(error instanceof ApiError && error.status < 500);

/** `onExpired` is called when the session turns out to be over. */
export const createQueries = (onExpired: () => void) =>
  new QueryClient({
    queryCache: new QueryCache({
      onError: (error) => {
        if (error instanceof ApiError && error.status === 401) onExpired();
      },
    }),
    // The socket says what has changed.
    defaultOptions: { queries: { staleTime: 60_000, retry: isWorthARetry }, mutations: { retry: false } },
  });
