import { unavailable } from "../../domain/failure.ts";

/** How long a body waits for room, in milliseconds. */
const PATIENCE = 50_000;

/** One request's share of the budget. */
export interface BodyLease {
  /** Resolves when there is room for so many more bytes. Throws `Unavailable` when there is none for long. */
  take(bytes: number): Promise<void>;
  /** Gives everything back. */
  release(): void;
}

interface Waiter {
  lease: object;
  bytes: number;
  grant(): void;
}

/**
 * Bounds the memory that request bodies take together. A body that finds no room is not read on, so that its sender
 * waits; one at a time may go over the budget, the one that has waited longest, so that many half-read bodies cannot
 * block each other.
 */
export function createBodyBudget(budget: number): { open(): BodyLease } {
  let used = 0;
  let overdrawn: object | undefined;
  const waiting: Waiter[] = [];

  function mayTake(lease: object, bytes: number): boolean {
    if (used + bytes <= budget || overdrawn === lease) return true;
    if (overdrawn !== undefined) return false;
    overdrawn = lease;
    return true;
  }

  function grantWaiting(): void {
    for (let next = waiting[0]; next !== undefined && mayTake(next.lease, next.bytes); next = waiting[0]) {
      waiting.shift();
      used += next.bytes;
      next.grant();
    }
  }

  function wait(lease: object, bytes: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = { lease, bytes, grant: resolve };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(waiter), 1);
        reject(unavailable("The server is busy with other uploads; try again."));
      }, PATIENCE);
      waiter.grant = () => {
        clearTimeout(timer);
        resolve();
      };
      waiting.push(waiter);
    });
  }

  function open(): BodyLease {
    const lease = {};
    let taken = 0;
    return {
      async take(bytes) {
        if (waiting.length === 0 && mayTake(lease, bytes)) used += bytes;
        else if (overdrawn === lease) used += bytes;
        else await wait(lease, bytes);
        taken += bytes;
      },
      release() {
        used -= taken;
        taken = 0;
        if (overdrawn === lease) overdrawn = undefined;
        grantWaiting();
      },
    };
  }

  return { open };
}
