/**
 * Asks sockets whether they are still there, each once in so many turns. The runtime's own way is to ask all whose time
 * has come in one go, and those who came together stay together: ten thousand held the event loop for 70 ms.
 */
export function createKeepAlive<Socket extends { ping(): unknown }>(turns: number) {
  const sockets = new Set<Socket>();

  function takeTurn(): void {
    let left = Math.ceil(sockets.size / turns);
    for (const socket of sockets) {
      if (left-- === 0) break;
      // To the end of the line.
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
