import type { Instant } from "../domain/model/entities.ts";
import type { Clock } from "../domain/model/ports.ts";
import type { Log, LogContext, LogEvent } from "./log.ts";

export interface RecentError {
  at: Instant;
  message: string;
  /** The error's message without its stack; null if the event had no error. */
  detail: string | null;
  requestId: string | null;
}

const KEPT = 100;
const DETAIL_CHARACTERS = 500;

/** Keeps the last errors of a log in memory, for operators. The log itself stays complete. */
export function createRecentErrors(log: Log, clock: Clock) {
  const errors: RecentError[] = [];

  function keep({ message, error }: LogEvent, requestId: string | undefined): void {
    errors.push({ at: clock.now(), message, detail: describe(error), requestId: requestId ?? null });
    if (errors.length > KEPT) errors.shift();
  }

  const keeping = (inner: Log, context: Partial<LogContext>): Log => ({
    ...inner,
    error(event) {
      keep(event, event.context?.requestId ?? context.requestId);
      inner.error(event);
    },
    child: (more) => keeping(inner.child(more), { ...context, ...more }),
  });

  return {
    log: keeping(log, {}),
    /** Returns the last errors, newest first. */
    list: (): RecentError[] => errors.toReversed(),
  };
}

function describe(error: unknown): string | null {
  if (error === undefined) return null;
  const text = error instanceof Error ? error.message : String(error);
  return text.slice(0, DETAIL_CHARACTERS);
}
