/** Causes that are followed; an error may be its own cause. */
const CAUSES = 5;

/** Returns an error's stack and those of its causes, or anything else that was thrown as text. */
export function describeError(error: unknown, causes = CAUSES): string {
  if (!(error instanceof Error)) return String(error);
  const own = error.stack ?? `${error.name}: ${error.message}`;
  const [cause] = error instanceof AggregateError ? error.errors : [error.cause];
  return cause === undefined || causes === 0 ? own : `${own}\nCaused by: ${describeError(cause, causes - 1)}`;
}
