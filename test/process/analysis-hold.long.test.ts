import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { uploadRoute } from "../../src/contract/publishing/publish.ts";
import { WORST_DOCUMENTS, type WorstDocument } from "../html/worst-documents.ts";
import { until } from "../support/content.ts";
import { type Service, startService } from "../support/service.ts";
import { onThisMachine } from "../support/timing.ts";

const PROBE = new URL("../../bench/support/loop-probe.ts", import.meta.url).pathname;
const SIZE = 60 * 1024;
const AT_ONCE = 8;
/** Maximum milliseconds of processor time between two turns of the event loop. */
const LONGEST_HOLD = 50;

let service: Service;
let token: string;
let directory: string;
let number = 0;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "vitrine-hold-"));
  const environment = { BUN_OPTIONS: `--preload=${PROBE}`, BENCH_LOOP_FILE: join(directory, "loop.json") };
  service = await startService({ environment });
  ({ token } = await service.build.user());
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

/** Returns how long the event loop was blocked at most since the last call. */
async function longestHold(): Promise<number> {
  number++;
  service.process.kill("SIGUSR2");
  return until(async () => {
    const report = await Bun.file(join(directory, "loop.json"))
      .json()
      .catch(() => undefined);
    return report?.number === number ? Number(report.busiest) : undefined;
  });
}

/** Named apart from the rest, because they run code for the first time, whatever their document. */
const firstPublishes: WorstDocument = { name: "the first publishes", make: () => ({ "index.html": "<p>" }) };

test("reading the worst documents, eight at the same time, doesn't block the event loop", async () => {
  const held: Record<string, number> = {};
  for (const { name, make } of [firstPublishes, ...WORST_DOCUMENTS]) {
    const files = Object.entries(make(SIZE)).map(([path, content]) => ({ path, content: content || "<p>" }));
    await longestHold();
    const uploads = Array.from({ length: AT_ONCE }, () => service.client(token).call(uploadRoute, { body: { files } }));
    await Promise.all(uploads);
    const busiest = await longestHold();
    if (busiest > onThisMachine(LONGEST_HOLD)) held[name] = Math.round(busiest);
  }
  expect(held).toEqual({});
});
