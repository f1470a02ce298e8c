import type { ServerLog } from "./create-log.ts";
import type { LogEvent } from "./log.ts";
import type { AnsweredRequest, ObserveRequest } from "./requests.ts";

/** Which requests the log lists: none, those to the application host, or also those for published files. */
export type RequestLogScope = "off" | "app" | "all";

interface RequestLogOptions {
  log: Pick<ServerLog, "debug" | "info" | "warn">;
  scope: RequestLogScope;
  /** Milliseconds from which a request is logged as slow; 0 means never. */
  slowRequest: number;
}

/** Routes that load balancers and browsers request all the time. */
const FREQUENT = /^\/-\/(?:live|ready|metrics|assets\/|favicon)|^\/favicon/;

/** Returns an observer that logs requests, and slow ones as warnings. Undefined if it would never log. */
export function createRequestLog({ log, scope, slowRequest }: RequestLogOptions): ObserveRequest | undefined {
  if (scope === "off" && slowRequest === 0) return undefined;
  const isListed = ({ host }: AnsweredRequest) => scope === "all" || (scope === "app" && host === "app");
  return (request) => {
    if (slowRequest > 0 && request.duration >= slowRequest) log.warn(describe("A request was slow.", request));
    else if (isListed(request)) log[FREQUENT.test(request.route) ? "debug" : "info"](describe("request", request));
  };
}

function describe(message: string, request: AnsweredRequest): LogEvent {
  const { host, method, route, status, duration, requestId, userId, tokenId, code, trace } = request;
  const fields = {
    host,
    method,
    route,
    status,
    durationMs: Math.round(duration * 100) / 100,
    ...(code === undefined ? {} : { code }),
    ...(userId === undefined ? {} : { userId }),
    ...(tokenId === undefined ? {} : { tokenId }),
  };
  return { message, fields, context: { requestId, trace_id: trace?.traceId } };
}
