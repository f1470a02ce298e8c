import type { Log, LogEvent } from "../../src/observability/log.ts";
import { until } from "./until.ts";

interface LoggedEvent extends LogEvent {
  level: "error" | "warn" | "info";
}

/** Returns a log and the events it got. */
export function createRecordingLog(): { log: Log; events: LoggedEvent[] } {
  const events: LoggedEvent[] = [];
  const recorder = (level: LoggedEvent["level"]) => (event: LogEvent) => void events.push({ level, ...event });
  const log: Log = { error: recorder("error"), warn: recorder("warn"), info: recorder("info"), child: () => log };
  return { log, events };
}

/** Waits until a server's log matches and resolves to the match: what a server prints may be read after its answers. */
export const logged = (server: { log(): string }, pattern: RegExp): Promise<RegExpExecArray> =>
  until(() => pattern.exec(server.log()) ?? undefined);
