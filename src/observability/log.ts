/** More about an event, under names that no other part of a line has. */
type Fields = Readonly<Record<string, string | number | boolean>> & {
  readonly [Name in "time" | "level" | "message" | "requestId" | "detail"]?: never;
};

/** What all lines of a log have in common. */
export interface LogContext {
  /** The id that the answer to a request carries as `X-Request-Id`. */
  readonly requestId: string;
}

export interface LogEvent {
  /** One sentence. Values that differ from time to time belong into `fields`, where they can be searched for. */
  message: string;
  /** The reason; written with its stack and causes. */
  error?: unknown;
  fields?: Fields;
}

/** The server's log, for operators. It never gets secrets or what reports contain. */
export interface Log {
  /** Logs what failed and needs attention. */
  error(event: LogEvent): void;
  /** Logs what failed and will be tried again, or needs attention soon. */
  warn(event: LogEvent): void;
  /** Logs a change that is good to know, such as a recovery. */
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
