import type { TaskState } from "../../domain/operations/ports.ts";
import type { PlanUsage } from "../../domain/operations/usage.ts";
import type { Readiness } from "../readiness.ts";
import type { Family, Labels } from "./exposition.ts";

interface Looks {
  readonly hits: number;
  readonly misses: number;
}

export interface ServerState {
  build: Labels;
  caches(): Readonly<Record<string, Looks>>;
  queues(): Readonly<Record<string, number>>;
  threads(): readonly { name: string; waiting: number; restarts: number }[];
  readiness: Pick<Readiness, "report" | "isReady">;
  damage(): { reports: number; refusals: number };
  /** Returns the number of objects that the scrub found damaged, on any replica. */
  countDamage(): Promise<number>;
  quotas: Readonly<Record<string, number>>;
  measureUsage(): Promise<readonly PlanUsage[]>;
  /** Returns the state of all background tasks, which is the same on all replicas. */
  listTasks(): Promise<readonly TaskState[]>;
  /** Undefined if the database has no server. */
  countConnections: (() => { busy: number; idle: number; waiting: number }) | undefined;
  /** Returns the free bytes of the data directory's disk. */
  freeBytes(): Promise<number>;
  diskReserve: number;
}

const STATES = ["ok", "degraded", "failed"] as const;

/** Returns the metrics that are read from the parts of the server at each scrape. */
export const createStateFamilies = (server: ServerState): readonly Family[] => [
  {
    name: "vitrine_build_info",
    help: "The version that runs, and what it runs on.",
    type: "gauge",
    collect: () => [{ labels: server.build, value: 1 }],
  },
  ...readinessFamilies(server),
  ...cacheFamilies(server),
  ...threadFamilies(server),
  ...connectionFamilies(server),
  ...taskFamilies(server),
  ...storageFamilies(server),
];

const readinessFamilies = ({ readiness }: ServerState): Family[] => [
  {
    name: "vitrine_ready",
    help: "1 if the server accepts requests.",
    type: "gauge",
    collect: async () => [{ value: Number(await readiness.isReady()) }],
  },
  {
    name: "vitrine_part_state",
    help: "1 for the state that a part of the server is in.",
    type: "gauge",
    async collect() {
      const { parts } = await readiness.report();
      return parts.flatMap(({ name: part, state: current }) =>
        STATES.map((state) => ({ labels: { part, state }, value: Number(state === current) })),
      );
    },
  },
];

const cacheFamilies = ({ caches }: ServerState): Family[] =>
  (["hits", "misses"] as const).map((result) => ({
    name: `vitrine_cache_${result}`,
    help: `Looks into a cache that found ${result === "hits" ? "something" : "nothing"}.`,
    type: "counter",
    collect: () => Object.entries(caches()).map(([cache, looks]) => ({ labels: { cache }, value: looks[result] })),
  }));

const threadFamilies = ({ threads, queues }: ServerState): Family[] => [
  {
    name: "vitrine_thread_waiting_calls",
    help: "Calls that a worker thread has not answered yet.",
    type: "gauge",
    collect: () => threads().map(({ name: thread, waiting: value }) => ({ labels: { thread }, value })),
  },
  {
    name: "vitrine_thread_restarts",
    help: "How often a worker thread died and was started again.",
    type: "counter",
    collect: () => threads().map(({ name: thread, restarts: value }) => ({ labels: { thread }, value })),
  },
  {
    name: "vitrine_queue_length",
    help: "Tasks that wait for a worker thread.",
    type: "gauge",
    collect: () => Object.entries(queues()).map(([queue, value]) => ({ labels: { queue }, value })),
  },
];

function connectionFamilies({ countConnections }: ServerState): Family[] {
  if (countConnections === undefined) return [];
  return [
    {
      name: "vitrine_database_connections",
      help: "Open connections to PostgreSQL, apart from the one for messages between replicas.",
      type: "gauge",
      collect() {
        const { busy, idle } = countConnections();
        return Object.entries({ busy, idle }).map(([state, value]) => ({ labels: { state }, value }));
      },
    },
    {
      name: "vitrine_database_waiting_calls",
      help: "Database calls that wait for a connection.",
      type: "gauge",
      collect: () => [{ value: countConnections().waiting }],
    },
  ];
}

const taskFamilies = ({ listTasks }: ServerState): Family[] => {
  const gauge = (
    name: string,
    help: string,
    read: (task: TaskState) => number | undefined,
    unit?: "seconds",
  ): Family => ({
    name,
    help,
    type: "gauge",
    ...(unit === undefined ? {} : { unit }),
    async collect() {
      const states = await listTasks();
      return states.flatMap((state) => {
        const value = read(state);
        return value === undefined ? [] : [{ labels: { task: state.name }, value }];
      });
    },
  });
  const inSeconds = (instant: number | undefined) => (instant === undefined ? undefined : instant / 1000);
  return [
    gauge(
      "vitrine_task_last_success_timestamp_seconds",
      "When a background task last succeeded on any replica, in seconds since 1970.",
      ({ lastSuccessAt }) => inSeconds(lastSuccessAt),
      "seconds",
    ),
    gauge(
      "vitrine_task_last_failure_timestamp_seconds",
      "When a background task last failed on any replica, in seconds since 1970.",
      ({ lastFailureAt }) => inSeconds(lastFailureAt),
      "seconds",
    ),
    gauge(
      "vitrine_task_failures",
      "Failed runs of a background task since the last one that succeeded.",
      ({ failures }) => failures,
    ),
    gauge("vitrine_task_running", "1 while a background task runs on some replica.", ({ runningSince }) =>
      Number(runningSince !== undefined),
    ),
  ];
};

const storageFamilies = (server: ServerState): Family[] => [
  {
    name: "vitrine_damaged_objects",
    help: "Published objects that the scrub found missing or damaged, on any replica.",
    type: "gauge",
    collect: async () => [{ value: await server.countDamage() }],
  },
  {
    name: "vitrine_damaged_reports",
    help: "Reports whose files readers of this replica found missing or damaged.",
    type: "gauge",
    collect: () => [{ value: server.damage().reports }],
  },
  {
    name: "vitrine_damage_refusals",
    help: "Requests that were refused because files are missing or damaged.",
    type: "counter",
    collect: () => [{ value: server.damage().refusals }],
  },
  {
    name: "vitrine_disk_free_bytes",
    help: "Free space on the data directory's disk.",
    type: "gauge",
    unit: "bytes",
    collect: async () => [{ value: await server.freeBytes() }],
  },
  {
    name: "vitrine_disk_reserve_bytes",
    help: "Free space below which uploads are refused.",
    type: "gauge",
    unit: "bytes",
    collect: () => [{ value: server.diskReserve }],
  },
  {
    name: "vitrine_quota_bytes",
    help: "Bytes that one workspace may store, by plan.",
    type: "gauge",
    unit: "bytes",
    collect: () => Object.entries(server.quotas).map(([plan, value]) => ({ labels: { plan }, value })),
  },
  ...(
    [
      ["vitrine_workspaces", "Workspaces, by plan.", "workspaces"],
      ["vitrine_stored_bytes", "Bytes that count toward quotas, by plan.", "storedBytes"],
      ["vitrine_trash_bytes", "Bytes in the trash, by plan.", "trashBytes"],
      ["vitrine_nearly_full_workspaces", "Workspaces that use 90 % of their quota or more, by plan.", "nearlyFull"],
    ] as const
  ).map(
    ([name, help, field]): Family => ({
      name,
      help,
      type: "gauge",
      ...(name.endsWith("_bytes") ? { unit: "bytes" } : {}),
      collect: async () =>
        (await server.measureUsage()).map(({ plan, [field]: value }) => ({ labels: { plan }, value })),
    }),
  ),
];
