import { writeFileSync } from "node:fs";

/**
 * Preloaded into the server's process: a timer of one millisecond, and how late it was at worst. SIGUSR2 writes that to
 * a file and begins anew. SIGUSR1 frees what nobody needs, for whoever measures memory.
 */
export interface LoopReport {
  /** How many reports there have been. */
  number: number;
  /** The longest time between two turns, in milliseconds. */
  longest: number;
  /** The most CPU time that the thread used between two turns: what is left where nobody else wants the CPU. */
  busiest: number;
}

function probe(file: string): void {
  let number = 0;
  let last = performance.now();
  let lastCpu = process.threadCpuUsage();
  let longest = 0;
  let busiest = 0;

  function turn(): void {
    const now = performance.now();
    const cpu = process.threadCpuUsage();
    longest = Math.max(longest, now - last);
    busiest = Math.max(busiest, (cpu.user + cpu.system - lastCpu.user - lastCpu.system) / 1000);
    last = now;
    lastCpu = cpu;
  }

  setInterval(turn, 1).unref();
  process.on("SIGUSR1", () => Bun.gc(true));
  process.on("SIGUSR2", () => {
    turn();
    const report: LoopReport = { number: ++number, longest, busiest };
    writeFileSync(file, JSON.stringify(report));
    longest = 0;
    busiest = 0;
    last = performance.now();
  });
}

const file = process.env.BENCH_LOOP_FILE;
if (Bun.isMainThread && file !== undefined) probe(file);
