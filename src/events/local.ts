import type { ChangeEvent, Events, Gossip } from "../domain/model/events.ts";

/**
 * Changes told within this process: every listener has run when `publish` returns. It throws when one of them has, but
 * then as well all others have run.
 */
export function createLocalEvents(): Events {
  const listeners = new Set<(event: ChangeEvent) => void>();
  return {
    publish(event) {
      const errors: unknown[] = [];
      for (const listener of listeners) {
        try {
          listener(event);
        } catch (error) {
          errors.push(error);
        }
      }
      if (errors.length > 0) throw new AggregateError(errors, `Not all is done that follows from ${event.kind}.`);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    settled: () => undefined,
    isHearing: () => true,
  };
}

/** Nobody else is there. */
export const silence: Gossip = {
  ownId: "",
  tell: async () => undefined,
  listen: () => undefined,
  whenJoined: () => undefined,
  whenGone: () => undefined,
};
