import { createCallMeter } from "./call-meter.ts";
import type { Family } from "./exposition.ts";
import { createHistogram, type Histogram } from "./histogram.ts";
import { createRequestMeter } from "./request-meter.ts";

/** A background task, as far as it is measured. */
interface MeasuredTask {
  name: string;
  run(signal: AbortSignal): Promise<string | undefined>;
}

interface Sockets<Socket> {
  open(socket: Socket): void;
  close(socket: Socket): void;
}

/** In seconds. */
const TASK_BOUNDS = [0.1, 1, 10, 60, 600, 3600, 14400];

/** Creates what counts the server's work while it is done. Collecting only reads it. */
export function createMeters() {
  const requests = createRequestMeter();
  const database = createCallMeter({ prefix: "vitrine_database", subject: "the database", label: "kind" });
  const blobs = createCallMeter({
    prefix: "vitrine_blob",
    subject: "the store of published files",
    label: "operation",
  });
  const tasks = new Map<string, { durations: Histogram; succeeded: number; failed: number }>();
  const fanOut = createHistogram();
  const diskCache = { hits: 0, misses: 0 };
  const open = { live: 0, portal: 0 };
  let publishes = 0;
  let publishedBytes = 0;

  /** Returns the handlers of sockets that also count them. */
  const countSockets = <Socket>(kind: keyof typeof open, sockets: Sockets<Socket>): Sockets<Socket> => ({
    open(socket) {
      open[kind]++;
      sockets.open(socket);
    },
    close(socket) {
      open[kind]--;
      sockets.close(socket);
    },
  });

  /** Returns the tasks, whose runs on this replica are counted. */
  const countTasks = <Task extends MeasuredTask>(counted: readonly Task[]): Task[] =>
    counted.map((task) => {
      const runs = { durations: createHistogram(TASK_BOUNDS), succeeded: 0, failed: 0 };
      tasks.set(task.name, runs);
      return {
        ...task,
        async run(signal: AbortSignal) {
          const startedAt = performance.now();
          try {
            const detail = await task.run(signal);
            runs.succeeded++;
            return detail;
          } catch (error) {
            if (!signal.aborted) runs.failed++;
            throw error;
          } finally {
            runs.durations.observe((performance.now() - startedAt) / 1000);
          }
        },
      };
    });

  const families: readonly Family[] = [
    ...requests.families,
    {
      name: "vitrine_publishes",
      help: "Versions that were published.",
      type: "counter",
      collect: () => [{ value: publishes }],
    },
    {
      name: "vitrine_published_bytes",
      help: "Bytes of the files in published versions.",
      type: "counter",
      unit: "bytes",
      collect: () => [{ value: publishedBytes }],
    },
    {
      name: "vitrine_sockets",
      help: "Open WebSockets: readers of live links, and pages of the portal.",
      type: "gauge",
      collect: () => Object.entries(open).map(([kind, value]) => ({ labels: { kind }, value })),
    },
    {
      name: "vitrine_fan_out_duration_seconds",
      help: "Time from a message for readers of a live link to the last of their sockets.",
      type: "histogram",
      unit: "seconds",
      collect: () => [{ histogram: fanOut }],
    },
    ...database.families,
    ...database.familiesByName,
    ...blobs.families,
    {
      name: "vitrine_task_runs",
      help: "Runs of background tasks on this replica, by outcome.",
      type: "counter",
      collect: () =>
        [...tasks].flatMap(([task, runs]) =>
          (["succeeded", "failed"] as const).map((outcome) => ({ labels: { task, outcome }, value: runs[outcome] })),
        ),
    },
    {
      name: "vitrine_task_duration_seconds",
      help: "Time that runs of background tasks took on this replica.",
      type: "histogram",
      unit: "seconds",
      collect: () => Array.from(tasks, ([task, { durations }]) => ({ labels: { task }, histogram: durations })),
    },
  ];

  return {
    requests,
    database: database.observe,
    blobs: blobs.observe,
    diskCache,
    families,
    countSockets,
    countTasks,
    noteFanOut: (milliseconds: number) => fanOut.observe(milliseconds / 1000),
    noteDiskCache(isHit: boolean) {
      if (isHit) diskCache.hits++;
      else diskCache.misses++;
    },
    notePublish(bytes: number) {
      publishes++;
      publishedBytes += bytes;
    },
  };
}

export type Meters = ReturnType<typeof createMeters>;
