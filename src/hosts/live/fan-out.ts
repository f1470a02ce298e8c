/** The number of sockets to send to in one turn of the event loop. Each takes about 7 µs, most of it in the kernel. */
const SLICE = 128;

/** Receives the milliseconds from a message to the last socket that it was sent to. */
export type NoteFanOut = (milliseconds: number) => void;

interface Broadcast<Socket> {
  /** Undefined if nothing notes the duration. */
  startedAt: number | undefined;
  pending: Set<Socket>;
  send(socket: Socket): void;
}

export type FanOut<Socket> = ReturnType<typeof createFanOut<Socket>>;

/**
 * Creates broadcasts to any number of sockets that do not block the event loop: each turn sends to some sockets, and
 * rooms take turns. `later` runs work after everything that is already waiting.
 */
export function createFanOut<Socket>(later: (work: () => void) => void, note?: NoteFanOut | undefined) {
  const broadcasts = new Map<ReadonlySet<Socket>, Broadcast<Socket>>();
  let isScheduled = false;

  /**
   * Sends to all sockets that are in a room now and still are when their turn comes. It replaces an unfinished broadcast to
   * the room, starting with the sockets that have not received that one.
   */
  function tell(room: ReadonlySet<Socket>, send: (socket: Socket) => void): void {
    const unfinished = broadcasts.get(room);
    const startedAt = note && (unfinished?.startedAt ?? performance.now());
    broadcasts.set(room, { startedAt, pending: new Set([...(unfinished?.pending ?? []), ...room]), send });
    if (!isScheduled) takeTurn();
  }

  function takeTurn(): void {
    let left = SLICE;
    for (const [room, broadcast] of broadcasts) {
      if (left === 0) break;
      left -= sendToSome(room, broadcast, left);
      // Moves the room to the end of the queue, so that a large room does not delay others.
      broadcasts.delete(room);
      if (broadcast.pending.size > 0) broadcasts.set(room, broadcast);
      else if (broadcast.startedAt !== undefined) note?.(performance.now() - broadcast.startedAt);
    }
    isScheduled = broadcasts.size > 0;
    if (isScheduled) later(takeTurn);
  }

  function sendToSome(room: ReadonlySet<Socket>, { pending, send }: Broadcast<Socket>, limit: number): number {
    let sent = 0;
    for (const socket of pending) {
      if (sent === limit) break;
      pending.delete(socket);
      if (!room.has(socket)) continue;
      send(socket);
      sent++;
    }
    return sent;
  }

  /** Returns whether a broadcast to a room is unfinished. */
  const isTelling = (room: ReadonlySet<Socket>): boolean => broadcasts.has(room);

  return { tell, isTelling };
}
