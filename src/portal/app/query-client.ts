import { QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError } from "../api/client.ts";

const RETRIES = 2;

/**
 * Asks the server even if the browser says that there is no network: it may run on this machine or in its network. A
 * request that can't be sent fails, and isn't sent later.
 */
const REACHABLE = { networkMode: "always" } as const;

/** Retries what didn't reach the server, never what it refused. */
const isRetryable = (failures: number, error: Error) =>
  failures < RETRIES && !(error instanceof ApiError && error.status < 500);

/** `onRefused` is called when the session may have ended. */
export const createQueries = (onRefused: () => unknown) =>
  new QueryClient({
    queryCache: new QueryCache({
      onError: (error) => {
        if (error instanceof ApiError && error.status === 401) onRefused();
      },
    }),
    defaultOptions: {
      // The socket reports changes.
      queries: { ...REACHABLE, refetchOnReconnect: true, staleTime: 60_000, retry: isRetryable },
      mutations: { ...REACHABLE, retry: false },
    },
  });
