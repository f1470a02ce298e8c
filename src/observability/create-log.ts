import { describeError } from "./describe-error.ts";
import { LOG_LEVELS, type Log, type LogContext, type LogEvent, type LogLevel } from "./log.ts";

export type LogFormat = "json" | "text";

interface LogDependencies {
  clock: { now(): number };
  /** Takes one event, with its line break. */
  write(text: string, level: LogLevel): void;
  /** Events below this level are dropped. */
  level?: LogLevel;
  format?: LogFormat;
  /** Returns the ID of the trace that the current request belongs to. */
  traceId?: () => string | undefined;
}

/** A log that also takes events which are only of interest when looking for a problem. */
export interface ServerLog extends Log {
  debug(event: LogEvent): void;
}

/** Returns a log that writes each event as one line of JSON, or as text for people. */
export function createLog(dependencies: LogDependencies, context?: LogContext): ServerLog {
  const { clock, write, level = "info", format = "json", traceId = () => undefined } = dependencies;
  const lowest = LOG_LEVELS.indexOf(level);
  const render = format === "json" ? renderJson : renderText;

  const writer = (own: LogLevel) => {
    if (LOG_LEVELS.indexOf(own) < lowest) return () => undefined;
    return (event: LogEvent): void => {
      const shared = { trace_id: traceId(), ...context, ...event.context };
      write(render({ time: new Date(clock.now()).toISOString(), level: own, shared, event }), own);
    };
  };
  return {
    error: writer("error"),
    warn: writer("warn"),
    info: writer("info"),
    debug: writer("debug"),
    child: (more) => createLog(dependencies, { ...context, ...more }),
  };
}

interface Entry {
  time: string;
  level: LogLevel;
  shared: LogContext;
  event: LogEvent;
}

function renderJson({ time, level, shared, event: { message, error, fields } }: Entry): string {
  const detail = error === undefined ? {} : { detail: describeError(error) };
  return `${JSON.stringify({ time, level, message, ...shared, ...fields, ...detail })}\n`;
}

function renderText({ time, level, shared, event: { message, error, fields } }: Entry): string {
  const values = Object.entries({ ...shared, ...fields })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `  ${name}=${renderValue(value)}`);
  const detail = error === undefined ? "" : `\n${describeError(error).replace(/^/gm, "    ")}`;
  const when = time.replace("T", " ").replace("Z", "");
  return `${when} ${level.toUpperCase().padEnd(5)} ${message}${values.join("")}${detail}\n`;
}

/** Quotes a value that would not read as one word. Escapes control characters, which could rewrite the terminal. */
function renderValue(value: unknown): string {
  const text = String(value);
  return /^[\w@%+=:,./{}-]+$/.test(text) ? text : JSON.stringify(text);
}
