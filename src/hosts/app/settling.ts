import type { MiddlewareHandler } from "hono";
import type { Events } from "../../domain/model/events.ts";

const UNAUTHENTICATED = 401;

/** Returns the middleware that holds the answer to a change back until all replicas know of the change. */
export const settleChanges =
  ({ settled }: Pick<Events, "settled">): MiddlewareHandler =>
  async (context, next) => {
    await next();
    const { status } = context.res;
    // A request without a valid credential has changed nothing, so it doesn't wait for the changes of others.
    const mayHaveChanged = context.req.method !== "GET" && status < 500 && status !== UNAUTHENTICATED;
    if (mayHaveChanged) await settled();
  };
