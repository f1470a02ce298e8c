import { unavailable } from "../../domain/model/failure.ts";

/** The maximum time that a body waits for room, in milliseconds. */
const PATIENCE = 50_000;

/** The room reserved for one body. */
export interface BodyLease {
  /** Resolves when there is room for this many more bytes. Throws `Unavailable` after waiting too long. */
  take(bytes: number): Promise<void>;
  /** Releases all reserved room. Call it once. */
  release(): void;
}

export interface PoolSizes {
  /** The room for all bodies together, in bytes. */
  total: number;
  /** The room for the bodies of one sender, in bytes. */
  share: number;
}

interface Sender {
  used: number;
  /** The body that may exceed the sender's share. */
  overdrawn: object | undefined;
}

interface Waiter {
  lease: object;
  sender: Sender;
  bytes: number;
  grant(): void;
}

/**
 * Creates a pool of room for bodies. A body without room is not read further, so its sender waits. To prevent half-read
 * bodies from blocking each other, the longest-waiting body may exceed the total, and one body of each sender its share.
 */
export function createBodyPool({ total, share }: PoolSizes): { open(sender: string): BodyLease } {
  const senders = new Map<string, Sender & { leases: number }>();
  const waiting: Waiter[] = [];
  let used = 0;
  let overdrawn: object | undefined;

  /** Checks the sender's share. The body that exceeds the total always passes, because it must make progress. */
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

  /** Grants room in order of arrival. Bodies held up by their sender's share do not delay other senders. */
  function grantWaiting(): void {
    for (let position = 0; position < waiting.length; ) {
      const waiter = waiting[position];
      if (waiter === undefined || !fitsShare(waiter)) position++;
      else if (!fitsTotal(waiter)) return;
      else {
        waiting.splice(position, 1);
        take(waiter);
        waiter.grant();
        // A waiter before this one may fit now: its sender's share no longer holds it up.
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
        reject(unavailable("The server is busy with other uploads. Try again in a few seconds."));
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
