import { readFileSync } from "node:fs";
import { pause } from "../support/until.ts";
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

/** Returns for how many milliseconds a thread has computed, and for how many it has waited for a processor (proc(5)). */
function timesOf(thread: string) {
  const [computed = 0, waited = 0] = readFileSync(`/proc/${thread}/schedstat`, "utf8").split(" ").map(Number);
  return { computed: computed / 1e6, waited: waited / 1e6 };
}

async function probe({ url, pid }: { url: string; pid: number }): Promise<void> {
  const { pathname } = new URL(url);
  using connection = connectRaw(url);
  let slowest = 0;
  let longestHold = 0;
  let count = 0;
  while (!stopped) {
    const sentAt = performance.now();
    const [server, own] = [timesOf(`${pid}/task/${pid}`), timesOf("thread-self")];
    await connection.write(`GET ${pathname} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    await connection.receive(/^HTTP\/1.1 200.*publicBaseUrl[^}]*}/s);
    connection.forget();
    const held = timesOf(`${pid}/task/${pid}`).computed - server.computed;
    // While this thread waits for a processor, the server's loop may turn several times.
    const waited = timesOf("thread-self").waited - own.waited;
    longestHold = Math.max(longestHold, held - waited);
    slowest = Math.max(slowest, performance.now() - sentAt);
    count++;
    await pause(INTERVAL, "a client's pace");
  }
  const reply: ProbeReply = { slowest, longestHold, count };
  self.postMessage(reply);
}
