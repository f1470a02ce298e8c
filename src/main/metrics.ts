import { statfs } from "node:fs/promises";
import packageJson from "../../package.json";
import type { FindAddress } from "../hosts/http/client-address.ts";
import type { Listener } from "../hosts/http/listen.ts";
import type { CollectMetrics } from "../hosts/http/metrics.ts";
import type { ReadyDependencies } from "../hosts/http/ready.ts";
import type { Meters } from "../observability/metrics/meters.ts";
import type { ServerState } from "../observability/metrics/state.ts";
import type { MetricsSettings, Settings } from "../settings/settings.ts";
import type { Store } from "../store/store.ts";

/** Milliseconds for which a measurement of all workspaces is used again. */
const USAGE_FRESHNESS = 60_000;
/** Milliseconds in which one scrape reads everything. */
const SCRAPE_FRESHNESS = 1_000;
/** The share of a quota from which a workspace is nearly full. */
const NEARLY_FULL = 0.9;

type HostState = Pick<ServerState, "caches" | "queues" | "threads" | "readiness" | "damage">;

interface MetricsDependencies {
  settings: Settings;
  meters: Meters;
  store: Store;
  /** Called for each scrape, because the hosts are created after this. */
  state(): HostState;
}

/** Returns the function that collects all metrics. */
export async function createMetrics(dependencies: MetricsDependencies): Promise<CollectMetrics> {
  const [{ exposeMetrics }, { createStateFamilies }, { watchEventLoop }, { createProcessFamilies }] = await Promise.all(
    [
      import("../observability/metrics/exposition.ts"),
      import("../observability/metrics/state.ts"),
      import("../observability/metrics/event-loop.ts"),
      import("../observability/metrics/process.ts"),
    ],
  );
  const { settings, meters, store, state } = dependencies;
  const steady = {
    build: buildLabels(settings),
    quotas: settings.quotas,
    measureUsage: createUsage(settings, store),
    listTasks: remembering(SCRAPE_FRESHNESS, () => store.operations.listTasks()),
    countDamage: () => store.operations.countDamage(),
    countConnections: store.countConnections,
    freeBytes: () => freeBytes(settings.dataDir),
    diskReserve: settings.diskReserve,
  };
  const lasting = [...meters.families, ...watchEventLoop().families, ...createProcessFamilies()];
  return (accept) => exposeMetrics([...createStateFamilies({ ...steady, ...state() }), ...lasting], accept);
}

const buildLabels = ({ databaseUrl, s3 }: Settings) => ({
  version: packageJson.version,
  bun: Bun.version,
  database: databaseUrl === undefined ? "sqlite" : "postgresql",
  blobs: s3 === undefined ? "files" : "s3",
});

/** Returns how workspaces use their quotas. */
function createUsage({ quotas }: Settings, { operations }: Store): ServerState["measureUsage"] {
  const fullFrom = { free: Math.floor(quotas.free * NEARLY_FULL), pro: Math.floor(quotas.pro * NEARLY_FULL) };
  return remembering(USAGE_FRESHNESS, () => operations.measureUsage({ fullFrom }));
}

/** Returns a function that reads again only after this many milliseconds, or if the last read failed. */
function remembering<Value>(freshness: number, read: () => Promise<Value>): () => Promise<Value> {
  let last: { at: number; value: Promise<Value> } | undefined;
  return () => {
    const now = performance.now();
    if (last !== undefined && now - last.at < freshness) return last.value;
    const begun = { at: now, value: read() };
    last = begun;
    begun.value.catch(() => {
      if (last === begun) last = undefined;
    });
    return begun.value;
  };
}

async function freeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}

/** Returns the store, which tells of each published version how many bytes its files have. */
export function notePublishes(store: Store, note: Meters["notePublish"] | undefined): Store {
  if (note === undefined) return store;
  const { publishing } = store;
  return {
    ...store,
    publishing: {
      ...publishing,
      async publish(publication) {
        const published = await publishing.publish(publication);
        // A repeated request gets the code of the first.
        if (published.code === publication.code) note(publication.size);
        return published;
      },
    },
  };
}

interface MetricsHosts extends ReadyDependencies {
  /** Undefined if metrics are off. */
  collectMetrics: CollectMetrics | undefined;
  findAddress: FindAddress;
}

/** Serves metrics on a separate port. Returns undefined unless the settings name one. */
export async function listenForMetrics(
  { port, hosts, token }: MetricsSettings,
  { collectMetrics: collect, ...dependencies }: MetricsHosts,
  listenAt: (port: number, addresses: readonly string[]) => Listener<undefined>,
) {
  if (port === undefined || collect === undefined) return undefined;
  const { createMetricsHost, METRICS_PATH } = await import("../hosts/http/metrics.ts");
  const listener = listenAt(port, hosts);
  listener.handle(createMetricsHost({ ...dependencies, collect, needsToken: token !== undefined }));
  const [host = ""] = hosts;
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${listener.port}${METRICS_PATH}`;
  return { url, stop: listener.stop };
}
