import { uploadRoute } from "../src/contract/publishing/publish.ts";
import { listRoute } from "../src/contract/reports/lists.ts";
import { renameRoute } from "../src/contract/reports/named-reports.ts";
import { JSON_BODY_BYTES, UPLOAD_BODY_BYTES } from "../src/domain/model/limits.ts";
import { type Bench, progress } from "./support/bench.ts";
import { encodeRequest } from "./support/client.ts";
import { startProbed } from "./support/event-loop.ts";
import { buildHostileBodies } from "./support/hostile.ts";
import type { LoopReport } from "./support/loop-probe.ts";
import { publishConcurrently } from "./support/publishers.ts";
import { buildPage } from "./support/reports.ts";
import { seedSqlite } from "./support/seed.ts";
import { figure, type Row } from "./support/table.ts";
import { buildLargeBody, sendConcurrently, uploadRequest } from "./support/uploads.ts";
import { createSite, type Site, type Vitrine } from "./support/vitrine.ts";

const ROUNDS = 3;
const GROUPS = 50_000;
/** The largest body that is read on the event loop instead of in a thread. */
const SMALL_UPLOAD_BYTES = 64 * 1024;

type Load = (vitrine: Vitrine) => Promise<void>;

async function upload(vitrine: Vitrine): Promise<void> {
  const request = uploadRequest(vitrine, buildLargeBody());
  await sendConcurrently(vitrine, request, { connections: 8, times: 2, status: 200 });
}

async function list(vitrine: Vitrine): Promise<void> {
  for (let number = 0; number < 3; number++) {
    const headers = { Authorization: `Bearer ${vitrine.site.token}` };
    const response = await fetch(vitrine.baseUrl + listRoute.path, { headers });
    const { groups } = listRoute.response.parse(await response.json());
    if (groups.length !== GROUPS) throw new Error(`The list has ${groups.length} groups.`);
  }
}

const sendHostile =
  (path: string, size: number, connections: number, times: number): Load =>
  async (vitrine) => {
    const { token } = vitrine.site;
    for (const body of Object.values(buildHostileBodies(size))) {
      const request = encodeRequest({ method: "POST", path, token, body });
      await sendConcurrently(vitrine, request, { connections, times, status: 400 });
    }
  };

async function publish(vitrine: Vitrine): Promise<void> {
  const body = JSON.stringify({ files: [{ path: "index.html", content: buildPage(50 * 1024) }] });
  await publishConcurrently(vitrine, body, { clients: 32, seconds: 3 });
}

const LOADS: Readonly<Record<string, Load>> = {
  "list of 50,000 groups": list,
  "8 uploads of 20 MB": upload,
  "hostile 20 MB uploads": sendHostile(uploadRoute.path, UPLOAD_BODY_BYTES - 64, 1, 1),
  "hostile 64 KB uploads": sendHostile(uploadRoute.path, SMALL_UPLOAD_BYTES - 64, 4, 8),
  "hostile 64 KB to rename": sendHostile(renameRoute.path, JSON_BODY_BYTES - 64, 4, 4),
  "32 clients publishing 50 KB": publish,
};

/** Measures a load on a new server, which has no leftovers of other loads. */
async function measure(site: Site, load: Load): Promise<LoopReport> {
  const { vitrine, during } = await startProbed(site);
  const report = await during(load);
  await vitrine.stop();
  return report;
}

/** Measures the longest time that demanding requests block the server's event loop. */
export const loop: Bench = async () => {
  const site = await createSite();
  await seedSqlite(site, { groups: GROUPS, reports: 0 });
  const rows: Row[] = [];
  for (const [name, load] of Object.entries(LOADS)) {
    const reports: LoopReport[] = [];
    for (let round = 0; round < ROUNDS; round++) reports.push(await measure(site, load));
    const measured = Math.max(...reports.map(({ longest }) => longest));
    const busiest = Math.max(...reports.map((report) => report.busiest));
    progress(`  ${name}: ${reports.map(({ longest }) => longest.toFixed(1)).join(", ")} ms`);
    const row = figure({ name: `loop blocked, ${name}`, unit: "ms", measured, bound: { atMost: 50 } });
    rows.push({ ...row, against: `${busiest.toFixed(1)} ms CPU at most` });
  }
  return rows;
};
