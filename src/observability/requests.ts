import type { TraceContext } from "./tracing/trace-context.ts";

/** A request that has been answered. It says nothing about what was requested that is secret, so it has no path. */
export interface AnsweredRequest {
  host: "app" | "content" | "live";
  method: string;
  /** The template of the path, such as `/{code}/{file}`. */
  route: string;
  status: number;
  /** Milliseconds until the answer was ready, without the time to send it. */
  duration: number;
  requestId?: string | undefined;
  userId?: string | undefined;
  /** The ID of the access token. */
  tokenId?: string | undefined;
  /** The code of the version that was requested. */
  code?: string | undefined;
  trace?: TraceContext | undefined;
}

export type ObserveRequest = (request: AnsweredRequest) => void;

/** Returns one observer for all given ones, or undefined without any. */
export function observeWithAll(observers: readonly (ObserveRequest | undefined)[]): ObserveRequest | undefined {
  const given = observers.filter((observe) => observe !== undefined);
  const [only, ...others] = given;
  if (others.length === 0) return only;
  return (request) => {
    for (const observe of given) observe(request);
  };
}
