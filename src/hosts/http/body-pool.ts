import { unavailable } from "../../domain/model/failure.ts";

/** How long a body waits for room, in milliseconds. */
const PATIENCE = 50_000;

/** Room that one body has. */
export interface BodyLease {
  /** Resolves when there is room for so many more bytes. Throws `Unavailable` after waiting in vain. */
  take(bytes: number): Promise<void>;
  /** Gives everything back, once. */
  release(): void;
}

export interface PoolSizes {
  /** Bytes of all bodies together. */
  total: number;
  /** Bytes of one sender's bodies. */
  share: number;
}

interface Sender {
  used: number;
  /** The body that may go over the sender's share. */
  overdrawn: object | undefined;
}

interface Waiter {
  lease: object;
  sender: Sender;
  bytes: number;
  grant(): void;
}

/**
 * Room for bodies. A body that finds none is not read on, so that its sender waits. One body at a time may go over the
 * total, and one of each sender over its share: the one that has waited longest, so that half-read bodies cannot block
 * each other.
 */
export function createBodyPool({ total, share }: PoolSizes): { open(sender: string): BodyLease } {
  const senders = new Map<string, Sender & { leases: number }>();
  const waiting: Waiter[] = [];
  let used = 0;
  let overdrawn: object | undefined;

  /** The body that may exceed the total must make progress, whatever else its sender has sent. */
  const fitsShare = ({ lease, sender, bytes }: Omit<Waiter, "grant">) =>
    sender.used + bytes <= share || sender.overdrawn === undefined || sender.overdrawn === lease || overdrawn === lease;

  const fitsTotal = ({ lease, bytes }: Omit<Waiter, "grant">) =>
    used + bytes <= total || overdrawn === undefined || overdrawn === lease;

  function take({ lease, sender, bytes }: Omit<Waiter, "grant">): void {
    if (used + bytes > total) overdrawn = lease;
    if (sender.used + bytes > share) sender.overdrawn ??= lease;
    used += bytes;
    sender.used += bytes;
  }

  /** In the order in which they came; those that wait for their own sender's bodies do not delay others. */
  function grantWaiting(): void {
    for (let position = 0; position < waiting.length; ) {
      const waiter = waiting[position];
      if (waiter === undefined || !fitsShare(waiter)) position++;
      else if (!fitsTotal(waiter)) return;
      else {
        waiting.splice(position, 1);
        take(waiter);
        waiter.grant();
        // It may now be the one that goes over the total, whom its share no longer holds up.
        position = 0;
      }
    }
  }

  const mayPass = (wanted: Omit<Waiter, "grant">) =>
    overdrawn === wanted.lease || (fitsShare(wanted) && fitsTotal(wanted) && !waiting.some(fitsShare));

  function wait(wanted: Omit<Waiter, "grant">): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(waiter), 1);
        reject(unavailable("The server is busy with other uploads; try again."));
      }, PATIENCE);
      const waiter: Waiter = {
        ...wanted,
        grant() {
          clearTimeout(timer);
          resolve();
        },
      };
      waiting.push(waiter);
    });
  }

  function open(name: string): BodyLease {
    const lease = {};
    const sender = senders.get(name) ?? { used: 0, overdrawn: undefined, leases: 0 };
    sender.leases++;
    senders.set(name, sender);
    let taken = 0;
    return {
      async take(bytes) {
        const wanted = { lease, sender, bytes };
        if (mayPass(wanted)) take(wanted);
        else await wait(wanted);
        taken += bytes;
      },
      release() {
        used -= taken;
        sender.used -= taken;
        taken = 0;
        if (overdrawn === lease) overdrawn = undefined;
        if (sender.overdrawn === lease) sender.overdrawn = undefined;
        if (--sender.leases === 0) senders.delete(name);
        grantWaiting();
      },
    };
  }

  return { open };
}
