import { writeFileSync } from "node:fs";

/**
 * Preloaded into the server's process to measure the largest delay of a timer of one millisecond. SIGUSR2 writes it to a
 * file and resets it. SIGUSR1 collects garbage before memory is measured.
 */
export interface LoopReport {
  /** The number of reports so far. */
  number: number;
  /** The longest time between two turns, in milliseconds. */
  longest: number;
  /** The most CPU time of the thread between two turns, which other processes do not affect. */
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
