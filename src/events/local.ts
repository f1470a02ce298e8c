import type { ChangeEvent, Events } from "../domain/ports.ts";

/** Changes told within this process: every listener has run when `publish` returns. */
export function createLocalEvents(): Events {
  const listeners = new Set<(event: ChangeEvent) => void>();
  return {
    publish(event) {
      for (const listener of listeners) listener(event);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    settled: () => undefined,
    isHearing: () => true,
  };
}
