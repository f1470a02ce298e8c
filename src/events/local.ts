import type { ChangeEvent, Events, Gossip } from "../domain/model/events.ts";

/**
 * Announces changes within this process. Every listener has run when `publish` returns, and also when it throws because a
 * listener has thrown.
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
      if (errors.length > 0) throw new AggregateError(errors, `A listener failed to handle ${event.kind}.`);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    settled: () => undefined,
    isHearing: () => true,
  };
}

/** The gossip of a server without replicas. */
export const silence: Gossip = {
  ownId: "",
  tell: async () => undefined,
  listen: () => undefined,
  whenJoined: () => undefined,
  whenGone: () => undefined,
};
