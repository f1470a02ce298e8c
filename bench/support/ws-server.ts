import { keep, residentMegabytes, stop, untilIdle } from "./processes.ts";
import { findTool } from "./tools.ts";

const PROGRAM = new URL("./ws-server.mjs", import.meta.url).pathname;
/** Milliseconds. */
const COLLECTING_TIME = 1_000;

/** Starts the peer: `ws` on Node, telling its readers this message. Throws `Unavailable` without Node. */
export async function startWsServer(message: string) {
  const child = keep(
    Bun.spawn([findTool("node"), "--expose-gc", PROGRAM], {
      env: { PATH: process.env.PATH, BENCH_MESSAGE: message },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "inherit",
    }),
  );
  const url = `http://127.0.0.1:${await readPort(child.stdout)}`;
  const call = async (path: string) => (await fetch(url + path, { method: "POST" })).text();

  /** The same as of Vitrine's server. */
  async function settledMegabytes(): Promise<number> {
    await untilIdle(child.pid);
    await call("/collect");
    await Bun.sleep(COLLECTING_TIME);
    return residentMegabytes(child.pid);
  }

  return {
    link: `${url}/`,
    /** Resolves when it is answered, which is before anybody has been told. */
    publish: () => call("/publish"),
    /** The longest time that the event loop was held since the last time this was asked, in milliseconds. */
    takeLongest: async () => Number(await call("/loop")),
    settledMegabytes,
    stop: () => stop(child),
  };
}

async function readPort(stream: ReadableStream<Uint8Array>): Promise<number> {
  for await (const chunk of stream) return Number(new TextDecoder().decode(chunk));
  throw new Error("The peer did not start.");
}
