import { createServer } from "node:net";

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer().once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });

/**
 * A port of loopback that nobody listens on. Below the range from which outgoing connections get theirs: else one could
 * take the port before whoever wants it.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = 16_000 + Math.floor(Math.random() * 16_000);
    if (await isFree(port)) return port;
  }
}
