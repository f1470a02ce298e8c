import { join } from "node:path";
import { z } from "zod";
import type { LoopReport } from "./loop-probe.ts";
import { residentMegabytes } from "./processes.ts";
import { type Site, startVitrine, type Vitrine } from "./vitrine.ts";

const PROBE = new URL("./loop-probe.ts", import.meta.url).pathname;
/** Milliseconds. Probe and readers keep the server slightly busy, so it never becomes idle. */
const SETTLING_TIME = 2_000;
const COLLECTING_TIME = 1_000;
const reportSchema: z.ZodType<LoopReport> = z.object({
  number: z.number(),
  longest: z.number(),
  busiest: z.number(),
});

/** Starts the server with a probe in its process. */
export async function startProbed(site: Site) {
  const file = join(site.dataDir, "loop.json");
  const vitrine = await startVitrine(site, { BUN_OPTIONS: `--preload=${PROBE}`, BENCH_LOOP_FILE: file });
  let number = 0;

  async function report(): Promise<LoopReport> {
    number++;
    vitrine.process.kill("SIGUSR2");
    for (;;) {
      const found = await readReport(file);
      if (found?.number === number) return found;
      await Bun.sleep(2);
    }
  }

  /** Returns the longest time that the event loop was blocked while `load` ran. */
  async function during(load: (vitrine: Vitrine) => Promise<void>): Promise<LoopReport> {
    await report();
    await load(vitrine);
    return report();
  }

  /** Returns resident memory in MB after garbage collection. */
  async function settledMegabytes(): Promise<number> {
    await Bun.sleep(SETTLING_TIME);
    vitrine.process.kill("SIGUSR1");
    await Bun.sleep(COLLECTING_TIME);
    return residentMegabytes(vitrine.pid);
  }

  return { vitrine, during, settledMegabytes };
}

async function readReport(file: string): Promise<LoopReport | undefined> {
  try {
    return reportSchema.parse(await Bun.file(file).json());
  } catch {
    // The file is missing or incomplete.
    return undefined;
  }
}
