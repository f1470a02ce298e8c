import { join } from "node:path";
import { type Bench, progress } from "./support/bench.ts";
import { makeDirectory } from "./support/directories.ts";
import { residentMegabytes, stop } from "./support/processes.ts";
import { spawnBareServer, untilAnswered } from "./support/starting.ts";
import { median } from "./support/statistics.ts";
import { figure } from "./support/table.ts";
import { findFreePort, run } from "./support/tools.ts";
import { buildLargeBody, sendConcurrently, uploadRequest } from "./support/uploads.ts";
import { createSite, type Site, startVitrine } from "./support/vitrine.ts";

const BUILD = new URL("../scripts/build.ts", import.meta.url).pathname;
const ROUNDS = 3;
const SETTLING_TIME = 1_500;
const UPLOADERS = 8;
const UPLOADS_EACH = 3;

/** Builds the program that releases and images run, and returns its path. */
async function buildExecutable(): Promise<string> {
  const path = join(makeDirectory(), "vitrine");
  await run([process.execPath, BUILD, "--outfile", path]);
  return path;
}

async function measureAfterStart(site: Site): Promise<number> {
  await using vitrine = await startVitrine(site);
  await fetch(`${vitrine.contentUrl}/`);
  await Bun.sleep(SETTLING_TIME);
  return residentMegabytes(vitrine.pid);
}

async function measureBare(): Promise<number> {
  const port = findFreePort();
  const child = spawnBareServer(port);
  await untilAnswered(port, "/");
  await Bun.sleep(SETTLING_TIME);
  const megabytes = residentMegabytes(child.pid);
  await stop(child);
  return megabytes;
}

async function measureUploading(site: Site): Promise<number> {
  await using vitrine = await startVitrine(site);
  const request = uploadRequest(vitrine, buildLargeBody());
  await sendConcurrently(vitrine, request, { connections: UPLOADERS, times: UPLOADS_EACH, status: 200 });
  return residentMegabytes(vitrine.pid, "peak");
}

/** Measures resident memory after the start, and its peak while large reports are published. */
export const memory: Bench = async () => {
  const site = await createSite();
  const executable = { ...site, program: await buildExecutable() };
  progress("  after start");
  const afterStart: number[] = [];
  const ofExecutable: number[] = [];
  const bare: number[] = [];
  for (let number = 0; number < ROUNDS; number++) {
    afterStart.push(await measureAfterStart(site));
    ofExecutable.push(await measureAfterStart(executable));
    bare.push(await measureBare());
  }
  progress(`  under ${UPLOADERS} uploads at once`);
  const peaks: number[] = [];
  for (let round = 0; round < ROUNDS; round++) peaks.push(await measureUploading(site));
  const peer = { name: "bare server", value: median(bare) };
  const bound = { atMost: 90 };
  return [
    figure({ name: "memory after start, executable", unit: "MB", measured: median(ofExecutable), peer, bound }),
    figure({ name: "memory after start, sources", unit: "MB", measured: median(afterStart), peer, bound }),
    figure({
      name: `memory, peak, ${UPLOADERS} uploads of 20 MB`,
      unit: "MB",
      measured: Math.max(...peaks),
      bound: { atMost: 700 },
    }),
  ];
};
