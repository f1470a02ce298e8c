import { connect } from "node:net";
import { keep } from "./processes.ts";

const BARE_SERVER = new URL("./bare-server.ts", import.meta.url).pathname;

/** Starts the smallest server on the same runtime. */
export function spawnBareServer(port: number) {
  return keep(
    Bun.spawn([process.execPath, "--no-env-file", "--no-install", "--config=/dev/null", BARE_SERVER], {
      env: { PATH: process.env.PATH, PORT: String(port) },
      stdin: "ignore",
      stdout: "ignore",
      stderr: "ignore",
    }),
  );
}

/** Resolves to the time at which a starting server first answers 200. */
export async function untilAnswered(port: number, path: string): Promise<number> {
  const deadline = performance.now() + 20_000;
  while (performance.now() < deadline) {
    const status = await tryRequest(port, path);
    if (status === 200) return performance.now();
    if (status !== undefined) throw new Error(`${path} returned ${status}.`);
    await Bun.sleep(1);
  }
  throw new Error(`Nothing answered on port ${port}.`);
}

/** Returns the status of the answer, or undefined while nothing listens. */
function tryRequest(port: number, path: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port, noDelay: true });
    socket.once("connect", () => socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`));
    socket.once("data", (chunk: Buffer) => {
      resolve(Number(chunk.toString("latin1", 9, 12)));
      socket.destroy();
    });
    socket.once("error", () => resolve(undefined));
    socket.once("close", () => resolve(undefined));
  });
}
