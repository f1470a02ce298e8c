import { readdir, readFile } from "node:fs/promises";
import type { Family, Sample } from "./exposition.ts";

/** Milliseconds for which a count of descriptors is used again: with many sockets, listing them takes time. */
const FRESHNESS = 5_000;

/** Returns the standard metrics of a process (Prometheus client guidelines). Those from /proc are missing elsewhere. */
export function createProcessFamilies(now: () => number = () => performance.now()): readonly Family[] {
  const startedAt = (Date.now() - process.uptime() * 1000) / 1000;
  let descriptors: { at: number; count: Promise<number> } | undefined;

  function countDescriptors(): Promise<number> {
    if (descriptors === undefined || now() - descriptors.at >= FRESHNESS) {
      descriptors = { at: now(), count: readdir("/proc/self/fd").then(({ length }) => length) };
    }
    return descriptors.count;
  }

  async function readDescriptorLimit(): Promise<Sample[]> {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(await readFile("/proc/self/limits", "utf8")) ?? [];
    return limit === undefined ? [] : [{ value: Number(limit) }];
  }

  return [
    {
      name: "process_cpu_seconds",
      help: "CPU time of all threads.",
      type: "counter",
      unit: "seconds",
      collect() {
        const { user, system } = process.cpuUsage();
        return [{ value: (user + system) / 1e6 }];
      },
    },
    {
      name: "process_resident_memory_bytes",
      help: "Memory in RAM.",
      type: "gauge",
      unit: "bytes",
      collect: () => [{ value: process.memoryUsage.rss() }],
    },
    {
      name: "process_start_time_seconds",
      help: "When the process started, in seconds since 1970.",
      type: "gauge",
      unit: "seconds",
      collect: () => [{ value: startedAt }],
    },
    {
      name: "process_open_fds",
      help: "Open file descriptors.",
      type: "gauge",
      collect: async () => [{ value: await countDescriptors() }],
    },
    {
      name: "process_max_fds",
      help: "Maximum number of open file descriptors.",
      type: "gauge",
      collect: readDescriptorLimit,
    },
  ];
}
