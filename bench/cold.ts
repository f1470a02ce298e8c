import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Bench, progress } from "./support/bench.ts";
import { makeDirectory } from "./support/directories.ts";
import { assertSameAnswer, startNginx } from "./support/nginx.ts";
import { cpuSeconds } from "./support/processes.ts";
import { buildPage } from "./support/reports.ts";
import { interleave } from "./support/statistics.ts";
import { compare } from "./support/table.ts";
import { dropPageCache } from "./support/tools.ts";
import { createSite, publish, type Site, startVitrine, type Vitrine } from "./support/vitrine.ts";
import { runWrk } from "./support/wrk.ts";

const REPORTS = 3_000;
const PAGE_BYTES = 12 * 1024;
const ROUNDS = 3;
const PUBLISHERS = 16;
const CONNECTIONS = 16;

interface Measured {
  /** Microseconds of the server's CPU time per request. */
  cpu: number;
  /** Milliseconds. */
  p50: number;
}

interface Started {
  pid: number;
  url: string;
  stop(): Promise<void>;
}

/** Publishes distinct reports, writes the same files for nginx, and returns their codes. */
async function publishReports(vitrine: Vitrine, root: string): Promise<string[]> {
  const codes: string[] = [];
  let next = 0;
  async function publishSome(): Promise<void> {
    while (next < REPORTS) {
      const content = buildPage(PAGE_BYTES, next++);
      const code = await publish(vitrine, { files: [{ path: "index.html", content }], visibility: "public" });
      mkdirSync(join(root, code));
      writeFileSync(join(root, code, "index.html"), content);
      codes.push(code);
    }
  }
  await Promise.all(Array.from({ length: PUBLISHERS }, publishSome));
  return codes;
}

/** Requests each report once from a newly started server. */
async function measureCold(start: () => Promise<Started>, pathsFile: string): Promise<Measured> {
  await dropPageCache();
  const server = await start();
  const before = cpuSeconds(server.pid);
  const input = { kind: "paths", file: pathsFile } as const;
  const { requests, p50 } = await runWrk({ url: server.url, connections: CONNECTIONS, seconds: 60, input });
  const cpu = ((cpuSeconds(server.pid) - before) * 1e6) / requests;
  await server.stop();
  return { cpu, p50 };
}

async function startContentHost(site: Site): Promise<Started> {
  const { pid, contentUrl, stop } = await startVitrine(site);
  return { pid, url: contentUrl, stop };
}

/** Measures serving many reports once each from the disk, compared to nginx with the same files and headers. */
export const cold: Bench = async () => {
  const site = await createSite();
  const root = makeDirectory();
  progress(`  publishing ${REPORTS} reports`);
  const publisher = await startVitrine(site);
  const codes = await publishReports(publisher, root);
  const pathsFile = join(site.dataDir, "paths");
  writeFileSync(pathsFile, codes.map((code) => `/${code}/\n`).join(""));
  const path = `/${codes[0]}/`;
  const locations = [{ match: "/", headers: (await fetch(publisher.contentUrl + path)).headers }];
  const startPeer = () => startNginx({ root, locations });
  const peer = await startPeer();
  await assertSameAnswer(publisher.contentUrl + path, peer.url + path);
  await Promise.all([peer.stop(), publisher.stop()]);

  progress("  requesting each once, cold");
  const { measured, against } = await interleave(
    ROUNDS,
    () => measureCold(() => startContentHost(site), pathsFile),
    () => measureCold(startPeer, pathsFile),
  );
  const figures = (pick: (round: Measured) => number) => ({
    measured: measured.map(pick),
    against: against.map(pick),
    peer: "nginx",
  });
  return [
    compare({ name: "cold 12 KB page, CPU", unit: "µs CPU", ...figures(({ cpu }) => cpu), bound: { atMost: 2 } }),
    compare({ name: "cold 12 KB page, p50", unit: "ms", ...figures(({ p50 }) => p50) }),
  ];
};
