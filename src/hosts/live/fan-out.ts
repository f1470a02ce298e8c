/** Sockets that are told something in one turn of the event loop: each takes about 7 µs, most of it the kernel's. */
const SLICE = 128;

interface Errand<Socket> {
  untold: Set<Socket>;
  say(socket: Socket): void;
}

export type FanOut<Socket> = ReturnType<typeof createFanOut<Socket>>;

/**
 * Tells any number of sockets something without holding the event loop: some in each turn, the rooms taking turns.
 * `later` runs work when everything else that waits has had its turn.
 */
export function createFanOut<Socket>(later: (work: () => void) => void) {
  const errands = new Map<ReadonlySet<Socket>, Errand<Socket>>();
  let isScheduled = false;

  /**
   * Says something to all who are in a room now and still are when it is their turn. It takes the place of what has not
   * been said yet, and is heard first by those who have not heard that.
   */
  function tell(room: ReadonlySet<Socket>, say: (socket: Socket) => void): void {
    errands.set(room, { untold: new Set([...(errands.get(room)?.untold ?? []), ...room]), say });
    if (!isScheduled) takeTurn();
  }

  function takeTurn(): void {
    let left = SLICE;
    for (const [room, errand] of errands) {
      if (left === 0) break;
      left -= tellSome(room, errand, left);
      // At the end of the line, so that a large room keeps no other waiting.
      errands.delete(room);
      if (errand.untold.size > 0) errands.set(room, errand);
    }
    isScheduled = errands.size > 0;
    if (isScheduled) later(takeTurn);
  }

  function tellSome(room: ReadonlySet<Socket>, { untold, say }: Errand<Socket>, atMost: number): number {
    let told = 0;
    for (const socket of untold) {
      if (told === atMost) break;
      untold.delete(socket);
      if (!room.has(socket)) continue;
      say(socket);
      told++;
    }
    return told;
  }

  /** Whether some in a room have still not heard what was last to be said. */
  const isTelling = (room: ReadonlySet<Socket>): boolean => errands.has(room);

  return { tell, isTelling };
}
