import { z } from "zod";
import { keep, residentMegabytes, stop } from "./processes.ts";
import { findTool } from "./tools.ts";

/** Milliseconds of wall-clock and CPU time; Node measures the latter only for the whole process. */
const heldSchema = z.object({ longest: z.number(), busiest: z.number() });
const PROGRAM = new URL("./ws-server.mjs", import.meta.url).pathname;
/** Milliseconds. */
const SETTLING_TIME = 2_000;
const COLLECTING_TIME = 1_000;

/** Starts `ws` on Node, which sends its readers this message. Throws `Unavailable` without Node. */
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

  /** Returns its memory as it is measured for Vitrine. */
  async function settledMegabytes(): Promise<number> {
    await Bun.sleep(SETTLING_TIME);
    await call("/collect");
    await Bun.sleep(COLLECTING_TIME);
    return residentMegabytes(child.pid);
  }

  return {
    link: `${url}/`,
    /** Resolves when the request is answered, before readers are notified. */
    publish: () => call("/publish"),
    /** Returns the longest time that the event loop was blocked since the last call. */
    takeHeld: async () => heldSchema.parse(JSON.parse(await call("/loop"))),
    settledMegabytes,
    stop: () => stop(child),
  };
}

async function readPort(stream: ReadableStream<Uint8Array>): Promise<number> {
  for await (const chunk of stream) return Number(new TextDecoder().decode(chunk));
  throw new Error("The peer did not start.");
}
