import { describeError } from "./describe-error.ts";
import type { Log, LogContext, LogEvent } from "./log.ts";

interface JsonLogDependencies {
  clock: { now(): number };
  /** Takes one line, with its line break. */
  write(line: string): void;
}

/** Returns a log that writes each event as one line of JSON. */
export function createJsonLog({ clock, write }: JsonLogDependencies, context?: LogContext): Log {
  const writer =
    (level: "error" | "warn" | "info") =>
    ({ message, error, fields }: LogEvent): void => {
      const time = new Date(clock.now()).toISOString();
      const detail = error === undefined ? {} : { detail: describeError(error) };
      write(`${JSON.stringify({ time, level, message, ...context, ...fields, ...detail })}\n`);
    };
  return {
    error: writer("error"),
    warn: writer("warn"),
    info: writer("info"),
    child: (more) => createJsonLog({ clock, write }, { ...context, ...more }),
  };
}
