import { createCallMeter } from "./call-meter.ts";
import type { Family } from "./exposition.ts";
import { createHistogram } from "./histogram.ts";
import { createRequestMeter } from "./request-meter.ts";

interface Sockets<Socket> {
  open(socket: Socket): void;
  close(socket: Socket): void;
}

/** Creates what counts the server's work while it is done. Collecting only reads it. */
export function createMeters() {
  const requests = createRequestMeter();
  const database = createCallMeter({ prefix: "vitrine_database", subject: "the database", label: "kind" });
  const blobs = createCallMeter({
    prefix: "vitrine_blob",
    subject: "the store of published files",
    label: "operation",
  });
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
  ];

  return {
    requests,
    database: database.observe,
    blobs: blobs.observe,
    diskCache,
    families,
    countSockets,
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
