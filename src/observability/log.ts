/** Values of an event, under names that are not used otherwise in a line. */
type Fields = Readonly<Record<string, string | number | boolean>> & {
  readonly [Name in "time" | "level" | "message" | "requestId" | "trace_id" | "detail"]?: never;
};

/** The levels of a log, from the most to the least verbose. */
export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The request that a line belongs to. */
export interface LogContext {
  /** The id that the answer to a request carries as `X-Request-Id`. */
  readonly requestId?: string | undefined;
  /** The ID of the trace that the request belongs to (W3C Trace Context). */
  readonly trace_id?: string | undefined;
}

export interface LogEvent {
  /** One sentence. Values that vary belong in `fields`, where they can be searched. */
  message: string;
  /** Written with its stack and causes. */
  error?: unknown;
  fields?: Fields;
  context?: LogContext;
}

/** The server's log, for operators. Never pass it secrets or the content of reports. */
export interface Log {
  /** Logs a failure that needs attention. */
  error(event: LogEvent): void;
  /** Logs a failure that is retried, or that needs attention soon. */
  warn(event: LogEvent): void;
  /** Logs a useful event, such as a recovery. */
  info(event: LogEvent): void;
  /** Returns a log that adds the context to every line. */
  child(context: LogContext): Log;
}

/** Drops everything, for commands that report failures themselves. */
export const silentLog: Log = {
  error: () => undefined,
  warn: () => undefined,
  info: () => undefined,
  child: () => silentLog,
};
