/**
 * Pings each socket once in `turns` turns. Bun's own pings reach all sockets that are due at once, and sockets opened
 * together stay together: ten thousand blocked the event loop for 70 ms.
 */
export function createKeepAlive<Socket extends { ping(): unknown }>(turns: number) {
  const sockets = new Set<Socket>();

  function takeTurn(): void {
    let left = Math.ceil(sockets.size / turns);
    for (const socket of sockets) {
      if (left-- === 0) break;
      // Moves the socket to the end of the queue.
      sockets.delete(socket);
      sockets.add(socket);
      socket.ping();
    }
  }

  return {
    add: (socket: Socket) => void sockets.add(socket),
    remove: (socket: Socket) => void sockets.delete(socket),
    takeTurn,
  };
}
