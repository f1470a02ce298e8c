import { QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError } from "../api/client.ts";

const RETRIES = 2;

/** Retries what didn't reach the server, never what it refused. */
const isRetryable = (failures: number, error: Error) =>
  failures < RETRIES && !(error instanceof ApiError && error.status < 500);

/** `onExpired` is called when the session has ended. */
export const createQueries = (onExpired: () => void) =>
  new QueryClient({
    queryCache: new QueryCache({
      onError: (error) => {
        if (error instanceof ApiError && error.status === 401) onExpired();
      },
    }),
    // The socket reports changes.
    defaultOptions: { queries: { staleTime: 60_000, retry: isRetryable }, mutations: { retry: false } },
  });
