import { readFileSync } from "node:fs";
import { connectRaw } from "./raw.ts";

declare const self: Worker;

export type ProbeRequest = { url: string; pid: number } | "stop";
export interface ProbeReply {
  /** Milliseconds of the slowest response. */
  slowest: number;
  /** Maximum milliseconds for which the server's event loop was computing something else. */
  longestHold: number;
  count: number;
}

const INTERVAL = 5;
let stopped = false;

/** Sends small requests on one connection again and again, in a thread that does nothing else. */
self.onmessage = (event: MessageEvent<ProbeRequest>) => {
  if (event.data === "stop") stopped = true;
  else probe(event.data);
};

/** Returns the processor time of a process's first thread in milliseconds, without waiting for a processor (proc(5)). */
const computingTime = (pid: number) =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;

async function probe({ url, pid }: { url: string; pid: number }): Promise<void> {
  const { pathname } = new URL(url);
  using connection = connectRaw(url);
  let slowest = 0;
  let longestHold = 0;
  let count = 0;
  while (!stopped) {
    const sentAt = performance.now();
    const computed = computingTime(pid);
    await connection.write(`GET ${pathname} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    await connection.receive(/^HTTP\/1.1 200.*publicBaseUrl[^}]*}/s);
    connection.forget();
    longestHold = Math.max(longestHold, computingTime(pid) - computed);
    slowest = Math.max(slowest, performance.now() - sentAt);
    count++;
    // The rate of requests.
    await Bun.sleep(INTERVAL);
  }
  const reply: ProbeReply = { slowest, longestHold, count };
  self.postMessage(reply);
}
