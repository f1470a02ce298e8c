import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { type Bench, progress } from "./support/bench.ts";
import { makeDirectory } from "./support/directories.ts";
import { buildPage } from "./support/reports.ts";
import { interleave, median } from "./support/statistics.ts";
import { compare, figure, type Row } from "./support/table.ts";
import { findTool, run } from "./support/tools.ts";
import { createSite, publish, startVitrine, type Vitrine } from "./support/vitrine.ts";

const LAUNCHER = new URL("../bin/vitrine", import.meta.url).pathname;
const ROUNDS = 25;
const PAGE_BYTES = 50 * 1024;
const DATA_BYTES = 10_000_000;

/** Returns the milliseconds that a program runs. */
async function time(command: readonly string[], environment: Record<string, string>): Promise<number> {
  const begin = performance.now();
  await run(command, environment);
  return performance.now() - begin;
}

const environmentOf = ({ baseUrl, site }: Vitrine) => ({
  VITRINE_URL: baseUrl,
  VITRINE_TOKEN: site.token,
  HOME: site.dataDir,
});

type Timed = "publish" | "version" | "complete" | "bare";

async function measureStarting(vitrine: Vitrine, directory: string): Promise<Row[]> {
  progress(`  ${ROUNDS} publishes of one page`);
  const page = join(directory, "page.html");
  await Bun.write(page, buildPage(PAGE_BYTES));
  const times = { publish: [], version: [], complete: [], bare: [] } as Record<Timed, number[]>;
  // The first time asks the server; a person waits for the others.
  await run([LAUNCHER, "complete", "reports"], environmentOf(vitrine));
  for (let round = 0; round < ROUNDS; round++) {
    times.publish.push(await time([LAUNCHER, "publish", page], environmentOf(vitrine)));
    times.version.push(await time([LAUNCHER, "--version"], {}));
    times.complete.push(await time([LAUNCHER, "complete", "reports"], environmentOf(vitrine)));
    times.bare.push(await time([process.execPath, "--no-install", "-e", "0"], {}));
  }
  const peer = { name: "bare runtime", value: median(times.bare) };
  return [
    figure({ name: "cli: publish 50 KB", unit: "ms", measured: median(times.publish), peer, bound: { atMost: 150 } }),
    figure({ name: "cli: complete", unit: "ms", measured: median(times.complete), peer, bound: { atMost: 100 } }),
    figure({ name: "cli: --version", unit: "ms", measured: median(times.version), peer }),
  ];
}

async function measureGet(vitrine: Vitrine, directory: string): Promise<Row> {
  progress(`  ${ROUNDS} downloads of 10 MB`);
  const curl = findTool("curl");
  const data = randomBytes(DATA_BYTES).toString("base64");
  const files = [
    { path: "index.html", content: buildPage(PAGE_BYTES) },
    { path: "data.bin", content: data, encoding: "base64" as const },
  ];
  const code = await publish(vitrine, { files });
  const target = join(directory, "got");
  const authorization = `Authorization: Bearer ${vitrine.site.token}`;
  const addressOf = (path: string) => `${vitrine.baseUrl}/api/report/file?code=${code}&path=${path}`;
  const viaCurl = files.flatMap(({ path }) => ["-o", join(directory, path), addressOf(path)]);
  const rounds = await interleave(
    ROUNDS,
    () => {
      rmSync(target, { recursive: true, force: true });
      return time([LAUNCHER, "get", code, "-o", target], environmentOf(vitrine));
    },
    () => time([curl, "-sf", "-H", authorization, ...viaCurl], {}),
  );
  return compare({ name: "cli: get 10 MB", unit: "ms", ...rounds, peer: "curl", bound: { atMost: 1.5 } });
}

/** Measures whole commands, compared to the bare runtime and to curl. */
export const cli: Bench = async () => {
  await using vitrine = await startVitrine(await createSite());
  const directory = makeDirectory();
  return [...(await measureStarting(vitrine, directory)), await measureGet(vitrine, directory)];
};
