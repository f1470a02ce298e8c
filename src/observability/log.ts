/** Values of an event, under names that are not used otherwise in a line. */
type Fields = Readonly<Record<string, string | number | boolean>> & {
  readonly [Name in "time" | "level" | "message" | "requestId" | "detail"]?: never;
};

/** What all lines of a log have in common. */
export interface LogContext {
  /** The id that the answer to a request carries as `X-Request-Id`. */
  readonly requestId: string;
}

export interface LogEvent {
  /** One sentence. Values that vary belong in `fields`, where they can be searched. */
  message: string;
  /** Written with its stack and causes. */
  error?: unknown;
  fields?: Fields;
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
